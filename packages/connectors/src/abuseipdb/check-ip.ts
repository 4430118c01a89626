import type { HttpActionSpec } from '@airdeck/connector-kit/http-action';
import { addressInputSchema } from '../ip-address.ts';

const textOrNull = { type: ['string', 'null'] };

/** `GET /api/v2/check` */
export const checkIp: HttpActionSpec = {
  verb: 'check_ip',
  friendly_name: 'Check IP address',
  description: 'Looks up how often an address was reported for abuse, and by whom it is run.',
  input_schema: {
    type: 'object',
    required: ['ip'],
    additionalProperties: false,
    properties: {
      ip: addressInputSchema,
      max_age_days: { type: 'integer', title: 'Reports of the last days', minimum: 1, maximum: 365, default: 90 },
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
      last_reported_at: textOrNull,
      is_public: { type: 'boolean' },
      is_tor: { type: 'boolean' },
      country_code: textOrNull,
      isp: textOrNull,
      domain: textOrNull,
      usage_type: textOrNull,
    },
  },
  effect: 'reads',
  idempotent: true,
  request: {
    path: '/api/v2/check',
    query: { ipAddress: '{{ input.ip }}', maxAgeInDays: '{{ input.max_age_days }}' },
  },
  output: {
    ip: '{{ input.ip }}',
    score: '{{ body.data.abuseConfidenceScore }}',
    total_reports: '{{ body.data.totalReports }}',
    distinct_reporters: '{{ body.data.numDistinctUsers }}',
    last_reported_at: '{{ body.data.lastReportedAt }}',
    // Null for addresses that are nobody's: not public.
    is_public: '{{ body.data.isPublic == true }}',
    is_tor: '{{ has(body.data.isTor) && body.data.isTor == true }}',
    country_code: '{{ body.data.countryCode }}',
    isp: '{{ body.data.isp }}',
    domain: '{{ body.data.domain }}',
    usage_type: '{{ body.data.usageType }}',
  },
};
