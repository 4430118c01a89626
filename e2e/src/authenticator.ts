import { createHmac } from 'node:crypto';

const PERIOD_S = 30;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** An authenticator app for tests (RFC 6238). Gives each code once, as the server takes each once. */
export type Authenticator = { nextCode(): string };

/** `secret` is base32, as the set-up shows it; blanks in it are left out. */
export function createAuthenticator(secret: string): Authenticator {
  const key = fromBase32(secret.replace(/\s/g, ''));
  let last = 0;
  return {
    nextCode() {
      const present = Math.floor(Date.now() / 1000 / PERIOD_S);
      const step = Math.max(present, last + 1);
      // The server takes one step ahead; a third code within half a minute means that the test needs another person.
      if (step > present + 1) throw new Error('All codes the server would take now were used.');
      last = step;
      return codeOf(key, step);
    },
  };
}

function codeOf(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
