import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { z } from 'zod';
import type { SignInProvider } from './sign-in-provider.ts';

const RECOVERY_CODES = 10;
const RECOVERY_CODE_BYTES = 8;

type SecretConfig = Awaited<SignInProvider['$context']>['secretConfig'];

/** Ten codes of 64 random bits each. */
export function newRecoveryCodes(randomBytes: (size: number) => Buffer): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const code = randomBytes(RECOVERY_CODE_BYTES).toString('hex');
    return `${code.slice(0, 8)}-${code.slice(8)}`;
  });
}

/** As the provider keeps them, which uses them up one by one. */
export function sealRecoveryCodes(key: SecretConfig, codes: readonly string[]): Promise<string> {
  return symmetricEncrypt({ key, data: JSON.stringify(codes) });
}

export async function countRecoveryCodes(key: SecretConfig, sealed: string): Promise<number> {
  return z.array(z.string()).parse(JSON.parse(await symmetricDecrypt({ key, data: sealed }))).length;
}
