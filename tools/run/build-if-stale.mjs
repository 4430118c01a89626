import { spawnSync } from 'node:child_process';
import { staleTargets } from './build-stamp.mjs';
import { inRoot, root } from './root.mjs';

/**
 * Builds what is older than its sources; false when that failed. In a process of its own, so that the compilers' memory
 * is given back. `output` is where the build's words go: stdout is for results where a program reads them.
 */
export function buildIfStale(wanted, output = 'inherit') {
  const stale = staleTargets().filter((target) => wanted.includes(target));
  if (stale.length === 0) return true;
  const stdio = ['ignore', output, 'inherit'];
  return spawnSync(process.execPath, [inRoot('tools', 'build.mjs'), ...stale], { cwd: root, stdio }).status === 0;
}
