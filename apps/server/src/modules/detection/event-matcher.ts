import type { StoredEvent } from '@airdeck/contracts/events/event';
import { evaluateInSteps } from '@airdeck/detection/policy-set';
import { inSlices } from '../../loop-share.ts';
import type { PolicyMatch } from './detection-port.ts';
import { storedGroupKey } from './group-batch.ts';
import type { PolicyCache } from './policy-cache.ts';

/** Looking at the clock costs as much as an easy event. */
const EVENTS_PER_LOOK = 32;

export function createEventMatcher({
  cache,
}: {
  cache: Pick<PolicyCache, 'setOf'>;
}): (events: readonly StoredEvent[]) => Promise<PolicyMatch[]> {
  return async (events) => {
    const sets = new Map(
      await Promise.all(
        [...new Set(events.map((event) => event.tenant))].map(
          async (tenant) => [tenant, await cache.setOf(tenant)] as const,
        ),
      ),
    );
    const matches: PolicyMatch[] = [];
    const slices = inSlices();
    for (const [index, event] of events.entries()) {
      const set = sets.get(event.tenant);
      if (set === undefined || set.size === 0) continue;
      const steps = evaluateInSteps(set, event);
      let step = steps.next();
      for (; !step.done; step = steps.next()) if (slices.isOver) await slices.next();
      for (const hit of step.value) {
        matches.push({ ...hit, tenant: event.tenant, groupKey: storedGroupKey(hit.groupKey), event });
      }
      if (index % EVENTS_PER_LOOK === 0 && slices.isOver) await slices.next();
    }
    return matches;
  };
}
