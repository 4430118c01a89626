import { createHmac, timingSafeEqual } from 'node:crypto';

export const TOTP_PERIOD_S = 30;
const DIGITS = 6;
/** One step of clock difference either way. */
export const TOTP_WINDOW = 1;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const SECRET_LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const SECRET_LENGTH = 32;

/**
 * The step whose code this is, or undefined (RFC 6238). All steps of the window are compared, in constant time each.
 * `key` is the secret as stored: printable characters that are the bytes of the key.
 */
export function matchingStep(key: string, code: string, now: Date): number | undefined {
  const current = Math.floor(now.getTime() / 1000 / TOTP_PERIOD_S);
  let matched: number | undefined;
  for (let step = current - TOTP_WINDOW; step <= current + TOTP_WINDOW; step++) {
    if (equals(code, totpCode(key, step))) matched = step;
  }
  return matched;
}

export function totpCode(key: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/** A secret as authenticator apps take it. Its bytes are letters and digits, because the store keeps them as text. */
export function newTotpSecret(randomBytes: (size: number) => Buffer): string {
  const letters: string[] = [];
  while (letters.length < SECRET_LENGTH) {
    for (const byte of randomBytes(SECRET_LENGTH)) {
      // The remainder of a byte would prefer some letters: those beyond the last full round are thrown away.
      const letter = byte < 248 ? SECRET_LETTERS[byte % SECRET_LETTERS.length] : undefined;
      if (letter !== undefined && letters.length < SECRET_LENGTH) letters.push(letter);
    }
  }
  return toBase32(Buffer.from(letters.join('')));
}

/** What authenticator apps read from a QR code. `secret` is base32. */
export function totpUri(options: { issuer: string; account: string; secret: string }): string {
  const label = [options.issuer, options.account].map(encodeURIComponent).join(':');
  const parameters = {
    secret: options.secret,
    issuer: options.issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(TOTP_PERIOD_S),
  };
  // Apps take a plus sign for itself, not for a blank.
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `otpauth://totp/${label}?${query.join('&')}`;
}

export function toBase32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** The key of a base32 secret. Throws for anything else, and for keys the store could not keep as text. */
export function keyOfSecret(secret: string): string {
  const letters = secret.toUpperCase().replace(/[\s=]/g, '');
  const bits = [...letters].map((letter) => {
    const value = ALPHABET.indexOf(letter);
    if (value < 0) throw new Error('A TOTP secret is base32: letters A to Z and digits 2 to 7.');
    return value.toString(2).padStart(5, '0');
  });
  const key = (bits.join('').match(/.{8}/g) ?? [])
    .map((byte) => String.fromCharCode(Number.parseInt(byte, 2)))
    .join('');
  if (key.length < 16 || !/^[\x20-\x7e]+$/.test(key)) {
    throw new Error('A TOTP secret must be made by newTotpSecret: at least 16 printable bytes.');
  }
  return key;
}

/** Bytes, not characters, are compared: digits of other scripts take more of them. */
function equals(a: string, b: string): boolean {
  const [given, expected] = [Buffer.from(a), Buffer.from(b)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
