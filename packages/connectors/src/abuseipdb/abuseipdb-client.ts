import type { VendorAnswer } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import { codeForStatus } from '@airdeck/connector-kit/vendor-error';
import { baseUrl, configText } from '../config-values.ts';

export const ABUSEIPDB_URL = 'https://api.abuseipdb.com';

export const abuseipdbClient = createVendorClient({
  vendor: 'AbuseIPDB',
  baseUrl: (config) => baseUrl(config, ABUSEIPDB_URL),
  authorize: ({ config }) => ({ key: configText(config, 'api_key') }),
  failure: statedFailure,
});

/** JSON:API `errors`, which carry a status of their own: it may be another than that of the answer. */
function statedFailure({ status, body }: VendorAnswer) {
  const { errors } = (body ?? {}) as { errors?: unknown };
  if (!Array.isArray(errors) || errors.length === 0) return undefined;
  const { detail, status: own } = (errors[0] ?? {}) as { detail?: unknown; status?: unknown };
  const code = status < 400 && typeof own === 'number' ? codeForStatus(own) : undefined;
  return { ...(code === undefined ? {} : { code }), detail: typeof detail === 'string' ? detail : 'no reason given' };
}
