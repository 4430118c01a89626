import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose';

const ASK_AGAIN_AFTER_MS = 10_000;

export type SigningKeys = {
  get: JWTVerifyGetKey;
  /** Whether there is such a key. Costs nothing for known ids, and for unknown ones a read every ten seconds at most. */
  knows(keyId: string): Promise<boolean>;
  /** True while it is certain that there is none: the keys were read a moment ago, and nobody is reading them. */
  lacks(keyId: string): boolean;
  /**
   * False for a token that this key certainly did not sign. Says nothing about anything else in it, and not even that for
   * other keys than Ed25519 ones.
   */
  maySign(keyId: string, token: string): Promise<boolean>;
};

/**
 * Keys of the built-in provider, read from its table. A token with an unknown key makes it read again, but at most every
 * ten seconds, however many tokens ask at once: anybody can send such tokens.
 */
export function createSigningKeys(deps: { load: () => Promise<JSONWebKeySet>; now: () => Date }): SigningKeys {
  let keys: { get: JWTVerifyGetKey; ids: ReadonlySet<string>; ed25519: ReadonlyMap<string, KeyObject> } | undefined;
  let loading: Promise<void> | undefined;
  let loadedAt = Number.NEGATIVE_INFINITY;

  async function load(): Promise<void> {
    loadedAt = deps.now().getTime();
    const set = await deps.load();
    keys = {
      get: createLocalJWKSet(set),
      ids: new Set(set.keys.flatMap(({ kid }) => kid ?? [])),
      ed25519: new Map(set.keys.flatMap((key) => ed25519Key(key))),
    };
  }

  function reload(): Promise<void> {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  function isWorthAsking(): boolean {
    return keys === undefined || loading !== undefined || deps.now().getTime() - loadedAt >= ASK_AGAIN_AFTER_MS;
  }

  async function knows(keyId: string): Promise<boolean> {
    if (keys?.ids.has(keyId) === true) return true;
    if (isWorthAsking()) await reload();
    return keys?.ids.has(keyId) === true;
  }

  return {
    knows,
    lacks: (keyId) => keys?.ids.has(keyId) !== true && !isWorthAsking(),
    async maySign(keyId, token) {
      const key = keys?.ed25519.get(keyId);
      return key === undefined || (await isSignedBy(key, token));
    },
    async get(header, token) {
      if (keys === undefined || (header?.kid !== undefined && !keys.ids.has(header.kid)))
        await knows(header?.kid ?? '');
      if (keys === undefined) throw new Error('The signing keys were not read.');
      return await keys.get(header, token);
    },
  };
}

function ed25519Key(key: JWK): [string, KeyObject][] {
  if (key.kid === undefined || key.kty !== 'OKP' || key.crv !== 'Ed25519' || key.x === undefined) return [];
  return [[key.kid, createPublicKey({ format: 'jwk', key: { kty: key.kty, crv: key.crv, x: key.x } })]];
}

/** Away from the main thread, and without the rest of a full check: most of what a forged token costs. */
async function isSignedBy(key: KeyObject, token: string): Promise<boolean> {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  return await new Promise((resolve, reject) => {
    verify(null, Buffer.from(token.slice(0, end)), key, signature, (error, isRight) => {
      if (error) reject(error);
      else resolve(isRight);
    });
  });
}
