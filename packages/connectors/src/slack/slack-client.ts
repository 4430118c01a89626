import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { clipped, notItsApi, vendorFailed } from '@airdeck/connector-kit/vendor-answer';
import type { VendorAnswer, VendorQuery } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import type { VendorErrorCode } from '@airdeck/connector-kit/vendor-error';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { textOf } from '../answer-fields.ts';
import { baseUrl, configText } from '../config-values.ts';

export const SLACK_URL = 'https://slack.com';
const VENDOR = 'Slack';

/** What Slack's errors mean here; any other one is a request it does not take. */
const codes: Readonly<Record<string, VendorErrorCode>> = {
  not_authed: 'VENDOR_CREDENTIALS_REFUSED',
  invalid_auth: 'VENDOR_CREDENTIALS_REFUSED',
  account_inactive: 'VENDOR_CREDENTIALS_REFUSED',
  token_revoked: 'VENDOR_CREDENTIALS_REFUSED',
  token_expired: 'VENDOR_CREDENTIALS_REFUSED',
  missing_scope: 'VENDOR_PERMISSION_MISSING',
  no_permission: 'VENDOR_PERMISSION_MISSING',
  not_allowed_token_type: 'VENDOR_PERMISSION_MISSING',
  ekm_access_denied: 'VENDOR_PERMISSION_MISSING',
  restricted_action: 'VENDOR_PERMISSION_MISSING',
  access_denied: 'VENDOR_PERMISSION_MISSING',
  not_in_channel: 'VENDOR_PERMISSION_MISSING',
  cant_update_message: 'VENDOR_PERMISSION_MISSING',
  channel_not_found: 'VENDOR_NOT_FOUND',
  user_not_found: 'VENDOR_NOT_FOUND',
  users_not_found: 'VENDOR_NOT_FOUND',
  message_not_found: 'VENDOR_NOT_FOUND',
  thread_not_found: 'VENDOR_NOT_FOUND',
  name_taken: 'VENDOR_CONFLICT',
  already_in_channel: 'VENDOR_CONFLICT',
  ratelimited: 'VENDOR_RATE_LIMITED',
  rate_limited: 'VENDOR_RATE_LIMITED',
  internal_error: 'VENDOR_UNAVAILABLE',
  fatal_error: 'VENDOR_UNAVAILABLE',
  service_unavailable: 'VENDOR_UNAVAILABLE',
  request_timeout: 'VENDOR_UNAVAILABLE',
};

/**
 * Slack says of its `internal_error` and `fatal_error` that a part may have been done; of these that nothing was: it was
 * not there, or the request did not arrive whole.
 */
const refusals: ReadonlySet<string> = new Set(['service_unavailable', 'request_timeout']);

/** Slack asks for about one message a second and channel. */
const RATE_WAIT_S = 1;

const client = createVendorClient({
  vendor: VENDOR,
  baseUrl: (config) => `${baseUrl(config, SLACK_URL)}/api`,
  authorize: ({ config }) => ({ authorization: `Bearer ${configText(config, 'bot_token')}` }),
});

export type SlackCall = {
  /** `chat.postMessage` */
  readonly method: string;
  /** For methods that read. */
  readonly query?: VendorQuery;
  /** For methods that change. */
  readonly body?: JsonObject;
  readonly idempotent?: boolean;
  /** Errors that are an answer here. */
  readonly tolerate?: readonly string[];
};

export type SlackAnswer = {
  readonly data: JsonObject;
  /** One of the tolerated errors, or null for success. */
  readonly error: string | null;
  readonly headers: VendorAnswer['headers'];
};

/** One method of the Web API. Slack says 200 to almost everything: `ok` decides. Throws `VendorError`. */
export async function callSlack(context: ConnectorContext, call: SlackCall): Promise<SlackAnswer> {
  const { body } = call;
  const answer = await client.call(context, {
    path: `/${call.method}`,
    accept: [200],
    ...(call.query === undefined ? {} : { query: call.query }),
    ...(call.idempotent === undefined ? {} : { idempotent: call.idempotent }),
    ...(body === undefined
      ? {}
      : { method: 'POST', json: body, headers: { 'content-type': 'application/json; charset=utf-8' } }),
  });
  const data = objectOf(answer.body);
  if (data.ok === true) return { data, error: null, headers: answer.headers };
  const error = textOf(data, 'error');
  if (data.ok !== false || error === null) {
    throw notItsApi(VENDOR, answer.status);
  }
  if (call.tolerate?.includes(error) === true) return { data, error, headers: answer.headers };
  throw slackError(error, data);
}

function slackError(error: string, data: JsonObject): VendorError {
  const code = (Object.hasOwn(codes, error) ? codes[error] : undefined) ?? 'VENDOR_REJECTED';
  const needed = textOf(data, 'needed');
  const words = clipped(needed === null ? error : `${error}, needs ${needed}`);
  return new VendorError(code, vendorFailed(code, { vendor: VENDOR, words }), {
    retryAfterS: code === 'VENDOR_RATE_LIMITED' ? RATE_WAIT_S : undefined,
    ...(refusals.has(error) ? { outcomeUnknown: false } : {}),
  });
}
