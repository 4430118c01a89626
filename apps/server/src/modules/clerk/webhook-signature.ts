/** Signatures of Standard Webhooks, as Clerk's sender (Svix) makes them. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export const TOLERANCE_S = 5 * 60;
const SIGNATURES_MAX = 20;
const MESSAGE_ID = /^[\w.-]{1,200}$/;

/** The key inside `whsec_…`; undefined when there is none of at least 24 bytes. */
export function webhookKey(secret: string): Buffer | undefined {
  const encoded = /^whsec_([A-Za-z0-9+/]{32,}={0,2})$/.exec(secret)?.[1];
  const key = encoded === undefined ? undefined : Buffer.from(encoded, 'base64');
  return key !== undefined && key.length >= 24 ? key : undefined;
}

/** Id of the message when one of its signatures is right and it was sent just now; undefined for any other. */
export function verifiedMessage(
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
  { key, now }: { key: Buffer; now: Date },
): string | undefined {
  const [id, timestamp, signatures] = (['id', 'timestamp', 'signature'] as const).map(
    (name) => headers[`svix-${name}`] ?? headers[`webhook-${name}`],
  );
  if (typeof id !== 'string' || !MESSAGE_ID.test(id)) return undefined;
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp) || typeof signatures !== 'string')
    return undefined;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_S) return undefined;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  // All are compared, so that the time taken says nothing about which one was right.
  const right = signatures
    .split(' ', SIGNATURES_MAX)
    .filter((entry) => entry.startsWith('v1,') && isSame(Buffer.from(entry.slice(3), 'base64'), expected));
  return right.length > 0 ? id : undefined;
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
