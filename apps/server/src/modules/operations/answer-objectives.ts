import { type ErrorCode, errorCodes } from '@airdeck/contracts/error-codes';
import { type ObjectiveId, objectives } from '@airdeck/contracts/operations/objectives';
import type { Route } from '@airdeck/contracts/route';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import type { Answered } from '../../http/answered.ts';

type Counted = NonNullable<Answered['routeId']>;
type FaultCode = {
  [Code in ErrorCode]: `${(typeof errorCodes)[Code]['status']}` extends `5${string}` ? Code : never;
}[ErrorCode];

const FAULT = 500;

/**
 * Whose fault is told with each code of one (5xx), unless whoever threw it says that it was ours. What its status says would blame
 * us for every vendor.
 */
const faults = {
  INTERNAL: 'ours',
  OVERLOADED: 'ours',
  STORE_UNAVAILABLE: 'ours',
  SCANNER_UNAVAILABLE: 'ours',
  ACTION_FAILED: 'vendor',
  ACTION_TIMED_OUT: 'vendor',
  MARKETPLACE_UNAVAILABLE: 'vendor',
  // Stopped on purpose: another process answers, or everything waits for the operator.
  DRAINING: 'operator',
  RESTORE_FENCE_UP: 'operator',
} as const satisfies Record<FaultCode, 'ours' | 'vendor' | 'operator'>;

const live = Object.entries<Route>(routeTable).flatMap(([id, route]) => (route.live ? [id as Counted] : []));
/** Not calls anybody waits for, or open as long as somebody looks. */
const uncounted: ReadonlySet<Counted> = new Set<Counted>(['system.live', 'system.ready', ...live]);

/** They take as long as somebody else's service does. */
const waitForVendor: readonly RouteId[] = [
  'actions.run-now',
  'automation-rules.create',
  'automation-rules.delete',
  'automation-rules.repair',
  'connectors.test',
  'connectors.validate',
  'marketplace.details',
  'marketplace.activate',
  'marketplace.webhook',
  'notifications.test',
  'onboarding.reachability',
  'sso.test',
  'sso.check-domain',
];

/** How long they took says nothing of how fast the rest is: hashing a password is slow on purpose. */
const untimed: ReadonlySet<Counted> = new Set<Counted>(['auth', ...waitForVendor]);

/** What an answer says of the promises. What the caller did wrong, or too often, says nothing. */
export function objectivesOf({ routeId, status, code, isOurs, ms }: Answered): readonly [ObjectiveId, boolean][] {
  if (routeId === undefined || uncounted.has(routeId)) return [];
  const [taken, inTime] =
    routeId === 'sources.ingest'
      ? (['events_taken', 'events_speed'] as const)
      : (['api_answers', 'api_speed'] as const);
  if (status >= FAULT) return isOurs === true || isOursBy(code) ? [[taken, false]] : [];
  if (status >= 400) return [];
  if (untimed.has(routeId)) return [[taken, true]];
  return [
    [taken, true],
    [inTime, ms <= objectives[inTime].withinMs],
  ];
}

/** One without a code was not even answered as an error. */
function isOursBy(code: ErrorCode | undefined): boolean {
  return code === undefined || !isFault(code) || faults[code] === 'ours';
}

function isFault(code: ErrorCode): code is FaultCode {
  return errorCodes[code].status >= FAULT;
}
