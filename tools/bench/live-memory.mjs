import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inRoot } from '../run/root.mjs';

const ANSWERS_WITHIN_MS = 10_000;
const POLL_MS = 20;
const LOOKS = 3;
/** Between two looks, so that not each meets the same batches on their way. */
const LOOK_EVERY_MS = 1_500;
const MB = 1_048_576;

/**
 * What is left in a Node process when everything has been collected that nothing refers to: unlike its size, it tells a leak
 * of a megabyte within minutes. Main threads only. `environment` is for the server to be measured.
 */
export function createLiveMemory({ lookEveryMs = LOOK_EVERY_MS } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'airdeck-memory-'));
  const probe = pathToFileURL(inRoot('tools/bench/live-memory-probe.mjs')).href;

  async function lookAt(pid) {
    const file = join(folder, String(pid));
    rmSync(file, { force: true });
    process.kill(pid, 'SIGUSR2');
    for (const from = performance.now(); performance.now() - from < ANSWERS_WITHIN_MS; await wait(POLL_MS)) {
      const bytes = Number(readNow(file));
      if (bytes > 0) return bytes / MB;
    }
    throw new Error(`Process ${pid} did not say how much memory it uses.`);
  }

  return {
    environment: { NODE_OPTIONS: `--import ${probe}`, AIRDECK_BENCH_MEMORY_DIR: folder },
    /** In MB, all of these processes together; the least of three looks, as work on its way comes and goes. */
    async of(pids) {
      let least = Number.POSITIVE_INFINITY;
      for (let look = 0; look < LOOKS; look++) {
        if (look > 0) await wait(lookEveryMs);
        let sum = 0;
        for (const pid of pids) sum += await lookAt(pid);
        least = Math.min(least, sum);
      }
      return least;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Empty while it is not written. */
function readNow(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
