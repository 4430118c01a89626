import { createHmac, hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/** 43 characters that stand for 256 bits. */
export type KeyedSecrets = (id: string, idempotencyKey: string) => string;

/**
 * Secrets that are shown once, and again to the same request: made of the installation's secret and the caller's
 * Idempotency-Key, which is kept nowhere, so that nobody but the caller can have one made again.
 */
export function createKeyedSecrets(installationSecret: string, purpose: string): KeyedSecrets {
  const key = Buffer.from(hkdfSync('sha256', installationSecret, '', purpose, KEY_BYTES));
  return (id, idempotencyKey) =>
    createHmac('sha256', key)
      .update(JSON.stringify([id, idempotencyKey]))
      .digest('base64url');
}
