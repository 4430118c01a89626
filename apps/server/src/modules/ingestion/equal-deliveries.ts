/**
 * Deliveries that say nothing of themselves (nameless-record.ts). Two that are equal are two events, such as failed logins
 * one after the other; or one whose sender heard nothing and sends it again.
 *
 * Each has a place among its equals, and its batch id from the place. A place is
 *   - taken while a sender waits for its answer: who sends the same meanwhile sends another event, in a place beside it;
 *   - free once the sender was told what became of it: the next equal one there is an event of its own;
 *   - open where the sender was not told, because it was gone or the stores were: the next equal one is its repetition, and
 *     goes there before anywhere else. For as long as senders repeat what they had no answer to; then it is free.
 *
 * All this is in memory. After a crash, and for another process, places are free: a delivery that was half written is gone on
 * with all the same, because its place is the same, and one that was done without its sender being told is an event more.
 */
export type EqualDeliveries = {
  /** The first place that is open, else the first that is free. */
  take(delivery: { sourceId: string; bodyHash: Buffer; isHeard: () => boolean }): Place;
};

export type Place = {
  number: number;
  isRepetition: boolean;
  /** When the delivery this one repeats, or this one itself, was first tried; milliseconds since the epoch. */
  firstTriedAt: number;
  leave(outcome: { wasTold: boolean }): void;
};

type Held = { readonly firstTriedAt: number } & ({ readonly isHeard: () => boolean } | { readonly openUntil: number });

/** What is open is rare, and each is a small entry; beyond that those of the longest ago count as told. */
const EQUALS_MAX = 10_000;

export function createEqualDeliveries(deps: { now: () => number; openForMs: number }): EqualDeliveries {
  const { now, openForMs } = deps;
  /** By what is equal, those not free of its places. */
  const equals = new Map<string, Map<number, Held>>();

  function placesOf(key: string): Map<number, Held> {
    const places = equals.get(key) ?? new Map<number, Held>();
    equals.delete(key);
    equals.set(key, places);
    const [oldest] = equals.keys();
    if (equals.size > EQUALS_MAX && oldest !== undefined) equals.delete(oldest);
    return places;
  }

  return {
    take({ sourceId, bodyHash, isHeard }) {
      const key = `${sourceId} ${bodyHash.toString('base64')}`;
      const places = placesOf(key);
      const at = now();
      for (const [number, held] of places) if ('openUntil' in held && held.openUntil <= at) places.delete(number);
      const open = [...places].filter(([, held]) => isOpen(held)).map(([number]) => number);
      const number = open.length > 0 ? Math.min(...open) : firstFree(places);
      const firstTriedAt = places.get(number)?.firstTriedAt ?? at;
      const own: Held = { firstTriedAt, isHeard };
      places.set(number, own);
      return {
        number,
        isRepetition: open.length > 0,
        firstTriedAt,
        leave({ wasTold }) {
          // Whoever repeated it meanwhile has the place.
          if (places.get(number) !== own) return;
          if (wasTold) places.delete(number);
          else places.set(number, { firstTriedAt, openUntil: now() + openForMs });
          if (places.size === 0 && equals.get(key) === places) equals.delete(key);
        },
      };
    },
  };
}

/** Also one that is still in hand: its sender went away. */
function isOpen(held: Held): boolean {
  return 'openUntil' in held || !held.isHeard();
}

function firstFree(places: ReadonlyMap<number, Held>): number {
  let number = 0;
  while (places.has(number)) number++;
  return number;
}
