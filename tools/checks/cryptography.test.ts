import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { listFiles } from './source-files.ts';
import { isTestCode } from './test-code.ts';

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
    !isTestCode(path) &&
    // Vendors of the demo and of tests are others' software, played.
    !path.startsWith('packages/simulator/') &&
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

/** The first cells of a table below a heading, without what is in brackets or behind a comma. */
function keysBelow(heading: string): string[] {
  const [, section = ''] = (document?.text ?? '').split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const cells = [...own.matchAll(/^\| ([^|]+?) \|/gm)].map(([, cell = '']) => cell);
  return cells.filter((cell) => !/^(?:Key|-+)$/.test(cell)).map((cell) => cell.replace(/ \(.*|, (?!made).*/, ''));
}

describe('the life of keys', () => {
  it('is told of every key there is', () => {
    const keys = keysBelow('Keys the installation has');
    expect(keys.length).toBeGreaterThan(7);
    expect(keysBelow('The life of a key')).toEqual(keys);
  });
});

/** Its own file, as the server finds it. */
function libraryText(name: string, file: string): string {
  const fromServer = createRequire(new URL('../../apps/server/package.json', import.meta.url));
  return readFileSync(new URL(file, `file://${fromServer.resolve(name)}`), 'utf8');
}

describe('the sign-in library', () => {
  it('enciphers with XChaCha20-Poly1305 under a nonce of its own for each value, and with nothing else', () => {
    const text = libraryText('better-auth/crypto', 'index.mjs');
    const ciphers = [...text.matchAll(/from "(@noble\/ciphers[^"]*|node:crypto)"/g)].map(([, from]) => from);
    expect([...new Set(ciphers)].sort()).toEqual(['@noble/ciphers/chacha.js', '@noble/ciphers/utils.js']);
    expect([...text.matchAll(/(\w+)\(xchacha20poly1305\)/g)].map(([, how]) => how)).toEqual([
      'managedNonce',
      'managedNonce',
    ]);
    expect(text).not.toMatch(/\b(?:aes|gcm|cbc|ecb|ctr|siv)\w*\(/i);
  });

  it('lets the platform make the keys of tokens, by the algorithm that is asked for', () => {
    const [provider] = listFiles(/^apps\/server\/src\/modules\/identity\/sign-in-provider\.ts$/);
    expect(provider?.text).toContain("keyPairConfig: { alg: 'EdDSA', crv: 'Ed25519' }");
    expect(libraryText('better-auth/plugins/jwt', 'utils.mjs')).toMatch(
      /import \{[^}]*generateKeyPair[^}]*\} from "jose"/,
    );
    expect(libraryText('jose', './key/generate_key_pair.js')).toMatch(/crypto\.subtle\.generateKey\(/);
  });
});
