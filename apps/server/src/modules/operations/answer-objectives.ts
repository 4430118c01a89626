import { type ObjectiveId, objectives } from '@airdeck/contracts/operations/objectives';
import type { Route } from '@airdeck/contracts/route';
import { routeTable } from '@airdeck/contracts/route-table';
import type { Answered } from '../../http/answered.ts';

type Counted = NonNullable<Answered['routeId']>;

const live = Object.entries<Route>(routeTable).flatMap(([id, route]) => (route.live ? [id as Counted] : []));
/** Not calls anybody waits for, or open as long as somebody looks. */
const uncounted: ReadonlySet<Counted> = new Set<Counted>(['system.live', 'system.ready', ...live]);
const FAULT = 500;

/** What an answer says of the promises. What the caller did wrong, or too often, says nothing. */
export function objectivesOf({ routeId, status, ms }: Answered): readonly [ObjectiveId, boolean][] {
  if (routeId === undefined || uncounted.has(routeId)) return [];
  const isFault = status >= FAULT;
  const [taken, inTime] =
    routeId === 'sources.ingest'
      ? (['events_taken', 'events_speed'] as const)
      : (['api_answers', 'api_speed'] as const);
  if (isFault) return [[taken, false]];
  if (status >= 400) return [];
  // Hashing a password is slow on purpose, and says nothing of how fast the rest is.
  if (routeId === 'auth') return [[taken, true]];
  return [
    [taken, true],
    [inTime, ms <= objectives[inTime].withinMs],
  ];
}
