import type { AlertList } from './graylog-answers.ts';

/** Where a page of alerts begins: no alert of it is later than `until`. */
export type AlertPlace = { readonly until: string; readonly limit: number };

/** What the action hands out at once. */
const LIMIT_MAX = 5000;

/**
 * Where the next page begins; undefined when there is none. It begins with the time of the oldest alert, which comes a
 * second time then: others may have the same. Where a whole page is of one moment, the next one is asked for more of it.
 */
export function nextPlace(
  { alerts, total }: AlertList,
  place: { readonly until: string | undefined; readonly limit: number },
): AlertPlace | undefined {
  const oldest = alerts.at(-1)?.timestamp;
  if (alerts.length < place.limit || alerts.length >= total || oldest === undefined || oldest === null)
    return undefined;
  const until = new Date(oldest).toISOString();
  const isOneMoment = place.until !== undefined && new Date(place.until).getTime() === Date.parse(oldest);
  if (!isOneMoment) return { until, limit: place.limit };
  // A page of that many alerts of one millisecond cannot be passed; nobody reads through it either.
  return place.limit >= LIMIT_MAX ? undefined : { until, limit: Math.min(place.limit * 5, LIMIT_MAX) };
}
