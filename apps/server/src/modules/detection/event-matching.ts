import type { Detection, LoadPolicies, PolicyKeeper } from './detection-port.ts';
import { createEventMatcher } from './event-matcher.ts';
import { createPolicyCache } from './policy-cache.ts';

export type EventMatching = Pick<Detection, 'match'> & PolicyKeeper;

/** Holds events against policies that it keeps compiled. All it needs of the server is where policies come from. */
export function createEventMatching(deps: {
  load: LoadPolicies;
  now: () => Date;
  log: { warn(fields: Record<string, unknown>, message: string): void };
}): EventMatching {
  const cache = createPolicyCache(deps);
  return { match: createEventMatcher({ cache }), markStale: cache.markStale, markAllStale: cache.markAllStale };
}
