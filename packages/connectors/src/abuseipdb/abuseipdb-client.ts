import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { jsonObjectOf, throwForStatus } from '@airdeck/connector-kit/vendor-answer';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { baseUrl, configText } from '../config-values.ts';

export const ABUSEIPDB_URL = 'https://api.abuseipdb.com';
const VENDOR = 'AbuseIPDB';

/** `GET /api/v2/check`: the `data` object. Failures are JSON:API `errors`, sometimes under another HTTP status. */
export async function checkAddress(
  context: ConnectorContext,
  query: { ip: string; maxAgeDays: number },
): Promise<JsonObject> {
  const parameters = new URLSearchParams({ ipAddress: query.ip, maxAgeInDays: String(query.maxAgeDays) });
  const answer = await context.egress.request({
    tenant: context.tenant,
    method: 'GET',
    url: `${baseUrl(context.config, ABUSEIPDB_URL)}/api/v2/check?${parameters}`,
    headers: { key: configText(context.config, 'api_key'), accept: 'application/json' },
    signal: context.signal,
  });
  const body = jsonObjectOf(VENDOR, answer);
  const error = firstError(body);
  throwForStatus(VENDOR, answer, error?.detail);
  if (error !== undefined) {
    throwForStatus(VENDOR, { ...answer, status: error.status }, error.detail);
    throw new VendorError('VENDOR_REJECTED', `${VENDOR} rejected the request: ${error.detail}`);
  }
  const { data } = body;
  if (typeof data === 'object' && data !== null) return data as JsonObject;
  throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${VENDOR} answered without data.`);
}

function firstError(body: JsonObject): { detail: string; status: number } | undefined {
  const { errors } = body;
  if (!Array.isArray(errors) || errors.length === 0) return undefined;
  const { detail, status } = (errors[0] ?? {}) as { detail?: unknown; status?: unknown };
  return {
    detail: typeof detail === 'string' ? detail : 'no reason given',
    status: typeof status === 'number' ? status : 0,
  };
}
