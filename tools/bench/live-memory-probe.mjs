// Loaded into a server under measurement: on SIGUSR2 it collects what nothing refers to any more and notes what is left, in bytes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const { AIRDECK_BENCH_MEMORY_DIR: folder } = process.env;

if (isMainThread && folder) {
  process.on('SIGUSR2', () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(join(folder, String(process.pid)), String(heapUsed + external));
  });
}
