/**
 * Thin clients of vendors' HTTP APIs: what every one of them needs and none should write again.
 *
 * A call goes below the configured base address and nowhere else; credentials are added last, so no call can replace them.
 * An answer is judged in this order: statuses the call accepts → not JSON where JSON was due → the vendor's own words for a
 * failure (also one inside HTTP 200) → the HTTP status. A 401 renews the credential once where there is something to renew.
 */

import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject } from '@airdeck/contracts/json-object';
import type { ConnectorContext } from './definition.ts';
import type { EgressRequest, EgressResponse } from './egress.ts';
import { callOfLink } from './paging.ts';
import { rateLimitWaitS } from './rate-limit.ts';
import { createRedactor } from './redaction.ts';
import { callUrl, encodeQuery } from './vendor-address.ts';
import { clipped, notItsApi, parsed, vendorFailed } from './vendor-answer.ts';
import type { VendorErrorCode } from './vendor-error.ts';
import { codeForStatus, isTurnedAway, VendorError } from './vendor-error.ts';

export type VendorQuery = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export type VendorCall = {
  /** Default GET. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with `/`, below the base address; segments that hold data are encoded by `segment`. */
  readonly path: string;
  readonly query?: VendorQuery;
  /** A query as a vendor gave it in a paging link, already encoded; goes out untouched, before `query`. */
  readonly rawQuery?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** At most one of `json`, `form` and `text`. */
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly text?: string;
  /** A POST that only asks (a search, a look-up of many ids): not marked as a change, and repeated with a fresh token. */
  readonly reads?: boolean;
  /** Twice leaves the vendor as once would: a change that may be repeated with a fresh token. */
  readonly idempotent?: boolean;
  /** HTTP statuses that are an answer here although they are failures elsewhere: 404 of a look-up. */
  readonly accept?: readonly number[];
  /** What a good answer is. `text` for XML and plain words. Default `json`; an empty body is fine in both. */
  readonly answers?: 'json' | 'text';
  /** Whole call in milliseconds; can only shorten the egress module's limit. */
  readonly timeoutMs?: number;
};

export type VendorAnswer = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined when the body is empty or not JSON. */
  readonly body: unknown;
  readonly text: string;
};

/** `code` undefined: by the HTTP status, or `VENDOR_REJECTED` when that says success. */
export type StatedFailure = {
  readonly code?: VendorErrorCode;
  readonly detail?: string;
  readonly retryAfterS?: number;
};

export type VendorClientOptions = {
  /** As people read it: `Okta`. */
  readonly vendor: string;
  /** Absolute, without a slash at its end. */
  baseUrl(config: JsonObject): string;
  /** Headers that carry the credentials. */
  authorize(context: ConnectorContext): Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
  /** Query fields that carry credentials, for vendors that want them there. Added last; never part of a message. */
  authorizeQuery?(context: ConnectorContext): Readonly<Record<string, string>>;
  /**
   * Told after a 401; true when the next `authorize` gives another credential. Then reads and idempotent changes are
   * tried once more. `headers` are those that were refused.
   */
  renew?(context: ConnectorContext, headers: Readonly<Record<string, string>>): boolean;
  /** The vendor's own words and code for a failure, also one inside HTTP 200. Undefined: no failure. */
  failure?(answer: VendorAnswer): StatedFailure | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Certificate authorities in PEM of appliances that have their own. */
  ca?(config: JsonObject): string | undefined;
};

export type VendorClient = {
  /** Throws `VendorError` or `EgressError`. */
  call(context: ConnectorContext, call: VendorCall): Promise<VendorAnswer>;
  /** The body, which must be an object. */
  object(context: ConnectorContext, call: VendorCall): Promise<JsonObject>;
  /** The body, which must be an array of objects. */
  list(context: ConnectorContext, call: VendorCall): Promise<readonly JsonObject[]>;
  /** Where an address that the vendor gave leads; throws `VENDOR_ANSWER_UNREADABLE` when that is not below the base. */
  linked(context: ConnectorContext, target: string): Pick<VendorCall, 'path' | 'rawQuery'>;
};

export function createVendorClient(options: VendorClientOptions): VendorClient {
  const { vendor } = options;

  async function send(context: ConnectorContext, call: VendorCall): Promise<VendorAnswer> {
    const credentials = await options.authorize(context);
    const answer = await context.egress.request(requestOf(options, context, call, credentials));
    const mayRepeat = (call.method ?? 'GET') === 'GET' || call.reads === true || call.idempotent === true;
    if (answer.status !== 401 || options.renew === undefined || call.accept?.includes(401) === true) {
      return judged(options, context, call, { answer, credentials });
    }
    const renewed = options.renew(context, credentials);
    if (!renewed || !mayRepeat) return judged(options, context, call, { answer, credentials });
    const fresh = await options.authorize(context);
    const second = await context.egress.request(requestOf(options, context, call, fresh));
    // The last word of a vendor that refuses a fresh credential too: whoever asks next must not be given it.
    if (second.status === 401) options.renew(context, fresh);
    return judged(options, context, call, { answer: second, credentials: fresh });
  }

  return {
    call: send,
    async object(context, call) {
      const { body, status } = await send(context, call);
      if (isJsonObject(body)) return body;
      throw notItsApi(vendor, status);
    },
    async list(context, call) {
      const { body, status } = await send(context, call);
      if (Array.isArray(body) && body.every(isJsonObject)) return body;
      throw notItsApi(vendor, status);
    },
    linked: ({ config }, target) => callOfLink({ vendor, base: options.baseUrl(config), target }),
  };
}

