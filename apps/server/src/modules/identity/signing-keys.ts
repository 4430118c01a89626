import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

const ASK_AGAIN_AFTER_MS = 10_000;

/**
 * Keys of the built-in provider, read from its table. A token with an unknown key makes it read again, but at most every
 * ten seconds: anybody can send such tokens.
 */
export function createSigningKeys(deps: { load: () => Promise<JSONWebKeySet>; now: () => Date }): JWTVerifyGetKey {
  let keys: JWTVerifyGetKey | undefined;
  let loadedAt = Number.NEGATIVE_INFINITY;

  async function reload(): Promise<JWTVerifyGetKey> {
    loadedAt = deps.now().getTime();
    keys = createLocalJWKSet(await deps.load());
    return keys;
  }

  return async (header, token) => {
    try {
      return await (keys ?? (await reload()))(header, token);
    } catch (error) {
      const mayReload = deps.now().getTime() - loadedAt >= ASK_AGAIN_AFTER_MS;
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayReload) throw error;
      return await (await reload())(header, token);
    }
  };
}
