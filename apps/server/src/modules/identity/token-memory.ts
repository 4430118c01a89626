/**
 * What became of tokens that were checked in full, by their hash: a right one for at most a minute and never beyond its
 * end, a wrong one for a few seconds. Both are bounded, and the oldest entry gives way; what was forgotten is checked
 * again. Tokens themselves are not held, except for the last one, of which more than one thing is asked.
 */
import { hash } from 'node:crypto';

const RIGHT_FOR_MS = 60_000;
const RIGHT_MAX = 10_000;
const WRONG_FOR_MS = 10_000;
const WRONG_MAX = 5_000;

export type TokenMemory<Identity> = {
  /** Undefined for tokens that have to be checked. */
  find(token: string): Identity | 'wrong' | undefined;
  keepRight(token: string, identity: Identity): void;
  keepWrong(token: string): void;
  sizes(): { right: number; wrong: number };
};

export function createTokenMemory<Identity extends { readonly expiresAt: Date }>(deps: {
  now: () => Date;
}): TokenMemory<Identity> {
  const right = new Map<string, { identity: Identity; until: number }>();
  const wrong = new Map<string, number>();
  let last = { token: '', hash: '' };

  function hashOf(token: string): string {
    if (last.token !== token) last = { token, hash: hash('sha256', token, 'base64') };
    return last.hash;
  }

  return {
    find(token) {
      const key = hashOf(token);
      const at = deps.now().getTime();
      const known = right.get(key);
      if (known !== undefined) {
        if (known.until > at) return known.identity;
        right.delete(key);
      }
      return (wrong.get(key) ?? 0) > at ? 'wrong' : undefined;
    },
    keepRight(token, identity) {
      const until = Math.min(identity.expiresAt.getTime(), deps.now().getTime() + RIGHT_FOR_MS);
      putBounded(right, { key: hashOf(token), value: { identity, until }, max: RIGHT_MAX });
    },
    keepWrong(token) {
      putBounded(wrong, { key: hashOf(token), value: deps.now().getTime() + WRONG_FOR_MS, max: WRONG_MAX });
    },
    sizes: () => ({ right: right.size, wrong: wrong.size }),
  };
}

/** The oldest entry gives way. */
function putBounded<V>(map: Map<string, V>, { key, value, max }: { key: string; value: V; max: number }): void {
  if (map.size >= max && !map.has(key)) {
    const oldest = map.keys().next();
    if (!oldest.done) map.delete(oldest.value);
  }
  map.set(key, value);
}
