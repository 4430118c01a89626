/**
 * Access tokens of vendors that give them for a connector's credentials (client credentials, JWT bearer).
 *
 * Kept in memory only, by tenant and a digest of the whole configuration: another tenant, another secret or another address
 * never meets a kept token. One request at a time per key, whoever asks meanwhile waits for it. A token is used until
 * shortly before it expires or a vendor refuses it (`renew`). A crash forgets all of them, which costs one request each.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '@airdeck/contracts/fields';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { ConnectorContext } from './definition.ts';
import { EgressError } from './egress-error.ts';
import type { StatedFailure, VendorAnswer } from './vendor-client.ts';
import { createVendorClient } from './vendor-client.ts';
import { VendorError } from './vendor-error.ts';

export type TokenSourceOptions = {
  /** As people read it: `Okta`. */
  readonly vendor: string;
  /** Absolute address of the token endpoint. */
  tokenUrl(config: JsonObject): string;
  /** Fields of the form, `grant_type` included; an assertion is signed here, with `context.now()`. */
  form(context: ConnectorContext): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  headers?(context: ConnectorContext): Readonly<Record<string, string>>;
  /** Beyond the errors of the OAuth standard, which are known. */
  failure?(answer: VendorAnswer): StatedFailure | undefined;
  /** Certificate authorities in PEM of appliances that have their own. */
  ca?(config: JsonObject): string | undefined;
};

/** `authorize` and `renew` fit `VendorClientOptions`. */
export type TokenSource = {
  /** A token with some life left. Throws `VendorError` or `EgressError`. */
  token(context: ConnectorContext): Promise<string>;
  authorize(context: ConnectorContext): Promise<Readonly<Record<string, string>>>;
  /** Forgets the token these headers carry, if it is still the kept one. Always true: the next one will be another. */
  renew(context: ConnectorContext, headers: Readonly<Record<string, string>>): boolean;
};

type Token = { readonly value: string; readonly usableUntilMs: number };

/** Tokens kept at the same time; the one unused longest gives way. */
const MAX_TOKENS = 2000;
/** Where the vendor does not say how long a token lives. */
const DEFAULT_LIFE_S = 300;
/** A token is not used in the last tenth of its life, at most this long: a call takes time, clocks differ. */
const MARGIN_S = 60;
const REQUEST_TIMEOUT_MS = 15_000;

export function createTokenSource(options: TokenSourceOptions): TokenSource {
  const kept = new Map<string, Token>();
  const underWay = new Map<string, Promise<Token>>();

  function find(key: string, now: Date): Token | undefined {
    const token = kept.get(key);
    if (token === undefined) return undefined;
    kept.delete(key);
    if (token.usableUntilMs <= now.getTime()) return undefined;
    kept.set(key, token);
    return token;
  }

  function keep(key: string, token: Token): void {
    kept.set(key, token);
    const oldest = kept.size > MAX_TOKENS ? kept.keys().next() : undefined;
    if (oldest?.done === false) kept.delete(oldest.value);
  }

  function fetchOnce(key: string, context: ConnectorContext): Promise<Token> {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const started = requestToken(options, context)
      .then((token) => {
        keep(key, token);
        return token;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, started);
    // Whoever waits gets the failure; that all of them gave up meanwhile is not a failure of the process.
    started.catch(() => undefined);
    return started;
  }

  async function token(context: ConnectorContext): Promise<string> {
    const key = fingerprint(context);
    const found = find(key, context.now()) ?? (await untilAborted(fetchOnce(key, context), context.signal));
    return found.value;
  }

  return {
    token,
    authorize: async (context) => ({ authorization: `Bearer ${await token(context)}` }),
    renew(context, headers) {
      const key = fingerprint(context);
      // Only what was refused: a token that somebody else has just fetched stays.
      if (headers.authorization === `Bearer ${kept.get(key)?.value ?? ''}`) kept.delete(key);
      return true;
    },
  };
}

/** Not the caller's signal: others may be waiting for the same token. Not the caller's mark either: nothing is changed. */
async function requestToken(options: TokenSourceOptions, context: ConnectorContext): Promise<Token> {
  const address = tokenAddress(options, context.config);
  const client = createVendorClient({
    vendor: options.vendor,
    baseUrl: () => address.base,
    authorize: () => options.headers?.(context) ?? {},
    failure: (answer) => options.failure?.(answer) ?? oauthFailure(answer),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  const form = await options.form(context);
  const body = await client.object(
    { ...context, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) },
    { method: 'POST', ...address.call, form, reads: true, timeoutMs: REQUEST_TIMEOUT_MS },
  );
  const { access_token: value, expires_in: life } = body;
  // It goes into a header: what could not stand in one is not a token.
  if (typeof value !== 'string' || !/^[\x21-\x7e]{1,16384}$/.test(value)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${options.vendor} answered without a usable access token.`);
  }
  const lifeS = Number(life) > 0 ? Number(life) : DEFAULT_LIFE_S;
  const marginS = Math.min(MARGIN_S, lifeS / 10);
  return { value, usableUntilMs: context.now().getTime() + (lifeS - marginS) * 1000 };
}

type TokenAddress = { base: string; call: { path: string; rawQuery?: string } };

function tokenAddress({ vendor, tokenUrl }: TokenSourceOptions, config: JsonObject): TokenAddress {
  const text = tokenUrl(config);
  if (!URL.canParse(text)) {
    throw new VendorError('CONNECTOR_CONFIG_INVALID', `The address of ${vendor} is not usable.`);
  }
  const { origin, pathname, search } = new URL(text);
  const rawQuery = search.replace(/^\?/, '');
  return { base: origin, call: { path: pathname, ...(rawQuery === '' ? {} : { rawQuery }) } };
}

/** The error codes of RFC 6749, section 5.2. */
function oauthFailure({ status, body }: VendorAnswer): StatedFailure | undefined {
  const { error, error_description: words } = (body ?? {}) as { error?: unknown; error_description?: unknown };
  if (typeof error !== 'string') return undefined;
  const detail = typeof words === 'string' && words !== '' ? words : error;
  const isCredential = ['invalid_client', 'unauthorized_client', 'invalid_grant', 'access_denied'].includes(error);
  if (isCredential) return { code: 'VENDOR_CREDENTIALS_REFUSED', detail };
  return status < 400 ? { code: 'VENDOR_REJECTED', detail } : { detail };
}

/** A digest, so that no secret is a key of a map that shows up in a heap dump or a debugger. */
function fingerprint({ tenant, config }: ConnectorContext): string {
  const fields = Object.entries(config).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([tenant, fields]))
    .digest('base64');
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw cancelled();
  const { promise, reject } = withResolvers<never>();
  const stop = () => reject(cancelled());
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function cancelled(): EgressError {
  return new EgressError('ABORTED', refusal('EGRESS_TOKEN_CANCELLED'));
}

function withResolvers<T>(): { promise: Promise<T>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((_resolve, refuse) => {
    reject = refuse;
  });
  return { promise, reject };
}
