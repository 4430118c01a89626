/**
 * Recovery codes. Of a code only its SHA-256 is kept, in the enciphered list the sign-in provider uses up one by one: it
 * replaces the list only while it is the one it read, so that a code works once. Until 1.14.2 codes had 64 bits and stood in
 * that list as they are; those of then go on working, here and in that release, until new ones are made.
 */
import { createHash } from 'node:crypto';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { z } from 'zod';
import type { SignInProvider } from './sign-in-provider.ts';
import { toBase32 } from './totp.ts';

const RECOVERY_CODES = 10;
/** 140 bits: too many to try, so that a hash that is fast to make will do. */
const LETTERS = 28;
const RANDOM_BYTES = 18;

const PRESENT = /^[A-Z2-7]{28}$/;
const OLDER = /^[0-9A-F]{16}$/;
/** What people write for letters that look like them; our alphabet has none of these. */
const mistakable: Readonly<Record<string, string>> = { '0': 'O', '1': 'I', '8': 'B' };

type SecretConfig = Awaited<SignInProvider['$context']>['secretConfig'];

/** Ten codes of seven groups of four letters and digits. */
export function newRecoveryCodes(randomBytes: (size: number) => Buffer): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = toBase32(randomBytes(RANDOM_BYTES)).slice(0, LETTERS);
    return (letters.match(/.{4}/g) ?? []).join('-');
  });
}

/** What is kept of a code somebody typed, however they wrote it; undefined for what is none. */
export function keptRecoveryCode(typed: string): string | undefined {
  const written = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  if (OLDER.test(written)) return `${written.slice(0, 8)}-${written.slice(8)}`.toLowerCase();
  const code = written.replace(/[018]/g, (digit) => mistakable[digit] ?? digit);
  return PRESENT.test(code) ? `sha256:${createHash('sha256').update(code).digest('base64url')}` : undefined;
}

export function sealRecoveryCodes(key: SecretConfig, codes: readonly string[]): Promise<string> {
  return symmetricEncrypt({ key, data: JSON.stringify(codes.map(keptRecoveryCode)) });
}

export async function countRecoveryCodes(key: SecretConfig, sealed: string): Promise<number> {
  return z.array(z.string()).parse(JSON.parse(await symmetricDecrypt({ key, data: sealed }))).length;
}
