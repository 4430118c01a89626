/**
 * All that is done with events themselves: reading them out of what came in, holding them until their batch is taken, writing
 * them to the event store and holding them against the policies. Whoever asks for it holds no event but those that matched.
 *
 * It needs nothing of the rest of the server but the policies, so it can be done in a thread of its own; this is the work,
 * wherever it is done.
 */
import { randomUUID } from 'node:crypto';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { IngestAnswer } from '@airdeck/contracts/sources/schema';
import { createTenantSlots } from '../../tenant-slots.ts';
import type { Detection, PolicyMatch } from '../detection/detection-port.ts';
import { HOUR_MS, type VolumeAddition } from '../sources/event-volume.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { Arrival } from './arrival.ts';
import { readArrival } from './arrival-reader.ts';
import { clockSkewOf } from './clock-skew.ts';
import type { EventWriter } from './event-writer.ts';
import { ownEvents } from './owned-events.ts';

const MATCHES_AT_ONCE = 20_000;
/** So few that they stay below twice of that with a hundred policies that everything fits. */
const EVENTS_PER_MATCHING = 200;

export type EventOwner = { source: IngestSource; storedAs: string; receivedAt: number };

/** Events that were read and are held under `id`, and what there is to say of them. */
export type HeldEvents = Pick<VolumeAddition, 'byHour' | 'clock'> & {
  id: string;
  count: number;
  rejected: number;
  errors: IngestAnswer['errors'];
  /** Of lines: the places of those that no format took. Of a batch that was set aside: of those that are not what they were. */
  raw: number[];
};

export type WriteOrder = {
  id: string;
  /** Some of the events may be in the store already: a write before this one did not finish. */
  resumed: boolean;
  /** Alone, after other ways failed: an event that the store refuses is stored as its text. */
  carefully: boolean;
  /** Held against no policy, where that is what fails. */
  unmatched: boolean;
};

export type Matched = {
  matches: PolicyMatch[];
  /** Where to go on with `match`; undefined where these were the last. */
  next: number | undefined;
};

export type Written = Matched & {
  /** All events of sources whose events may be alerts. */
  alerts: StoredEvent[];
  /** Of a careful write: the places of events that are stored as their text. */
  asText: number[];
};

export interface EventWork {
  /** Throws BODY_NOT_DECODABLE and BODY_TOO_LARGE; nothing is held then. */
  read(arrival: Arrival, owner: EventOwner): Promise<HeldEvents>;
  /**
   * Resolves when every event of the batches is durable, once, and the first of them were held against the policies; nearly
   * always all. They stay held. Throws STORE_UNAVAILABLE where the event store gave no answer, with `underWayMs` where events
   * may still be stored, and anything else for what is in the way in the events.
   */
  write(batches: readonly WriteOrder[]): Promise<Written>;
  /** Holds the events of the same batches against the policies from there on. */
  match(batches: readonly WriteOrder[], from: number): Promise<Matched>;
  /** Rejects when the event store does not answer. */
  ping(): Promise<void>;
  /** Forgets events, whatever became of them. A write of theirs stops before its next insert. */
  drop(id: string): void;
}

export function createEventWork(deps: { writer: EventWriter; match: Detection['match'] }): EventWork {
  const held = new Map<string, { source: IngestSource; events: StoredEvent[] }>();
  // Each reads a little and lets others go on; many at once would leave the writes no turn. Nobody waits for another's queue.
  const turns = createTenantSlots({ perTenant: 1, inAll: 1 });

  function heldAs(order: WriteOrder) {
    const batch = held.get(order.id);
    if (batch === undefined) throw new Error('The events of a batch are not held any more.');
    return { ...batch, ...order, isHeld: () => held.has(order.id) };
  }

  /** Every match is an object, and with it goes its event: a few broad policies would make millions of a large delivery. */
  async function matchFrom(batches: readonly ReturnType<typeof heldAs>[], from: number): Promise<Matched> {
    const events = batches.flatMap(({ unmatched, events: own }) => (unmatched ? [] : own));
    const matches: PolicyMatch[] = [];
    let next = from;
    while (next < events.length && matches.length < MATCHES_AT_ONCE) {
      const piece = await deps.match(events.slice(next, next + EVENTS_PER_MATCHING));
      for (const match of piece) matches.push(match);
      next += EVENTS_PER_MATCHING;
    }
    return { matches, next: next < events.length ? next : undefined };
  }

  return {
    read: (arrival, owner) =>
      turns.run(owner.source.tenantId, undefined, async () => {
        const { events, rejected, errors, raw } = await readArrival(arrival, owner.receivedAt);
        const owned = await ownEvents(events, owner);
        const id = randomUUID();
        held.set(id, { source: owner.source, events: owned });
        const clock = clockSkewOf(owned, owner.receivedAt);
        const about = { id, count: owned.length, rejected, errors, raw, byHour: byHour(owned) };
        return clock === undefined ? about : { ...about, clock };
      }),
    async write(batches) {
      const taken = batches.map(heldAs);
      const writing = deps.writer.write(taken);
      const [matched, asText] = await Promise.all([matchFrom(taken, 0), writing]).catch(async (error: unknown) => {
        // Whoever repeats the batch leaves out what is stored, and has to see all of it, or to hear that more may come.
        await writing;
        throw error;
      });
      const alerts = taken.filter(mayHoldAlerts).flatMap(({ events }) => events);
      return { ...matched, alerts, asText: placesOf(asText, taken) };
    },
    match: (batches, from) => matchFrom(batches.map(heldAs), from),
    ping: () => deps.writer.ping(),
    drop(id) {
      held.delete(id);
    },
  };
}

/** Careful writes are of one batch. */
function placesOf(ids: ReadonlySet<string>, [batch]: readonly { events: readonly StoredEvent[] }[]): number[] {
  if (ids.size === 0 || batch === undefined) return [];
  return batch.events.flatMap(({ id }, place) => (ids.has(id) ? place : []));
}

function mayHoldAlerts({ source, unmatched }: { source: IngestSource; unmatched: boolean }): boolean {
  return source.kind === 'graylog' && !unmatched;
}

function byHour(events: readonly StoredEvent[]): HeldEvents['byHour'] {
  const cells = new Map<number, { events: number; bytes: number }>();
  for (const event of events) {
    const hour = Math.floor(event.time / HOUR_MS) * HOUR_MS;
    const cell = cells.get(hour);
    const bytes = Buffer.byteLength(event.raw);
    if (cell === undefined) cells.set(hour, { events: 1, bytes });
    else {
      cell.events++;
      cell.bytes += bytes;
    }
  }
  return cells;
}
