/**
 * Reads uploaded descriptions of APIs in a thread of their own.
 *
 * Parsing five megabytes of YAML takes seconds and as much memory as its author likes, so it happens neither on the event
 * loop nor without bounds: one thread a document, limited in memory and time, at most two at once and a few waiting. The
 * event loop copies the bytes in and receives a bounded result. A thread that crashes or is stopped takes nothing with it.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { MAX_DOCUMENT_BYTES } from './openapi-document.ts';
import { OpenapiError } from './openapi-error.ts';
import type { OpenapiIntegration } from './openapi-integration.ts';
import type { DocumentOverview } from './openapi-overview.ts';
import type { ReadingOrder, ReadingResult } from './openapi-worker.ts';

export interface OpenapiReader {
  /** What can be chosen. Throws `OpenapiError`. */
  list(bytes: Uint8Array): Promise<DocumentOverview>;
  /** The integration of the chosen operations, by their keys. Throws `OpenapiError`. */
  make(bytes: Uint8Array, chosen: readonly string[]): Promise<OpenapiIntegration>;
}

/** Default 20 000 ms and 384 MB of heap for one document, and 10 documents that wait for their turn. */
export type ReaderLimits = { readonly timeoutMs?: number; readonly heapMb?: number; readonly maxWaiting?: number };

const MAX_AT_ONCE = 2;

export function createOpenapiReader({
  timeoutMs = 20_000,
  heapMb = 384,
  maxWaiting = 10,
}: ReaderLimits = {}): OpenapiReader {
  const inTurn = createTurns(maxWaiting);

  async function read(bytes: Uint8Array, chosen: readonly string[] | null): Promise<ReadingResult> {
    // Before any copy is made of it.
    if (bytes.byteLength > MAX_DOCUMENT_BYTES) {
      throw new OpenapiError('DOCUMENT_TOO_LARGE', 'The document has more than 5 MB.');
    }
    const result = await inTurn(() => runThread({ bytes: copied(bytes), chosen }, { timeoutMs, heapMb }));
    if (result.kind === 'refused') throw new OpenapiError(result.code, result.message);
    return result;
  }

  return {
    async list(bytes) {
      const result = await read(bytes, null);
      if (result.kind === 'listed') return result.overview;
      throw stopped();
    },
    async make(bytes, chosen) {
      const result = await read(bytes, chosen);
      if (result.kind === 'made') return result.integration;
      throw stopped();
    },
  };
}

function copied(bytes: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return copy;
}

/** Lets two works run at a time and some wait; refuses the rest, who may come again. */
function createTurns(maxWaiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= MAX_AT_ONCE) {
      if (waiting.length >= maxWaiting) {
        throw new OpenapiError('READING_STOPPED', 'Too many documents are being read just now. Try again in a minute.');
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}

type ThreadLimits = { readonly timeoutMs: number; readonly heapMb: number };

async function runThread(order: ReadingOrder, { timeoutMs, heapMb }: ThreadLimits): Promise<ReadingResult> {
  const worker = startThread(order, heapMb);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ReadingResult>((resolve, reject) => {
      timer = setTimeout(() => reject(stopped()), timeoutMs);
      worker.once('message', (result: ReadingResult) => resolve(result));
      worker.once('error', (cause) => reject(stopped(cause)));
      worker.once('exit', () => reject(stopped()));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** Beside this file: as TypeScript in the sources (then run through tsx), as its own bundle in a build. */
function startThread(order: ReadingOrder, heapMb: number): Worker {
  const fromSource = import.meta.url.endsWith('.ts');
  const entry = new URL(fromSource ? './openapi-worker.ts' : './openapi-worker.mjs', import.meta.url);
  return new Worker(fromSource ? sourceLoader(entry) : entry, {
    eval: fromSource,
    workerData: order,
    transferList: [order.bytes],
    // The thread reads a stranger's document: it has no business with the environment.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
  });
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

function stopped(cause?: unknown): OpenapiError {
  return new OpenapiError('READING_STOPPED', 'The document takes too long or too much memory to read.', { cause });
}
