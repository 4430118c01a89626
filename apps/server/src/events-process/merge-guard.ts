import { areMergesStopped } from './disk-space.ts';

export type MergeGuard = { onSpace(free: number): void };

/**
 * Lets the engine merge only while there is room for it. Orders are given one after the other, and again after a failure
 * at the next look; what counts is always the latest look.
 */
export function createMergeGuard(order: (statement: string) => Promise<unknown>): MergeGuard {
  let wanted: 'merging' | 'stopped' = 'merging';
  let present: 'merging' | 'stopped' = 'merging';
  let ordering = false;

  function follow(): void {
    if (ordering || wanted === present) return;
    ordering = true;
    const next = wanted;
    order(next === 'stopped' ? 'system stop merges' : 'system start merges')
      .then(
        () => {
          present = next;
        },
        () => undefined,
      )
      .finally(() => {
        ordering = false;
      });
  }

  return {
    onSpace(free) {
      wanted = areMergesStopped(wanted === 'stopped', free) ? 'stopped' : 'merging';
      follow();
    },
  };
}
