import { describe, expect, it } from 'vitest';
import { listFiles } from './source-files.ts';
import { isTestCode } from './test-code.ts';

type Danger = {
  what: string;
  pattern: RegExp;
  /** One of each, so that a pattern that finds nothing any more is noticed. */
  found: readonly string[];
  /** Where it is needed, and why that is safe. */
  allowed: Readonly<Record<string, string>>;
};

const dangers: readonly Danger[] = [
  {
    what: 'random numbers that can be foretold',
    pattern: /\bMath\.random\b/,
    found: ['Math.random()'],
    allowed: {
      'apps/dashboard/src/features/auth/validate-user.ts': 'spreads waits',
      'apps/dashboard/src/features/onboarding/setting-up-page.tsx': 'spreads waits',
      'apps/server/src/modules/actions/own-store.ts': 'spreads waits',
      'apps/server/src/modules/ingestion/overloaded.ts': 'spreads waits',
      'packages/api-client/src/event-stream.ts': 'spreads waits',
    },
  },
  {
    what: 'hashes that are broken',
    // `hash` is a name of our own functions as well: only where it comes from the platform, under whatever name.
    pattern:
      /\bcreate(?:Hash|Hmac)\(\s*(?!['"`]sha(?:256|384|512)['"`])|\{[^{}]*\bhash\b(?! as)[^{}]*\} from ['"](?:node:)?crypto['"][\s\S]*(?<!\.)\bhash\(\s*(?!['"`]sha(?:256|384|512)['"`])|\{[^{}]*\bhash as\b[^{}]*\} from ['"](?:node:)?crypto['"]|\bcrypto\.hash\(|\bsubtle\.digest\(\s*(?!['"`]SHA-(?:256|384|512)['"`])/,
    found: [
      "createHash('md5')",
      "createHmac('sha1', key)",
      "import { hash } from 'node:crypto';\nhash('md5', token)",
      "import { hash, randomBytes } from 'node:crypto';\nhash('sha256', token); hash( name, token)",
      "import {\n  hash as digest,\n} from 'crypto';",
      "subtle.digest('SHA-1', bytes)",
      'createHash(name)',
    ],
    allowed: {
      'apps/server/src/modules/identity/totp.ts': 'RFC 6238: authenticator apps know nothing else',
      'apps/cli/src/totp.ts': 'the same, for the demo',
    },
  },
  {
    what: 'ciphers outside of the module that seals',
    pattern: /\bcreate(?:Cipher|Decipher)(?:iv)?\b/,
    found: ["createCipheriv('aes-256-gcm', key, iv)"],
    allowed: { 'packages/connector-kit/src/secrets.ts': 'AES-256-GCM' },
  },
  {
    what: 'random bytes of fewer than sixteen',
    pattern: /\brandomBytes\(\s*(?:\d|1[0-5])\s*\)|\bconst (\w+) = (?:\d|1[0-5]);[\s\S]*\brandomBytes\(\s*\1\b/,
    found: ['randomBytes(8)'],
    allowed: {
      'apps/server/src/compose-work.ts': 'spreads waits',
      'apps/server/src/modules/connectors/key-file.ts': 'names of drafts',
      'apps/server/src/modules/identity/mail-codes.ts': 'eight digits for people to type, with five guesses',
      'apps/server/src/modules/notifications/notifications-module.ts': 'names versions',
      'packages/simulator/src/sandbox/aws-data.ts': 'ids, as long as those of the vendor',
    },
  },
  {
    what: 'cryptography that is neither the platform’s nor that of a library of identity',
    pattern:
      /(?:from|import|require)\s*\(?\s*['"](?:crypto-js|node-forge|tweetnacl|elliptic|sjcl|jsrsasign|bcryptjs?|argon2|libsodium[\w-]*|@noble\/[\w-]+|jsonwebtoken|otplib|speakeasy)['"/]/,
    found: ["import { sign } from 'jsonwebtoken'"],
    allowed: {},
  },
  {
    what: 'keys that are made outside of the libraries of identity',
    pattern: /\bgenerateKey(?:Pair)?(?:Sync)?\b/,
    found: ["generateKeyPairSync('rsa')"],
    allowed: {
      'apps/server/src/entry/self-made-identity.ts': 'P-256, for trying encrypted syslog on one’s own machine',
      'packages/simulator/src/sandbox/openid-issuer.ts': 'RSA of 2,048 bits, for the issuer of the demo',
    },
  },
  {
    what: 'text that becomes code',
    pattern:
      /(?<![\w.])Function\s*\(|(?<![\w.])eval\s*\(|globalThis\.(?:eval|Function)\b|(?:from|import|require)\s*\(?\s*['"](?:node:)?vm['"]/,
    found: ['new Function("return 1")', 'eval(text)', "import { runInContext } from 'node:vm'"],
    allowed: {},
  },
  {
    what: 'programs that are started',
    pattern: /['"](?:node:)?child_process['"]/,
    found: ["import { spawn } from 'node:child_process'"],
    allowed: {
      'apps/server/src/storage/embedded-events.ts': 'our own entry for the event store',
      'apps/server/src/storage/embedded-postgres.ts': 'the database we bring',
      'apps/server/src/storage/postgres-cluster.ts': 'the database we bring, through one fixed line of the shell',
      'apps/server/src/storage/postgres-orphan.ts': 'stops a database an earlier run left behind',
      'apps/server/src/storage/process-identity.ts': 'ps, by a number we wrote ourselves',
      'apps/cli/src/tool.ts': 'our own server',
    },
  },
  {
    what: 'markup made of text',
    pattern:
      /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|srcDoc|createContextualFragment)\b|\bdocument\.write/,
    found: ['element.innerHTML = text', '<p dangerouslySetInnerHTML={html} />'],
    allowed: {},
  },
];

/** Comments are searched as well, so that none can hide a call. What runs for people; not what tests and measures it, nor payloads of attacks that are only data. */
const sources = listFiles(/^(?:apps|packages)\/[^/]+\/src\/.*\.tsx?$/).filter(({ path }) => !isTestCode(path));

it.each(dangers)('finds $what', ({ pattern, found }) => {
  expect(found).not.toEqual([]);
  expect(found.filter((code) => !pattern.test(code))).toEqual([]);
});

it.each([
  "import { hash } from 'node:crypto';\nhash('sha256', token)",
  "import { randomBytes } from 'node:crypto';\nhash(name)",
  "import { hash } from './places.ts';\nhash(name)",
])('takes no function of our own for a hash that is broken: %s', (code) => {
  expect(dangers.filter(({ pattern }) => pattern.test(code))).toEqual([]);
});

describe.each(dangers)('the product has no $what', ({ pattern, allowed }) => {
  it('but where the table says why', () => {
    expect(sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual(
      Object.keys(allowed).toSorted(),
    );
  });
});
