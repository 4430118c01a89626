import { AppError } from '../../http/app-error.ts';
import type { EventsStore } from '../../storage/events-store.ts';
import { casesOfPolicies } from '../cases/policy-cases.ts';
import { droppedLately } from '../detection/match-limit.ts';
import { matchesByDay } from '../detection/match-tallies.ts';

/** What policies need beside the database, as the server wires it, for tests without the whole server. */
export function aroundPolicies(events: Pick<EventsStore, 'query'>) {
  return {
    events,
    figures: { casesOf: casesOfPolicies, matchesByDay, droppedLately },
    reachDays: () => Promise.resolve(90),
    tenantName: () => Promise.resolve('A tenant'),
    authorizeElsewhere: () => Promise.reject(new AppError('TENANT_FORBIDDEN')),
  };
}
