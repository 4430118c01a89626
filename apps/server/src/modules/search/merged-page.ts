import type { FoundEvent, SearchOrder } from '@airdeck/contracts/search/schema';

/** What one place has found: its first matches in the order of the search, and whether there are no more. */
export type Findings = { readonly key: string; readonly events: readonly FoundEvent[]; readonly complete: boolean };

export type MergedPage = {
  readonly events: FoundEvent[];
  /** How many of each place's findings are on the page, by its key. */
  readonly taken: ReadonlyMap<string, number>;
  /** Nothing is left anywhere. */
  readonly complete: boolean;
};

/**
 * The first events of several places as one page. Nothing is shown that comes after what a place may still have and did not
 * tell, so no event of a later page belongs before one of this page. Events of the same moment stay in the order of the
 * places.
 */
export function mergePage(
  places: readonly Findings[],
  { limit, sort }: { limit: number; sort: SearchOrder },
): MergedPage {
  // How far from the first event of all; the later an event comes on the pages, the larger.
  const placeOf = ({ time }: FoundEvent) => (sort === 'newest' ? -Date.parse(time) : Date.parse(time));
  const lastOf = ({ events }: Findings) => {
    const last = events.at(-1);
    // A place that told nothing, although it has something, keeps everything else back.
    return last === undefined ? Number.NEGATIVE_INFINITY : placeOf(last);
  };
  const told = Math.min(...places.filter(({ complete }) => !complete).map(lastOf), Number.POSITIVE_INFINITY);
  const all = places.flatMap(({ key, events }, place) =>
    events.map((event) => ({ key, event, place, at: placeOf(event) })),
  );
  const page = all
    .filter(({ at }) => at <= told)
    .sort((a, b) => a.at - b.at || a.place - b.place)
    .slice(0, limit);
  const taken = new Map<string, number>();
  for (const { key } of page) taken.set(key, (taken.get(key) ?? 0) + 1);
  const complete = page.length === all.length && places.every((place) => place.complete);
  return { events: page.map(({ event }) => event), taken, complete };
}
