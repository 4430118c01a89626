import { createHash } from 'node:crypto';
import { createKeyedSecrets } from '../../http/keyed-secrets.ts';

const PREFIX = 'src_';
const BYTES = 32;
const TOKEN = /^src_[A-Za-z0-9_-]{43}$/;

/** 256 random bits; kept only as a hash, which needs no salt at that length. */
export function newSourceToken(randomBytes: (count: number) => Buffer): string {
  return `${PREFIX}${randomBytes(BYTES).toString('base64url')}`;
}

/** Tokens that the same request makes again. */
export function createKeyedTokens(secret: string): (sourceId: string, idempotencyKey: string) => string {
  const secrets = createKeyedSecrets(secret, 'source tokens');
  return (sourceId, idempotencyKey) => `${PREFIX}${secrets(sourceId, idempotencyKey)}`;
}

/** Undefined for what cannot be a token, so that garbage costs no query. */
export function hashSourceToken(token: string): Buffer | undefined {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest() : undefined;
}

export function sourceTokenHint(token: string): string {
  return token.slice(-4);
}
