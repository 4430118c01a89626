import { createHash } from 'node:crypto';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import { POLICY_STEPS_MAX } from '@airdeck/contracts/policies/schema';
import type { PolicyMatch } from './detection-port.ts';

/** All matches of one batch for one policy and group; every event once. */
export type MatchedGroup = {
  readonly tenant: string;
  readonly policyId: string;
  readonly groupKey: string;
  readonly groupValues: Record<string, string>;
  readonly events: Map<string, StoredEvent>;
  /** Of a sequence: the steps that events fit, as bits of a number by the event's id. */
  readonly steps: Map<string, number>;
};

const MAX_KEY_BYTES = 500;

/** Group values come from logs and may be long; the index that holds the keys does not take more than 2,700 bytes. */
export function storedGroupKey(groupKey: string): string {
  if (Buffer.byteLength(groupKey) <= MAX_KEY_BYTES) return groupKey;
  return `sha256:${createHash('sha256').update(groupKey).digest('hex')}`;
}

/**
 * Groups of a batch in one order that every process uses: whoever locks several groups locks them in this order, so two
 * batches wait for each other at most once.
 */
export function groupBatch(matches: readonly PolicyMatch[]): MatchedGroup[] {
  const groups = new Map<string, MatchedGroup>();
  for (const { tenant, policyId, groupKey, groupValues, steps, event } of matches) {
    const name = groupName({ tenant, policyId, groupKey });
    let group = groups.get(name);
    if (group === undefined) {
      group = { tenant, policyId, groupKey, groupValues, events: new Map(), steps: new Map() };
      groups.set(name, group);
    }
    group.events.set(event.id, event);
    if (steps !== undefined) group.steps.set(event.id, stepBits(steps));
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

/** Which steps an event fits, as it is stored: bit n for step n. */
export function stepBits(steps: readonly number[]): number {
  return steps.reduce((bits, step) => bits | (1 << step), 0);
}

export function stepsOfBits(bits: number): number[] {
  return Array.from({ length: POLICY_STEPS_MAX }, (_, step) => step).filter((step) => (bits & (1 << step)) !== 0);
}

export function groupName(group: { tenant: string; policyId: string; groupKey: string }): string {
  return `${group.tenant}/${group.policyId}/${group.groupKey}`;
}
