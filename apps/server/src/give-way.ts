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
  if (process.platform === 'linux') setPriority(niceness());
}

/** Every thread of this process, and those they start from now on. */
export function giveWayAltogether(): void {
  if (process.platform !== 'linux') return;
  const own = niceness();
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), own);
    } catch (error) {
      // One that has ended meanwhile.
      if ((error as { info?: { code?: string } }).info?.code !== 'ESRCH') throw error;
    }
  }
}

function niceness(): number {
  return Math.min(NICENESS_MAX, getPriority() + NICENESS);
}
