import { createHash } from 'node:crypto';

/** How long a token still counts after it was replaced: calls of other tabs under way, or an answer that got lost. */
export const ROTATION_GRACE_MS = 30_000;

/** Replaced tokens are kept as hashes only. The token is random, so a slow hash would add nothing. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
