/**
 * Counts, in this process, what was good and bad for each promise, and adds it to the minutes that all processes share. What
 * a killed process had not added yet, ten seconds at most, is missing there; nothing is counted twice.
 */
import type { ObjectiveId } from '@airdeck/contracts/operations/objectives';
import type { Database } from '../../storage/database.ts';
import { addToMinutes, type MinuteCount } from './objective-repository.ts';

const MINUTE_MS = 60_000;

export type ObjectiveCounts = {
  add(objective: ObjectiveId, isGood: boolean): void;
  /** Adds what was counted since the last time. What could not be added is kept for the next time. */
  flush(): Promise<void>;
};

export function createObjectiveCounts(deps: { db: Pick<Database, 'system'>; now: () => Date }): ObjectiveCounts {
  let counted = new Map<string, MinuteCount>();

  function countOf(objective: ObjectiveId, minute: number): MinuteCount {
    const key = `${objective} ${minute}`;
    const known = counted.get(key);
    if (known !== undefined) return known;
    const fresh = { objective, minute: new Date(minute), good: 0, bad: 0 };
    counted.set(key, fresh);
    return fresh;
  }

  return {
    add(objective, isGood) {
      const count = countOf(objective, Math.floor(deps.now().getTime() / MINUTE_MS) * MINUTE_MS);
      if (isGood) count.good++;
      else count.bad++;
    },
    async flush() {
      const taken = counted;
      counted = new Map();
      try {
        await deps.db.system((tx) => addToMinutes(tx, [...taken.values()]));
      } catch (error) {
        for (const { objective, minute, good, bad } of taken.values()) {
          const count = countOf(objective, minute.getTime());
          count.good += good;
          count.bad += bad;
        }
        throw error;
      }
    },
  };
}
