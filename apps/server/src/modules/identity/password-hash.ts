/**
 * Hashes of passwords: scrypt, with what it cost written into the hash, in the PHC string format. Hashes of releases until
 * 1.14.2 have no cost in them (`salt:key`, as the sign-in library makes them) and are verified with the one they were made with.
 *
 * Verifying always takes the work of a new hash: a cheaper one is followed by the rest of the work, whose result is thrown
 * away. So an account of long ago takes as long as one that does not exist, for which a hash is made.
 */
import { scrypt, timingSafeEqual } from 'node:crypto';

/** Memory is 128 · n · r bytes, work n · r · p. */
export type PasswordCost = { readonly n: number; readonly r: number; readonly p: number };

/** One of those OWASP names in its cheat sheet on storing passwords: 32 MiB. */
export const presentCost: PasswordCost = { n: 2 ** 15, r: 8, p: 3 };
/** As the library has it: 32 MiB, a third of the work. */
export const olderCost: PasswordCost = { n: 2 ** 14, r: 16, p: 1 };

const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** What is written into a hash never makes a process take more than this. */
const MEMORY_MAX_BYTES = 64 * 2 ** 20;

const PRESENT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;
const OLDER = /^([0-9a-f]{32}):([0-9a-f]{128})$/;

export type PasswordHashes = {
  make(password: string): Promise<string>;
  /** False also for what is no hash. Takes at least the work of a new one. */
  verify(hash: string, password: string): Promise<boolean>;
  /** Whether a hash made now would cost more. */
  isCheap(hash: string): Promise<boolean>;
};

type Dependencies = {
  /** What a new hash costs now. */
  cost: () => Promise<PasswordCost>;
  randomBytes: (size: number) => Buffer;
};

export function createPasswordHashes({ cost, randomBytes }: Dependencies): PasswordHashes {
  return {
    async make(password) {
      const wanted = await cost();
      if (wanted === olderCost) {
        const salt = randomBytes(SALT_BYTES).toString('hex');
        return `${salt}:${(await derive(password, { salt, bytes: 64, cost: olderCost })).toString('hex')}`;
      }
      const salt = randomBytes(SALT_BYTES);
      const key = await derive(password, { salt, bytes: KEY_BYTES, cost: wanted });
      return `$scrypt$ln=${Math.log2(wanted.n)},r=${wanted.r},p=${wanted.p}$${unpadded(salt)}$${unpadded(key)}`;
    },
    async verify(hash, password) {
      const wanted = await cost();
      const kept = parse(hash);
      if (kept === undefined) {
        await derive(password, { salt: randomBytes(SALT_BYTES), bytes: KEY_BYTES, cost: wanted });
        return false;
      }
      const key = await derive(password, { ...kept, bytes: kept.key.length });
      const rest = restOf(kept.cost, wanted);
      if (rest !== undefined) await derive(password, { ...kept, bytes: KEY_BYTES, cost: rest });
      return timingSafeEqual(key, kept.key);
    },
    async isCheap(hash) {
      const kept = parse(hash);
      return kept !== undefined && workOf(kept.cost) < workOf(await cost());
    },
  };
}

/** What must still be done after a hash of that cost to have done the work of `wanted`. */
export function restOf(done: PasswordCost, wanted: PasswordCost): PasswordCost | undefined {
  const p = Math.round((workOf(wanted) - workOf(done)) / (done.n * done.r));
  return p > 0 ? { ...done, p } : undefined;
}

export function workOf({ n, r, p }: PasswordCost): number {
  return n * r * p;
}

type Kept = { salt: string | Buffer; key: Buffer; cost: PasswordCost };

function parse(hash: string): Kept | undefined {
  const older = OLDER.exec(hash);
  // The library hashes with the letters of the salt, not with the bytes they stand for.
  if (older !== null) return { salt: older[1] ?? '', key: Buffer.from(older[2] ?? '', 'hex'), cost: olderCost };
  const [, ln, r, p, salt, key] = PRESENT.exec(hash) ?? [];
  if (salt === undefined || key === undefined) return undefined;
  const cost = { n: 2 ** Number(ln), r: Number(r), p: Number(p) };
  if (memoryOf(cost) > MEMORY_MAX_BYTES || cost.n < 2 || cost.r < 1 || cost.p < 1) return undefined;
  return { salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64'), cost };
}

function memoryOf({ n, r }: PasswordCost): number {
  return 128 * n * r;
}

function derive(
  password: string,
  { salt, bytes, cost }: { salt: string | Buffer; bytes: number; cost: PasswordCost },
): Promise<Buffer> {
  const { n: N, r, p } = cost;
  return new Promise((resolve, reject) => {
    // One form for what looks the same, as NIST SP 800-63B asks for it. The platform's own bound has room for nothing besides.
    const options = { N, r, p, maxmem: 2 * memoryOf(cost) + 128 * r * p };
    scrypt(password.normalize('NFKC'), salt, bytes, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
