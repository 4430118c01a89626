import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SECRET_BYTES = 48;

/**
 * The secret that encrypts signing keys and authenticator secrets: the configured one, otherwise made once and kept in
 * the data folder, readable by its owner only. Losing it ends all sessions and makes all authenticators useless.
 */
export function identitySecret(options: {
  configured: string | undefined;
  dataDir: string;
  randomBytes: (size: number) => Buffer;
}): string {
  if (options.configured !== undefined) return options.configured;
  const path = join(options.dataDir, 'identity.secret');
  try {
    writeFileSync(path, options.randomBytes(SECRET_BYTES).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < SECRET_BYTES) throw new Error(`The file ${path} is damaged: restore it from a backup.`);
  return secret;
}
