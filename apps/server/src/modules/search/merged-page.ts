import type { FoundEvent, SearchOrder } from '@airdeck/contracts/search/schema';

/** What one place has found: its first matches in the order of the search, and whether there are no more. */
export type Findings = { readonly events: readonly FoundEvent[]; readonly complete: boolean };

/** Where an event stands among those of all places: events of the same moment are in the order of the places. */
type Standing = {
  /** How far from the first event of all; the later an event comes on the pages, the larger. */
  readonly at: number;
  readonly place: number;
};

/**
 * The events of several places in one order. Nothing is among them that comes after what a place may still have and did not
 * tell, so no event of a later page belongs before one of this page.
 */
export function mergeFindings(places: readonly Findings[], sort: SearchOrder): Findings {
  const standing = ({ time }: FoundEvent, place: number): Standing => ({
    at: sort === 'newest' ? -Date.parse(time) : Date.parse(time),
    place,
  });
  const ends = places.flatMap(({ events, complete }, place): Standing[] => {
    const last = events.at(-1);
    if (complete) return [];
    // A place that told nothing, although it has something, keeps everything else back.
    return [last === undefined ? { at: Number.NEGATIVE_INFINITY, place } : standing(last, place)];
  });
  const merged = places
    .flatMap(({ events }, place) => events.map((event) => ({ event, ...standing(event, place) })))
    .filter((one) => ends.every((end) => inOrder(one, end) <= 0))
    .sort(inOrder);
  return { events: merged.map(({ event }) => event), complete: places.every(({ complete }) => complete) };
}

function inOrder(a: Standing, b: Standing): number {
  return a.at - b.at || a.place - b.place;
}
