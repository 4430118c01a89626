/**
 * The instance's signing keys, through the guarded egress.
 *
 * None → read (one read at a time, all callers wait for it) → held. Read again for a key id that is not among them and
 * when they are `STALE_AFTER_MS` old, so that a key taken back stops counting; either way at most every
 * `ASK_AGAIN_AFTER_MS`, because anybody can send tokens with made-up key ids. A read that fails leaves what is held for
 * another while, and is OVERLOADED where nothing is held: such a token may well be right. A crash loses nothing.
 */
import type { Egress } from '@airdeck/connector-kit/egress';
import { createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { AppError } from '../../http/app-error.ts';

const ASK_AGAIN_AFTER_MS = 10_000;
const STALE_AFTER_MS = 10 * 60_000;
/** A key that cannot be confirmed for this long is not trusted any more. */
const HELD_AT_MOST_MS = 24 * 3_600_000;
const TIMEOUT_MS = 5_000;
const DOCUMENT_MAX_LENGTH = 256 * 1024;
const KEYS_MAX = 20;

const keySetSchema = z.object({
  keys: z.array(z.custom<JWK>((key) => typeof key === 'object' && key !== null && 'kty' in key)).max(KEYS_MAX),
});

export type ClerkKeys = {
  get: JWTVerifyGetKey;
  knows: (keyId: string) => Promise<boolean>;
  /** True while it is certain, without a read, that there is no such key. */
  lacks: (keyId: string) => boolean;
};

type Dependencies = { egress: Egress; keysUrl: string; now: () => Date };
type Held = { get: JWTVerifyGetKey; ids: ReadonlySet<string>; readAt: number };

export function createClerkKeys(deps: Dependencies): ClerkKeys {
  let held: Held | undefined;
  let reading: Promise<void> | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  const now = () => deps.now().getTime();

  async function read(): Promise<void> {
    triedAt = now();
    try {
      held = { ...(await readKeys(deps)), readAt: now() };
    } catch (cause) {
      if (held !== undefined && now() - held.readAt < HELD_AT_MOST_MS) return;
      held = undefined;
      throw new AppError('OVERLOADED', { cause, retryAfterS: ASK_AGAIN_AFTER_MS / 1000 });
    }
  }

  const isWorthReading = () => reading !== undefined || now() - triedAt >= ASK_AGAIN_AFTER_MS;

  async function current(keyId: string): Promise<Held> {
    const isWanting = held === undefined || !held.ids.has(keyId) || now() - held.readAt >= STALE_AFTER_MS;
    if (isWanting && isWorthReading()) {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      await reading;
    }
    if (held === undefined) throw new AppError('OVERLOADED', { retryAfterS: ASK_AGAIN_AFTER_MS / 1000 });
    return held;
  }

  return {
    knows: async (keyId) => (await current(keyId)).ids.has(keyId),
    lacks: (keyId) => held !== undefined && !held.ids.has(keyId) && !isWorthReading(),
    get: async (header, token) => await (await current(header?.kid ?? '')).get(header, token),
  };
}

async function readKeys({ egress, keysUrl }: Dependencies): Promise<Omit<Held, 'readAt'>> {
  const answer = await egress.request({
    tenant: 'installation',
    method: 'GET',
    url: keysUrl,
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
  });
  if (answer.status !== 200 || answer.text.length > DOCUMENT_MAX_LENGTH) {
    throw new Error(`The signing keys of Clerk could not be read (status ${answer.status}).`);
  }
  const { keys: all } = keySetSchema.parse(JSON.parse(answer.text));
  const keys = all.filter(({ kty, use }) => kty === 'RSA' && (use === undefined || use === 'sig'));
  return { get: createLocalJWKSet({ keys }), ids: new Set(keys.flatMap(({ kid }) => kid ?? [])) };
}
