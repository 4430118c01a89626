import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

const ASK_AGAIN_AFTER_MS = 10_000;

export type SigningKeys = {
  get: JWTVerifyGetKey;
  /** Whether there is such a key. Costs nothing for known ids, and for unknown ones a read every ten seconds at most. */
  knows(keyId: string): Promise<boolean>;
};

/**
 * Keys of the built-in provider, read from its table. A token with an unknown key makes it read again, but at most every
 * ten seconds, however many tokens ask at once: anybody can send such tokens.
 */
export function createSigningKeys(deps: { load: () => Promise<JSONWebKeySet>; now: () => Date }): SigningKeys {
  let keys: { get: JWTVerifyGetKey; ids: ReadonlySet<string> } | undefined;
  let loading: Promise<void> | undefined;
  let loadedAt = Number.NEGATIVE_INFINITY;

  async function load(): Promise<void> {
    loadedAt = deps.now().getTime();
    const set = await deps.load();
    keys = { get: createLocalJWKSet(set), ids: new Set(set.keys.flatMap(({ kid }) => kid ?? [])) };
  }

  function reload(): Promise<void> {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  async function knows(keyId: string): Promise<boolean> {
    if (keys?.ids.has(keyId) === true) return true;
    const mayAsk = keys === undefined || deps.now().getTime() - loadedAt >= ASK_AGAIN_AFTER_MS;
    if (mayAsk || loading !== undefined) await reload();
    return keys?.ids.has(keyId) === true;
  }

  return {
    knows,
    async get(header, token) {
      if (keys === undefined || (header?.kid !== undefined && !keys.ids.has(header.kid)))
        await knows(header?.kid ?? '');
      if (keys === undefined) throw new Error('The signing keys were not read.');
      return await keys.get(header, token);
    },
  };
}
