import { createHash, createHmac, hkdfSync } from 'node:crypto';

const PREFIX = 'src_';
const BYTES = 32;
const TOKEN = /^src_[A-Za-z0-9_-]{43}$/;

/** 256 random bits; shown once and kept only as a hash, which needs no salt at that length. */
export function newSourceToken(randomBytes: (count: number) => Buffer): string {
  return `${PREFIX}${randomBytes(BYTES).toString('base64url')}`;
}

/**
 * Tokens that the same request makes again: of the installation's secret and the caller's Idempotency-Key, which is kept
 * nowhere, so that only the caller can ask for one again.
 */
export function createKeyedTokens(secret: string): (sourceId: string, idempotencyKey: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'source tokens', BYTES));
  return (sourceId, idempotencyKey) => {
    const made = JSON.stringify([sourceId, idempotencyKey]);
    return `${PREFIX}${createHmac('sha256', key).update(made).digest('base64url')}`;
  };
}

/** Undefined for what cannot be a token, so that garbage costs no query. */
export function hashSourceToken(token: string): Buffer | undefined {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest() : undefined;
}

export function sourceTokenHint(token: string): string {
  return token.slice(-4);
}
