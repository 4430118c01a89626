import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import type { StatedFailure, VendorAnswer, VendorCall } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import type { VendorErrorCode } from '@airdeck/connector-kit/vendor-error';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { textOf } from '../answer-fields.ts';
import { baseUrl, configText } from '../config-values.ts';

export const VIRUSTOTAL_URL = 'https://www.virustotal.com';

/** A public key has four calls a minute, and no header says when the next one is due. */
const QUOTA_WAIT_S = 60;

/** Codes that say more than their HTTP status. */
const codes: Readonly<Record<string, VendorErrorCode>> = {
  QuotaExceededError: 'VENDOR_RATE_LIMITED',
  TooManyRequestsError: 'VENDOR_RATE_LIMITED',
  NotAvailableYet: 'VENDOR_UNAVAILABLE',
  TransientError: 'VENDOR_UNAVAILABLE',
  WrongCredentialsError: 'VENDOR_CREDENTIALS_REFUSED',
  AuthenticationRequiredError: 'VENDOR_CREDENTIALS_REFUSED',
  UserNotActiveError: 'VENDOR_CREDENTIALS_REFUSED',
  ForbiddenError: 'VENDOR_PERMISSION_MISSING',
};

const client = createVendorClient({
  vendor: 'VirusTotal',
  baseUrl: (config) => `${baseUrl(config, VIRUSTOTAL_URL)}/api/v3`,
  authorize: ({ config }) => ({ 'x-apikey': configText(config, 'api_key') }),
  failure: statedFailure,
});

/** The object of an answer. Throws when the answer has none. */
export async function virustotalObject(context: ConnectorContext, call: VendorCall): Promise<JsonObject> {
  const { data } = await client.object(context, call);
  if (typeof data === 'object' && data !== null) return objectOf(data);
  throw new VendorError('VENDOR_ANSWER_UNREADABLE', 'VirusTotal answered without data.');
}

/** Undefined for what VirusTotal has never seen, which is a finding and no failure. Another 404 is a wrong address. */
export async function findVirustotalObject(
  context: ConnectorContext,
  call: Pick<VendorCall, 'path'>,
): Promise<JsonObject | undefined> {
  const answer = await client.call(context, { ...call, accept: [404] });
  if (answer.status !== 404) {
    const { data } = objectOf(answer.body);
    if (typeof data === 'object' && data !== null) return objectOf(data);
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', 'VirusTotal answered without data.');
  }
  if (errorCode(answer) === 'NotFoundError') return undefined;
  throw new VendorError('VENDOR_NOT_FOUND', 'VirusTotal does not know this address (HTTP 404). Check the address.');
}

function statedFailure(answer: VendorAnswer): StatedFailure | undefined {
  const name = errorCode(answer);
  if (name === null) return undefined;
  const code = Object.hasOwn(codes, name) ? codes[name] : undefined;
  const detail = `${name}: ${textOf(objectOf(objectOf(answer.body).error), 'message') ?? ''}`;
  const waits = code === 'VENDOR_RATE_LIMITED' && answer.headers['retry-after'] === undefined;
  return { detail, ...(code === undefined ? {} : { code }), ...(waits ? { retryAfterS: QUOTA_WAIT_S } : {}) };
}

function errorCode({ body }: VendorAnswer): string | null {
  return textOf(objectOf(objectOf(body).error), 'code');
}
