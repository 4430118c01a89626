import type { FoundEvent } from '@airdeck/contracts/search/schema';

/** What one place has found: its newest matches, newest first, and whether there are no older ones. */
export type Findings = { readonly key: string; readonly events: readonly FoundEvent[]; readonly complete: boolean };

export type MergedPage = {
  readonly events: FoundEvent[];
  /** How many of each place's findings are on the page, by its key. */
  readonly taken: ReadonlyMap<string, number>;
  /** Nothing is left anywhere. */
  readonly complete: boolean;
};

/**
 * The newest events of several places as one page. Nothing is shown that is older than what a place may still have and did
 * not tell, so no event of a later page belongs before one of this page. Events of the same moment stay in the order of the
 * places.
 */
export function mergePage(places: readonly Findings[], limit: number): MergedPage {
  const told = Math.max(...places.filter(({ complete }) => !complete).map(oldestOf), Number.NEGATIVE_INFINITY);
  const all = places.flatMap(({ key, events }, place) =>
    events.map((event) => ({ key, event, place, time: Date.parse(event.time) })),
  );
  const page = all
    .filter(({ time }) => time >= told)
    .sort((a, b) => b.time - a.time || a.place - b.place)
    .slice(0, limit);
  const taken = new Map<string, number>();
  for (const { key } of page) taken.set(key, (taken.get(key) ?? 0) + 1);
  const complete = page.length === all.length && places.every((place) => place.complete);
  return { events: page.map(({ event }) => event), taken, complete };
}

/** A place that told nothing, although it has something, keeps everything else back. */
function oldestOf({ events }: Findings): number {
  const last = events.at(-1);
  return last === undefined ? Number.POSITIVE_INFINITY : Date.parse(last.time);
}
