import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { addressInputSchema, inputAddress } from '../ip-address.ts';
import { checkAddress } from './abuseipdb-client.ts';

export const checkIp: ActionDefinition = {
  action_id: 'abuseipdb.check_ip',
  definition_id: 'abuseipdb',
  friendly_name: 'Check IP address',
  description: 'Looks up how often an address was reported for abuse, and by whom it is run.',
  vendor: 'AbuseIPDB',
  product: 'AbuseIPDB',
  input_schema: {
    type: 'object',
    required: ['ip'],
    additionalProperties: false,
    properties: {
      ip: addressInputSchema,
      max_age_days: {
        type: 'integer',
        title: 'Reports of the last days',
        minimum: 1,
        maximum: 365,
        default: 90,
      },
    },
  },
  output_schema: {
    type: 'object',
    required: ['ip', 'score', 'total_reports', 'is_public'],
    properties: {
      ip: { type: 'string' },
      score: { type: 'integer', minimum: 0, maximum: 100, description: 'Confidence that the address is abusive.' },
      total_reports: { type: 'integer' },
      distinct_reporters: { type: 'integer' },
      last_reported_at: { type: ['string', 'null'] },
      is_public: { type: 'boolean' },
      is_tor: { type: 'boolean' },
      country_code: { type: ['string', 'null'] },
      isp: { type: ['string', 'null'] },
      domain: { type: ['string', 'null'] },
      usage_type: { type: ['string', 'null'] },
    },
  },
  effect: 'reads',
  requires_connector: true,
  timeout_s: 30,
  idempotent: true,

  async run(context) {
    const ip = inputAddress(context.input, 'ip', 'any');
    const maxAge = context.input.max_age_days;
    const data = await checkAddress(context, { ip, maxAgeDays: typeof maxAge === 'number' ? maxAge : 90 });
    return {
      ip,
      score: numberOf(data, 'abuseConfidenceScore'),
      total_reports: numberOf(data, 'totalReports'),
      distinct_reporters: numberOf(data, 'numDistinctUsers'),
      last_reported_at: textOf(data, 'lastReportedAt'),
      is_public: data.isPublic === true,
      is_tor: data.isTor === true,
      country_code: textOf(data, 'countryCode'),
      isp: textOf(data, 'isp'),
      domain: textOf(data, 'domain'),
      usage_type: textOf(data, 'usageType'),
    };
  },
};

function numberOf(data: JsonObject, field: string): number {
  const value = data[field];
  return typeof value === 'number' ? value : 0;
}

function textOf(data: JsonObject, field: string): string | null {
  const value = data[field];
  return typeof value === 'string' ? value : null;
}
