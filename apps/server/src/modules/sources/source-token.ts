import { createHash } from 'node:crypto';

const PREFIX = 'src_';
const BYTES = 32;
const TOKEN = /^src_[A-Za-z0-9_-]{43}$/;

/** 256 random bits; shown once and kept only as a hash, which needs no salt at that length. */
export function newSourceToken(randomBytes: (count: number) => Buffer): string {
  return `${PREFIX}${randomBytes(BYTES).toString('base64url')}`;
}

/** Undefined for what cannot be a token, so that garbage costs no query. */
export function hashSourceToken(token: string): Buffer | undefined {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest() : undefined;
}

export function sourceTokenHint(token: string): string {
  return token.slice(-4);
}
