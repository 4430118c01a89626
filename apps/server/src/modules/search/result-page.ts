import type { FoundEvent, SearchBody } from '@airdeck/contracts/search/schema';
import type { LiveAnswer } from './live-sources.ts';
import { mergePage } from './merged-page.ts';
import type { EventPage } from './newest-events.ts';
import { LIVE_IDS_MAX, type SearchCursor, shortId } from './search-cursor.ts';

const STORE = 'store';

type Found = {
  body: Pick<SearchBody, 'limit' | 'sort'>;
  stored: EventPage;
  live: readonly LiveAnswer[];
  cursor: SearchCursor | undefined;
};

export type ResultPage = {
  readonly events: FoundEvent[];
  /** Where the next page begins; undefined when there is none. */
  readonly next: Pick<SearchCursor, 'after' | 'live'> | undefined;
};

/** One page of the store's and the connectors' events, and where each of them goes on. */
export function pageOf({ body, stored, live, cursor }: Found): ResultPage {
  const places = [
    { key: STORE, ...stored },
    ...live.map(({ source, events, complete }) => ({ key: source.connector_id, events, complete })),
  ];
  const { events, taken, complete } = mergePage(places, body);
  const page = withoutDoubles(events, live);
  if (complete || events.length === 0) return { events: page, next: undefined };
  const last = stored.events[(taken.get(STORE) ?? 0) - 1];
  const after = last === undefined ? (cursor?.after ?? null) : { time: Date.parse(last.time), id: last.id };
  return { events: page, next: { after, live: livePositions({ live, taken, before: cursor?.live ?? {} }) } };
}

/** What polling has stored already is not shown a second time. */
function withoutDoubles(events: readonly FoundEvent[], live: readonly LiveAnswer[]): FoundEvent[] {
  const asked = new Set(live.map(({ source }) => source.connector_id));
  const stored = new Set(
    events
      .filter(({ source_id, connector_id }) => source_id !== null && asked.has(connector_id))
      .map(({ connector_id, fields }) => `${connector_id} ${String(fields._id)}`),
  );
  return events.filter(({ source_id, connector_id, id }) => source_id !== null || !stored.has(`${connector_id} ${id}`));
}

function livePositions({
  live,
  taken,
  before,
}: {
  live: readonly LiveAnswer[];
  taken: ReadonlyMap<string, number>;
  before: SearchCursor['live'];
}): SearchCursor['live'] {
  const positions: SearchCursor['live'] = { ...before };
  for (const { source, events } of live) {
    const shown = events.slice(0, taken.get(source.connector_id) ?? 0);
    const last = shown.at(-1);
    if (last === undefined) continue;
    const time = Date.parse(last.time);
    const earlier = before[source.connector_id];
    const known = earlier?.time === time ? earlier.ids : [];
    const ids = [...known, ...shown.filter((event) => event.time === last.time).map(({ id }) => shortId(id))];
    const isTooMany = ids.length > LIVE_IDS_MAX;
    positions[source.connector_id] = isTooMany ? { time: time - 1, ids: [], left_out: true } : { time, ids };
  }
  return positions;
}
