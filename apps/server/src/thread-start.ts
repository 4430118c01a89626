import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type ResourceLimits, Worker } from 'node:worker_threads';

export type ThreadStart = { order: unknown; transfer?: readonly ArrayBuffer[]; limits: ResourceLimits };

/**
 * Starts a thread whose file reads its order from `workerData`: TypeScript in the sources, its own bundle beside the server's
 * in a build.
 */
export function startThread(entry: URL, { order, transfer = [], limits }: ThreadStart): Worker {
  const fromSource = entry.pathname.endsWith('.ts');
  return new Worker(fromSource ? sourceLoader(entry) : entry, {
    eval: fromSource,
    workerData: order,
    transferList: [...transfer],
    // It has no business with the environment.
    env: {},
    execArgv: [],
    resourceLimits: limits,
  });
}

/** The entry of a thread that stands beside the calling file, which passes its own `import.meta.url`. */
export function threadEntry(name: string, beside: string): URL {
  return new URL(`./${name}.${beside.endsWith('.ts') ? 'ts' : 'mjs'}`, beside);
}

/**
 * Node 20 does not take `--import` for threads, so in the sources the thread begins with a line that registers tsx: as a
 * module, because the CommonJS form of it looks for its loader in the wrong folder.
 */
function sourceLoader(entry: URL): string {
  const file = createRequire(import.meta.url)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs');
  const loader = JSON.stringify(pathToFileURL(file).href);
  return `import(${loader}).then(({ register }) => { register(); return import(${JSON.stringify(entry.href)}); });`;
}