function requestOf(
  options: VendorClientOptions,
  context: ConnectorContext,
  call: VendorCall,
  credentials: Readonly<Record<string, string>>,
): EgressRequest {
  const ca = options.ca?.(context.config);
  const payload = payloadOf(call);
  return {
    tenant: context.tenant,
    method: call.method ?? 'GET',
    url: callUrl({
      vendor: options.vendor,
      base: options.baseUrl(context.config),
      call: { ...call, query: { ...call.query, ...options.authorizeQuery?.(context) } },
    }),
    headers: mergedHeaders([
      { accept: 'application/json' },
      options.headers,
      payload === undefined ? undefined : { 'content-type': payload.type },
      call.headers,
      credentials,
    ]),
    ...(payload === undefined ? {} : { body: payload.body }),
    ...(call.reads === true ? { reads: true } : {}),
    ...(ca === undefined || ca === '' ? {} : { ca }),
    ...(call.timeoutMs === undefined ? {} : { timeoutMs: call.timeoutMs }),
    signal: context.signal,
  };
}

/** Later ones win, whatever the case of their names: two spellings of `authorization` must not both go out. */
function mergedHeaders(parts: readonly (Readonly<Record<string, string>> | undefined)[]): Record<string, string> {
  const merged = new Map<string, string>();
  for (const part of parts) {
    for (const [name, value] of Object.entries(part ?? {})) {
      // A value that would end its header line never gets as far as the socket, and is never quoted.
      if (hasControl(value)) {
        throw new VendorError('VENDOR_REJECTED', `The value for the header "${clipped(name)}" cannot be sent.`);
      }
      merged.set(name.toLowerCase(), value);
    }
  }
  return Object.fromEntries(merged);
}

function payloadOf(call: VendorCall): { type: string; body: string } | undefined {
  const given = [call.json, call.form, call.text].filter((one) => one !== undefined);
  if (given.length > 1) throw new TypeError('A call has at most one of json, form and text.');
  if (call.json !== undefined) return { type: 'application/json', body: JSON.stringify(call.json) };
  if (call.form !== undefined) return { type: 'application/x-www-form-urlencoded', body: encodeQuery(call.form) };
  if (call.text !== undefined) return { type: 'text/plain; charset=utf-8', body: call.text };
  return undefined;
}

type Received = { answer: EgressResponse; credentials: Readonly<Record<string, string>> };

function judged(
  options: VendorClientOptions,
  context: ConnectorContext,
  call: VendorCall,
  { answer: raw, credentials }: Received,
): VendorAnswer {
  const { vendor } = options;
  const body = parsed(raw.text);
  const answer: VendorAnswer = { status: raw.status, headers: raw.headers, body, text: raw.text };
  if (call.accept?.includes(raw.status) === true) return answer;
  const isUnreadable = call.answers !== 'text' && body === undefined && raw.text.trim() !== '';
  if (isUnreadable && raw.status < 400) throw notItsApi(vendor, raw.status);
  const stated = options.failure?.(answer);
  const code = stated?.code ?? codeForStatus(raw.status) ?? (stated === undefined ? undefined : 'VENDOR_REJECTED');
  if (code === undefined) return answer;
  // Vendors quote what they were sent, tokens included; the connector's own secrets are taken out by whoever shows it.
  const sent = { ...credentials, ...options.authorizeQuery?.(context) };
  const detail = clipped(createRedactor(tokensOf(sent))(stated?.detail ?? ''));
  // Some vendors tell when their window opens again with every answer; only to one that used it up is that a time to wait.
  const windowS = code === 'VENDOR_RATE_LIMITED' ? rateLimitWaitS(raw.headers, context.now()) : undefined;
  throw new VendorError(code, vendorFailed(code, { vendor, status: raw.status, words: detail }), {
    retryAfterS: stated?.retryAfterS ?? raw.retryAfterS ?? windowS,
    ...(isTurnedAway(raw) ? { outcomeUnknown: false } : {}),
  });
}

function tokensOf(credentials: Readonly<Record<string, string>>): string[] {
  return Object.values(credentials).flatMap((value) => [value, ...value.split(' ').slice(1)]);
}

function hasControl(text: string): boolean {
  return /[\r\n\0]/.test(text);
}
