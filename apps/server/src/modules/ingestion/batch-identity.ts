import { createHash } from 'node:crypto';

/**
 * What makes a delivery recognisable when it comes again. Everything is derived, nothing drawn: the same delivery has the
 * same batch id in any process at any time, and as long as that is remembered its events have the same ids. Ids are UUIDs of
 * version 8.
 */

/**
 * From the sender's key where it gave one, else from the body, and among equal bodies that are several deliveries from their
 * place. Bound to the source, so that nobody can name another's.
 */
export function batchIdOf(
  sourceId: string,
  { key, bodyHash, place = 0 }: { key: string | undefined; bodyHash: Buffer; place?: number | undefined },
): string {
  const hash = createHash('sha256').update(sourceId);
  if (key !== undefined) hash.update('\0key\0').update(key);
  else hash.update('\0body\0').update(bodyHash);
  if (place > 0) hash.update(`\0place\0${place}`);
  return uuidOf(hash.digest('hex'));
}

/**
 * What a delivery is stored under that its sender or its body names: a key may be used again once it is forgotten, and the same
 * body may be another delivery later, each with events of its own. It is noted with the batch, so whoever goes on with it gets
 * the same. `before`: what the last one of that batch id was stored under, as two may come at one time of a clock.
 */
export function storedAsOf(batchId: string, receivedAt: number, before = ''): string {
  return uuidOf(createHash('sha256').update(batchId).update(`\0at\0${receivedAt}${before}`).digest('hex'));
}

/** Ids of a batch's events by their place in it; hashing once per batch keeps this off the cost of an event. */
export function eventIdsOf(batchId: string): (index: number) => string {
  const start = uuidOf(createHash('sha256').update('event\0').update(batchId).digest('hex')).slice(0, 28);
  return (index) => start + index.toString(16).padStart(8, '0');
}

function uuidOf(hex: string): string {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
