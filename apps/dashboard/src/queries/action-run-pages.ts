/**
 * Reading a list of action runs again without reading all of it.
 *
 * Such a list grows with scrolling, and one run that goes on changes every few seconds. What a finished run says stays as
 * it is, so a refresh reads the first page and, of what was loaded below, only the runs that go on. New runs push the last
 * ones off the first page; those stay, above the page they belong to now. Where that cannot be told (more new runs than a
 * page, a run that no longer fits the filter, many that go on), every page is read as before.
 */
import { ApiError } from '@airdeck/api-client/api-error';
import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import type { InfiniteData } from '@tanstack/react-query';

export type RunPages = InfiniteData<ActionActivity[], number>;

type Deps = {
  page: (page: number) => Promise<ActionActivity[]>;
  one: (id: string) => Promise<ActionActivity>;
  isActive: (run: ActionActivity) => boolean;
  /** Statuses the list is filtered by; undefined when by none. */
  statuses: readonly string[] | undefined;
};

/** More than these below the first page are read with their pages. */
export const SINGLE_MAX = 5;

/** What a refresh keeps below the first page, by the pages it began with; gone with them. */
const keptOf = new WeakMap<RunPages, readonly ActionActivity[][]>();

/** One page of a list: read, or kept when the list `before` is being refreshed and the page did not change. */
export async function runPage(pageNumber: number, before: RunPages | undefined, deps: Deps): Promise<ActionActivity[]> {
  const index = before?.pageParams.indexOf(pageNumber) ?? -1;
  if (before === undefined || index === -1) return await deps.page(pageNumber);
  if (index > 0) return keptOf.get(before)?.[index - 1] ?? (await deps.page(pageNumber));
  keptOf.delete(before);
  const first = await deps.page(pageNumber);
  const kept = before.pages.length === 1 ? undefined : await keptBelow(first, before.pages, deps);
  if (kept !== undefined) keptOf.set(before, kept);
  return first;
}

/** The pages below the first one as they are now; undefined when they have to be read. */
async function keptBelow(
  first: readonly ActionActivity[],
  [oldFirst = [], ...below]: readonly ActionActivity[][],
  deps: Deps,
): Promise<ActionActivity[][] | undefined> {
  const pushedOff = rowsPushedOff(oldFirst, first);
  if (pushedOff === undefined) return undefined;
  const shown = new Set(first.map(idOf));
  // A run that moved up took the place of one that is gone.
  if (below.flat().some((run) => shown.has(idOf(run)))) return undefined;
  const pages = [[...pushedOff, ...(below[0] ?? [])], ...below.slice(1)];
  const active = pages.flat().filter(deps.isActive);
  if (active.length > SINGLE_MAX) return undefined;
  const now = await Promise.all(active.map((run) => orGone(deps.one(idOf(run)))));
  const fits = (run: ActionActivity | undefined) =>
    run !== undefined && (deps.statuses?.includes(run.summary.status) ?? true);
  if (!now.every(fits)) return undefined;
  const byId = new Map(now.flatMap((run) => (run === undefined ? [] : [[idOf(run), run]])));
  return pages.map((page) => page.map((run) => byId.get(idOf(run)) ?? run));
}

/** Rows that new ones pushed off the first page: its last ones, and only those. Undefined when others are missing, too. */
function rowsPushedOff(
  before: readonly ActionActivity[],
  now: readonly ActionActivity[],
): readonly ActionActivity[] | undefined {
  const there = new Set(now.map(idOf));
  const missing = before.findIndex((run) => !there.has(idOf(run)));
  if (missing === -1) return [];
  const pushedOff = before.slice(missing);
  const isShift = missing > 0 && pushedOff.every((run) => !there.has(idOf(run))) && now.length >= before.length;
  return isShift ? pushedOff : undefined;
}

/** A run that is not there any more, such as one whose time of keeping is over, is an answer here. */
async function orGone(asked: Promise<ActionActivity>): Promise<ActionActivity | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

function idOf({ details }: ActionActivity): string {
  return details.context.action_uuid;
}
