import { readFileSync } from 'node:fs';

/**
 * Begins to count; the function answers how much of all processors' time since then the host gave to somebody else, in percent. A
 * machine that is one of several on its host is slow then without being busy. Undefined where there is no `/proc/stat`.
 */
export function countStolen(read = readStat) {
  const before = read();
  return () => {
    const after = read();
    if (before === undefined || after === undefined || after.all === before.all) return undefined;
    return Math.round(((after.stolen - before.stolen) / (after.all - before.all)) * 1000) / 10;
  };
}

/** proc(5): the first line is of all processors; after the name user, nice, system, idle, iowait, irq, softirq and steal. */
function readStat() {
  let text;
  try {
    text = readFileSync('/proc/stat', 'utf8');
  } catch {
    return undefined;
  }
  const times = text.slice(0, text.indexOf('\n')).split(/\s+/).slice(1, 9).map(Number);
  return { stolen: times[7], all: times.reduce((sum, time) => sum + time, 0) };
}
