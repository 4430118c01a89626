import { describe, expect, it } from 'vitest';
import { isTest } from './imports.ts';
import { listFiles } from './source-files.ts';

/** Random bytes are everywhere and need no entry: how long they have to be is checked with the dangerous calls. */
const uses: readonly RegExp[] = [
  /import (?!type)[^;]*\b(?:createHash|createHmac|createCipheriv|createDecipheriv|hash|hkdfSync)\b[^;]*'node:crypto'/,
  /import (?!type)[^;]*\b(?:sign|verify|timingSafeEqual|X509Certificate|scrypt\w*|pbkdf2\w*)\b[^;]*'node:crypto'/,
  /import (?!type)[^;]*\b(?:generateKeyPairSync|createPrivateKey|createPublicKey)\b[^;]*'node:crypto'/,
  /import (?!type)[^;]*'node:tls'|\bminVersion\b/,
  /import [^;]*'(?:better-auth\/crypto|jose|openid-client|@simplewebauthn\/server|aws4fetch|@aws-crypto\/[\w-]+)'/,
  /\bcrypto\.subtle\b|\bcontext\.password\b/,
];

function usesCryptography(text: string): boolean {
  return uses.some((use) => use.test(text));
}

const users = listFiles(/^(?:apps|packages)\/[^/]+\/src\/.*\.tsx?$/).filter(
  ({ path, text }) =>
    !isTest(path) &&
    // Vendors of the demo and of tests are others' software, played.
    !path.startsWith('packages/simulator/') &&
    !/(?:-stand-in|-fixture)\.ts$|\/testing\/|\/test-[\w-]+\.ts$/.test(path) &&
    usesCryptography(text),
);

const [document] = listFiles(/^docs\/cryptography\.md$/);

describe('the list of cryptography', () => {
  it('looks for what is used', () => {
    const found = [
      "import { createHmac } from 'node:crypto';",
      "import { a } from 'x';\nimport { jwtVerify } from 'jose';",
    ];
    expect(found.map(usesCryptography)).toEqual([true, true]);
    expect(usesCryptography("import { randomBytes } from 'node:crypto';\nimport { sign } from './links.ts';")).toBe(
      false,
    );
    expect(users.length).toBeGreaterThan(50);
  });

  it('names every file that uses any', () => {
    const named = new Set([...(document?.text ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    const paths = users.map(({ path }) => path);
    expect(paths.filter((path) => !named.has(path))).toEqual([]);
    expect([...named].filter((name) => /^(?:apps|packages)\//.test(name ?? '') && !paths.includes(name ?? ''))).toEqual(
      [],
    );
  });
});
