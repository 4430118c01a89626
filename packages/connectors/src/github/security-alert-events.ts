/**
 * Security alerts as a source of events. GitHub lists them by their last update, newest first, and takes no lower bound.
 *
 * Mark: `newest` is the time up to which everything was delivered, `seen` the alerts delivered at exactly that time. A sweep
 * walks from the top down to `newest`; until it arrives there, `sweep` holds its page query and what will become the mark.
 * The mark moves only when the sweep has arrived, so a crash in between loses nothing and repeats at most the page that was
 * not stored. An alert that changes comes again: its time is part of what it is known by.
 */

import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { numberOf, textAt, textOf, textsOf } from '../answer-fields.ts';
import { fittingPage } from '../fitting-page.ts';
import { firstFetchStart } from '../time-keyed-fetch.ts';
import { type AlertSource, alertKinds } from './alert-lists.ts';
import { githubPage, orgPath, withPageSize } from './github-client.ts';

const PAGE_SIZE = 100;

type Top = { readonly newest: string; readonly seen: readonly string[] };

export async function fetchAlerts(context: FetchContext, source: AlertSource): Promise<FetchPage> {
  const mark = context.cursor ?? {};
  const done: Top = topOf(mark) ?? { newest: firstFetchStart(context).toISOString(), seen: [] };
  const sweep = objectOf(mark.sweep);
  const rawQuery = textOf(sweep, 'next');
  const { path, query } = alertKinds[source];
  const { page, isOutline } = await fittingPage(context, {
    pageSize: PAGE_SIZE,
    ask: (own, count) =>
      githubPage(own, {
        path: orgPath(own, path, 'alerts'),
        ...(rawQuery === null
          ? { query: { ...query, sort: 'updated', direction: 'desc', per_page: count } }
          : { rawQuery: withPageSize(rawQuery, count) }),
      }),
    count: ({ items }) => items.length,
  });

  const known = new Set(done.seen);
  // An outline may have lost its time: it does not say that the sweep has arrived.
  const isRecent = (alert: JsonObject) =>
    timeOf(alert) >= Date.parse(done.newest) || (isOutline && timeOf(alert) === 0);
  const found = page.items.filter(isRecent);
  const fresh = found
    .filter((alert) => !known.has(keyOf(alert)))
    .map(withoutSecret)
    .toReversed();
  const taken = isOutline ? { records: [], leftOut: fresh.length } : { records: fresh };
  const top = raised(topOf(sweep) ?? done, found);
  // An older alert than the mark: the sweep has arrived.
  const arrived = found.length < page.items.length || page.nextQuery === undefined;
  if (arrived) return { ...taken, cursor: { ...top, sweep: null }, hasMore: false };
  return { ...taken, cursor: { ...done, sweep: { ...top, next: page.nextQuery } }, hasMore: true };
}

/** The newest time among all of them, with everything seen at exactly that time. */
function raised(top: Top, alerts: readonly JsonObject[]): Top {
  const newestMs = Math.max(Date.parse(top.newest), ...alerts.map(timeOf));
  const kept = newestMs === Date.parse(top.newest) ? top.seen : [];
  const added = alerts.filter((alert) => timeOf(alert) === newestMs).map(keyOf);
  return { newest: new Date(newestMs).toISOString(), seen: [...new Set([...kept, ...added])] };
}

/** Alerts that were never updated have no time of update. */
function timeOf(alert: JsonObject): number {
  const at = Date.parse(textOf(alert, 'updated_at') ?? textOf(alert, 'created_at') ?? '');
  return Number.isNaN(at) ? 0 : at;
}

function keyOf(alert: JsonObject): string {
  return `${textAt(alert, 'repository', 'full_name') ?? ''}#${numberOf(alert, 'number') ?? ''}@${timeOf(alert)}`;
}

/** Older servers do not know `hide_secret` and send the literal. */
function withoutSecret(alert: JsonObject): JsonObject {
  const { secret: _secret, ...rest } = alert;
  return rest;
}

function topOf(mark: JsonObject): Top | undefined {
  const newest = textOf(mark, 'newest');
  return newest === null || Number.isNaN(Date.parse(newest)) ? undefined : { newest, seen: textsOf(mark.seen) };
}
