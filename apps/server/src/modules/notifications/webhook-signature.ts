import { createHmac, hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;
/** Of those who never made a new secret. */
const FIRST_VERSION = 'first';

export type WebhookSecrets = {
  /** What the user is shown once, and what signs their calls. */
  secretOf(userId: string, version: string | undefined): string;
};

/** Secrets are derived and stored nowhere: a version makes a new one, and the old one is gone. */
export function createWebhookSecrets(installationSecret: string): WebhookSecrets {
  const key = Buffer.from(hkdfSync('sha256', installationSecret, '', 'webhook signatures', KEY_BYTES));
  return {
    secretOf: (userId, version = FIRST_VERSION) =>
      `whsec_${createHmac('sha256', key).update(`${userId} ${version}`).digest('base64url')}`,
  };
}

/**
 * Value of the signature header: `t=<unix seconds>,v1=<hex>`, the HMAC-SHA256 of `<t>.<body>` under the secret. The time is
 * inside, so that a receiver can refuse what is sent again later.
 */
export function webhookSignature(secret: string, { body, at }: { body: string; at: Date }): string {
  const time = Math.floor(at.getTime() / 1000);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}
