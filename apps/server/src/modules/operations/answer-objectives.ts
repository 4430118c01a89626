import { type ObjectiveId, objectives } from '@airdeck/contracts/operations/objectives';
import type { RouteId } from '@airdeck/contracts/route-table';
import type { Answered } from '../../http/answered.ts';

/** Not calls anybody waits for, or open as long as somebody looks. */
const uncounted: ReadonlySet<RouteId> = new Set(['system.live', 'system.ready', 'stream.subscribe']);
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
  return [
    [taken, true],
    [inTime, ms <= objectives[inTime].withinMs],
  ];
}
