import type { FoundEvent, SearchBody } from '@airdeck/contracts/search/schema';
import type { LiveAnswer } from './live-sources.ts';
import { mergeFindings } from './merged-page.ts';
import type { EventPage } from './newest-events.ts';
import { LIVE_IDS_MAX, type SearchCursor, shortId } from './search-cursor.ts';

/** Newest first, as live hits come, no event of a millisecond is behind this one. */
const BEHIND_ALL = '00000000-0000-0000-0000-000000000000';

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

/**
 * One page of the store's and the connectors' events. Store and connectors all go on where it ends, also those it has nothing
 * of: what is stored or found late, or once a connector answers again, belongs to pages that have been shown.
 */
export function pageOf({ body, stored, live, cursor }: Found): ResultPage {
  const found = mergeFindings([stored, ...live], body.sort);
  const single = withoutDoubles(found.events, live);
  const events = single.slice(0, body.limit);
  const last = events.at(-1);
  if (last === undefined || (found.complete && events.length === single.length)) return { events, next: undefined };
  const time = Date.parse(last.time);
  // Of one moment, the connectors' events come when all stored ones are shown.
  const after = { time, id: isStored(last) ? last.id : BEHIND_ALL };
  return { events, next: { after, live: livePositions({ live, events, time, before: cursor?.live ?? {} }) } };
}

/** What polling has stored already is not shown a second time. */
function withoutDoubles(events: readonly FoundEvent[], live: readonly LiveAnswer[]): FoundEvent[] {
  const asked = new Set(live.map(({ source }) => source.connector_id));
  const stored = new Set(events.filter((event) => isStored(event) && asked.has(event.connector_id)).map(messageKey));
  return events.filter((event) => isStored(event) || !stored.has(messageKey(event)));
}

/** Where the connectors of a page that ends at `time` go on: with what is not shown yet of that millisecond. */
function livePositions({
  live,
  events,
  time,
  before,
}: {
  live: readonly LiveAnswer[];
  events: readonly FoundEvent[];
  time: number;
  before: SearchCursor['live'];
}): SearchCursor['live'] {
  const ofItsEnd = events.filter((event) => Date.parse(event.time) === time);
  const positions: SearchCursor['live'] = {};
  for (const { source } of live) {
    if (source.state === 'not_searchable') continue;
    const earlier = before[source.connector_id];
    if (earlier !== undefined && earlier.time < time) {
      // It has left out the rest of the millisecond already, of which the store still has some.
      positions[source.connector_id] = earlier;
      continue;
    }
    // Also stored ones: polling has them from there, so they are still to come among its hits.
    const shown = ofItsEnd.filter(({ connector_id }) => connector_id === source.connector_id);
    const ids = [...(earlier?.time === time ? earlier.ids : []), ...shown.map((event) => shortId(messageId(event)))];
    const isTooMany = ids.length > LIVE_IDS_MAX;
    positions[source.connector_id] = isTooMany ? { time: time - 1, ids: [], left_out: true } : { time, ids };
  }
  return positions;
}

function isStored({ source_id }: FoundEvent): boolean {
  return source_id !== null;
}

function messageKey(event: FoundEvent): string {
  return `${event.connector_id} ${messageId(event)}`;
}

/** The vendor's id, which a message keeps when polling stores it. */
function messageId(event: FoundEvent): string {
  return isStored(event) ? String(event.fields._id) : event.id;
}
