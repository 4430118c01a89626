import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { jsonObjectOf, throwForStatus } from '@airdeck/connector-kit/vendor-answer';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { baseUrl, configText, configTextOr } from '../config-values.ts';

const VENDOR = 'FortiGate';

/** FortiOS error numbers that are an outcome for some calls, not a failure. */
export const FORTI_DUPLICATE = -5;
export const FORTI_NOT_FOUND = -3;
export const FORTI_IN_USE = -23;

type FortiErrorText = {
  readonly code: 'VENDOR_NOT_FOUND' | 'VENDOR_CONFLICT' | 'VENDOR_REJECTED';
  readonly text: string;
};

const fortiErrors: Readonly<Record<number, FortiErrorText>> = {
  [FORTI_DUPLICATE]: { code: 'VENDOR_CONFLICT', text: 'an object of that name exists' },
  [FORTI_NOT_FOUND]: { code: 'VENDOR_NOT_FOUND', text: 'the object does not exist' },
  [FORTI_IN_USE]: { code: 'VENDOR_CONFLICT', text: 'the object is in use' },
  [-651]: { code: 'VENDOR_REJECTED', text: 'a value was not accepted' },
};

export type FortiCall = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/api/v2/`, each segment encoded by `fortiPath`. */
  readonly path: string;
  /** Beside the virtual domain. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  /** FortiOS errors that count as done; the answer is returned as it is. */
  readonly tolerate?: readonly number[];
};

/**
 * One call of the FortiOS REST API. The HTTP status alone is not believed: errors also come under 200, and tolerated ones
 * under 404 or 500. Throws `VendorError`.
 */
export async function callFortigate(context: ConnectorContext, call: FortiCall): Promise<JsonObject> {
  const { config } = context;
  const query = new URLSearchParams({ vdom: configTextOr(config, 'vdom', 'root'), ...call.query });
  const ca = config.ca_certificate;
  const answer = await context.egress.request({
    tenant: context.tenant,
    method: call.method,
    url: `${baseUrl(config)}/api/v2/${call.path}?${query}`,
    headers: {
      authorization: `Bearer ${configText(config, 'api_token')}`,
      accept: 'application/json',
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    ...(typeof ca === 'string' && ca !== '' ? { ca } : {}),
    signal: context.signal,
  });
  const body = jsonObjectOf(VENDOR, answer);
  const failed = body.status !== 'success';
  const number = errorNumber(body);
  if (failed && number !== undefined && call.tolerate?.includes(number) === true) return body;
  const known = number === undefined ? undefined : fortiErrors[number];
  if (failed && known !== undefined) {
    const said = body.error === undefined ? `HTTP ${answer.status}` : `error ${number}`;
    throw new VendorError(known.code, `${VENDOR}: ${known.text} (${said}).`);
  }
  throwForStatus(VENDOR, answer, number === undefined ? undefined : `error ${number}`);
  if (failed) {
    const reason = number === undefined ? 'its answer is not that of a FortiGate' : `error ${number}`;
    throw new VendorError(
      number === undefined ? 'VENDOR_ANSWER_UNREADABLE' : 'VENDOR_REJECTED',
      `${VENDOR}: ${reason}.`,
    );
  }
  return body;
}

/** What FortiOS does not have it answers with its own body of a 404, without a number; a 404 of anything else is none. */
function errorNumber({ status, error, http_status }: JsonObject): number | undefined {
  if (typeof error === 'number') return error;
  return status === 'error' && http_status === 404 ? FORTI_NOT_FOUND : undefined;
}

/** A path whose segments are data: every one fully encoded, so that no name can reach another object. */
export function fortiPath(...segments: string[]): string {
  return segments.map(encodeSegment).join('/');
}

// encodeURIComponent keeps dots, and a URL parser resolves `.` and `..` even when written as %2e.
function encodeSegment(segment: string): string {
  if (segment === '' || segment === '.' || segment === '..') {
    throw new VendorError('VENDOR_REJECTED', 'This is not a usable name for an object of the firewall.');
  }
  return encodeURIComponent(segment);
}
