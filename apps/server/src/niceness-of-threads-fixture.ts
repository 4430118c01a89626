import { readdirSync, readFileSync } from 'node:fs';

/** Niceness of each thread of a process by its id, from /proc; only Linux has it. */
export function nicenessOfThreads(pid: number): Map<number, number> {
  const folder = `/proc/${pid}/task`;
  return new Map(
    readdirSync(folder).map((thread) => {
      const stat = readFileSync(`${folder}/${thread}/stat`, 'utf8');
      // The name in brackets may hold blanks; niceness is the 19th field (man proc_pid_stat).
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [Number(thread), Number(fields[16])];
    }),
  );
}
