import { readdirSync, readFileSync } from 'node:fs';

/** Niceness of each thread of a process by its id, from /proc; only Linux has it. */
export function nicenessOfThreads(pid: number): Map<number, number> {
  const folder = `/proc/${pid}/task`;
  const found = new Map<number, number>();
  for (const thread of readdirSync(folder)) {
    const stat = statOf(`${folder}/${thread}/stat`);
    // The name in brackets may hold blanks; niceness is the 19th field (man proc_pid_stat).
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields !== undefined) found.set(Number(thread), Number(fields[16]));
  }
  return found;
}

/** Undefined for a thread that has ended meanwhile. */
function statOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
