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

export type EventOwner = { source: IngestSource; storedAs: string; receivedAt: number };

/** Events that were read and are held under `id`, and what there is to say of them. */
export type HeldEvents = Pick<VolumeAddition, 'byHour' | 'clock'> & {
  id: string;
  count: number;
  rejected: number;
  errors: IngestAnswer['errors'];
  /** Of lines: the places of those that no format took. */
  raw: number[];
};

export type WriteOrder = {
  id: string;
  /** Some of the events may be in the store already: a writer before us did not finish. */
  resumed: boolean;
};

export type Written = {
  matches: PolicyMatch[];
  /** All events of sources whose events may be alerts. */
  alerts: StoredEvent[];
};

export interface EventWork {
  /** Throws BODY_NOT_DECODABLE and BODY_TOO_LARGE; nothing is held then. */
  read(arrival: Arrival, owner: EventOwner): Promise<HeldEvents>;
  /** Resolves when every event of the batches is durable, once, and was held against the policies. They stay held. */
  write(batches: readonly WriteOrder[]): Promise<Written>;
  /** Forgets events, whatever became of them. */
  drop(id: string): void;
}

export function createEventWork(deps: { writer: EventWriter; match: Detection['match'] }): EventWork {
  const held = new Map<string, { source: IngestSource; events: StoredEvent[] }>();
  // Each reads a little and lets others go on; many at once would leave the writes no turn. Nobody waits for another's queue.
  const turns = createTenantSlots({ perTenant: 1, inAll: 1 });

  function heldAs({ id, resumed }: WriteOrder) {
    const batch = held.get(id);
    if (batch === undefined) throw new Error('The events of a batch are not held any more.');
    return { ...batch, resumed };
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
      const [matches] = await Promise.all([deps.match(taken.flatMap(({ events }) => events)), writing])
        // Also when it fails: whoever repeats the batch leaves out what is stored, and has to see all of it.
        .finally(() => writing.catch(() => undefined));
      return { matches, alerts: taken.filter(mayHoldAlerts).flatMap(({ events }) => events) };
    },
    drop(id) {
      held.delete(id);
    },
  };
}

function mayHoldAlerts({ source }: { source: IngestSource }): boolean {
  return source.kind === 'graylog';
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
