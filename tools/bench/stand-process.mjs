import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { inRoot, root } from '../run/root.mjs';
import { processesOf } from './process-tree.mjs';
import { makeDataDir, optionsOfStart } from './running-server.mjs';

/** Of Linux; the same on every machine we have seen. */
const TICKS_PER_S = 100;

/**
 * Runs a bench against a server in a process of its own, on stores of its own. `path` is a program that takes an empty folder
 * and `more`, prints one line of JSON when it is ready, and ends on SIGTERM; the bench gets that line, and `cpuSeconds`.
 */
export async function withStand(path, more, run) {
  const dataDir = makeDataDir();
  const command = [...optionsOfStart(), '--import', 'tsx', inRoot(path), dataDir.path, ...more];
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const stand = await firstLine(child);
    const cpuSeconds = () => (process.platform === 'linux' ? cpuSecondsOf(child.pid) : 0);
    return await run({ ...stand, cpuSeconds });
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
