import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { inRoot, root } from '../run/root.mjs';
import { processesOf } from './process-tree.mjs';
import { figuresOf } from './registry.mjs';
import { makeDataDir } from './running-server.mjs';
import { importSource } from './sources.mjs';

/** Of Linux; the same on every machine we have seen. */
const TICKS_PER_S = 100;

const units = {
  list_per_s: 'requests/s',
  list_p50_ms: 'ms',
  list_p99_ms: 'ms',
  ...(process.platform === 'linux' ? { cpu_ms_per_list: 'ms' } : {}),
  fresh_per_s: 'requests/s',
  fresh_p99_ms: 'ms',
  ...(process.platform === 'linux' ? { cpu_ms_per_fresh: 'ms' } : {}),
  one_connection_p50_ms: 'ms',
  one_connection_p99_ms: 'ms',
  calm_p99_ms: 'ms',
  flooded_p99_ms: 'ms',
  flooded_to_calm: 'x',
  refused_per_s: 'requests/s',
};

/** Rounds on one server with 100,000 cases, in a process of its own with an embedded database of its own. */
export async function runList({ full }) {
  const { runListBench } = await importSource('apps/server/bench/list-bench.ts');
  const dataDir = makeDataDir();
  const command = ['--import', 'tsx', inRoot('apps/server/bench/list-stand.ts'), dataDir.path];
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const stand = await firstLine(child);
    const cpuSeconds = () => (process.platform === 'linux' ? cpuSecondsOf(child.pid) : 0);
    const rounds = [];
    for (let round = 0; round < (full ? 3 : 1); round++) {
      rounds.push(await runListBench({ ...stand, cpuSeconds, seconds: full ? 20 : 10 }));
    }
    return figuresOf(rounds, units);
  } finally {
    const gone = child.exitCode === null ? new Promise((resolve) => child.once('exit', resolve)) : undefined;
    child.kill('SIGTERM');
    await gone;
    dataDir.remove();
  }
}

async function firstLine(child) {
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
  throw new Error('The server ended while starting.');
}

/** Processor time of the server and of its stores, children that ended included. */
function cpuSecondsOf(pid) {
  return processesOf(pid).reduce((sum, one) => sum + ticksOf(one), 0) / TICKS_PER_S;
}

function ticksOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    // It ended between being listed and being read.
    return 0;
  }
}
