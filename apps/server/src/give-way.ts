/**
 * Work in bulk lets others go first where processors are short, so that whoever answers people need not wait behind it. Linux
 * counts niceness by thread; elsewhere it would be that of the whole process, so there nothing happens. See
 * docs/decisions/0027-bulk-work-gives-way.md.
 */
import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Of the scheduler's weights a third: who gives way still gets on. */
const NICENESS = 5;
const NICENESS_MAX = 19;

/** The calling thread, and those it starts from now on. */
export function giveWay(): void {
  giveWayIn(['0']);
}

/** Every thread of this process, and those they start from now on. */
export function giveWayAltogether(): void {
  if (process.platform === 'linux') giveWayIn(readdirSync('/proc/self/task'));
}

function giveWayIn(threads: readonly string[]): void {
  if (process.platform !== 'linux') return;
  const niceness = Math.min(NICENESS_MAX, getPriority() + NICENESS);
  for (const thread of threads) {
    try {
      setPriority(Number(thread), niceness);
    } catch {
      // It has ended meanwhile, or a sandbox forbids it: nothing depends on it.
    }
  }
}
