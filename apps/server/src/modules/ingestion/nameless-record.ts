import type { SourceKind } from '@airdeck/contracts/sources/schema';
import { type BodyPlan, readBody } from './body-plan.ts';
import { startsArray } from './record-texts.ts';

/** Kinds whose senders call once for each event. Shippers send batches, and repeat them. */
const callsByEvent: ReadonlySet<SourceKind> = new Set(['webhook', 'gelf']);
/** A larger one that says neither when nor which is rare, and reading it holds up others. */
const MAX_BYTES = 16_384;
/** As fields are called that number events, without case and signs. */
const idNames: ReadonlySet<string> = new Set([
  ...['id', 'uuid', 'guid', 'eventid', 'eventuuid', 'messageid', 'deliveryid', 'alertid', 'requestid'],
]);

/**
 * Whether the body is one record that says neither when it happened nor which it is. Nothing tells two of them apart that are
 * equal, and to take the second for a repetition would lose an event: five failed logins are five of them. False where the body
 * cannot be read; whoever reads it says so.
 */
export async function isNamelessRecord(
  bytes: Buffer,
  { kind, plan }: { kind: SourceKind; plan: BodyPlan },
): Promise<boolean> {
  if (!callsByEvent.has(kind) || plan.format === 'ndjson' || plan.attributes !== undefined) return false;
  if (bytes.length > MAX_BYTES || startsArray(bytes)) return false;
  const { events, rejected } = await readBody(bytes, plan, 0).catch(() => ({ events: [], rejected: 0 }));
  const [event] = events;
  if (event === undefined || events.length + rejected > 1) return false;
  return event.time_source === 'received' && !Object.keys(event.fields).some(isIdName);
}

function isIdName(name: string): boolean {
  return idNames.has(name.toLowerCase().replaceAll(/[^a-z]/g, ''));
}
