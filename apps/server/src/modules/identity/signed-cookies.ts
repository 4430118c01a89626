/**
 * Cookies signed the way the sign-in provider signs its session cookie (value, dot, base64 HMAC-SHA-256, URI-encoded),
 * so that either side reads what the other wrote. On https only names with the `__Host-` prefix count: without it another
 * host of the same domain could plant one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const VALUE_MAX_LENGTH = 2000;

export type SignedCookies = {
  /** What the cookie of that name holds; undefined when it is not there or not signed by us. */
  read(header: string | undefined, name: string): string | undefined;
  /** A `Set-Cookie` line: HttpOnly, SameSite=Lax, for this host only. */
  write(name: string, value: string, maxAgeS: number): string;
  /** A `Set-Cookie` line that removes it. */
  clear(name: string): string;
};

export function createSignedCookies(deps: { secret: string; secure: boolean }): SignedCookies {
  const fullName = (name: string) => (deps.secure ? `__Host-${name}` : name);
  const attributes = `Path=/; HttpOnly;${deps.secure ? ' Secure;' : ''} SameSite=Lax`;
  const signatureOf = (value: string) => createHmac('sha256', deps.secret).update(value).digest();

  return {
    read(header, name) {
      const text = decoded(cookieText(header, fullName(name)));
      const dot = text?.lastIndexOf('.') ?? -1;
      if (text === undefined || dot < 1) return undefined;
      const value = text.slice(0, dot);
      const given = Buffer.from(text.slice(dot + 1), 'base64');
      const expected = signatureOf(value);
      return given.length === expected.length && timingSafeEqual(given, expected) ? value : undefined;
    },
    write(name, value, maxAgeS) {
      const signed = encodeURIComponent(`${value}.${signatureOf(value).toString('base64')}`);
      return `${fullName(name)}=${signed}; Max-Age=${Math.max(0, Math.floor(maxAgeS))}; ${attributes}`;
    },
    clear: (name) => `${fullName(name)}=; Max-Age=0; ${attributes}`,
  };
}

/** The first cookie of that name counts, as for the provider. */
function cookieText(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const pair = part.trim();
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals) === name) return pair.slice(equals + 1);
  }
  return undefined;
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined || text.length > VALUE_MAX_LENGTH) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
