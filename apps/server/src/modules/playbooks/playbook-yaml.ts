/**
 * Reads and writes playbooks as YAML without holding the event loop up: a megabyte of it takes a second and more, and as
 * much memory as its author likes, so it happens in a thread of its own, limited in memory and time, two at once and a few
 * waiting. A thread that crashes or is stopped takes nothing with it. What is short is done in place.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { DraftDefinition } from '@airdeck/contracts/playbooks/schema';
import { AppError } from '../../http/app-error.ts';
import { asPlaybook, inOrder, playbookYaml, type ReadPlaybook, readPlaybookYaml } from './playbook-yaml-text.ts';
import type { YamlOrder, YamlResult } from './playbook-yaml-worker.ts';
import type { YamlData } from './yaml-data.ts';

export interface PlaybookYaml {
  /** What the text holds, or what is wrong with it and where. Throws OVERLOADED when too many are being read. */
  read(text: string): Promise<ReadPlaybook>;
  write(definition: DraftDefinition): Promise<string>;
}

/** Default 20 000 ms and 192 MB of heap for one text, and 20 that wait for their turn. */
export type YamlLimits = { readonly timeoutMs?: number; readonly heapMb?: number; readonly maxWaiting?: number };

const MAX_AT_ONCE = 2;
/** Written within a few milliseconds. */
const SMALL_CHARS = 20_000;
/** Read within a few milliseconds: there is nothing in so short a text that takes longer. */
const SHORT_CHARS = 4_000;

export function createPlaybookYaml({
  timeoutMs = 20_000,
  heapMb = 192,
  maxWaiting = 20,
}: YamlLimits = {}): PlaybookYaml {
  const inTurn = createTurns(maxWaiting);
  const work = (order: YamlOrder) => inTurn(() => runThread(order, { timeoutMs, heapMb }));
  return {
    async read(text) {
      if (text.length <= SHORT_CHARS) return readPlaybookYaml(text);
      const result = await work({ kind: 'read', text });
      return asPlaybook(result?.kind === 'read' ? result.data : tooHeavy);
    },
    async write(definition) {
      if (JSON.stringify(definition).length <= SMALL_CHARS) return playbookYaml(definition);
      const result = await work({ kind: 'write', value: inOrder(definition) });
      if (result?.kind === 'written') return result.text;
      throw new AppError('OVERLOADED', { message: 'This playbook takes too long to write just now.', retryAfterS: 60 });
    },
  };
}

const tooHeavy: YamlData = { problems: ['This text takes too long or too much memory to read.'] };

/** Lets two works run at a time and some wait; refuses the rest, who may come again. */
function createTurns(maxWaiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= MAX_AT_ONCE) {
      if (waiting.length >= maxWaiting) throw new AppError('OVERLOADED', { retryAfterS: 10 });
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

/** Undefined when the thread was stopped, or crashed, at its limits. */
async function runThread(order: YamlOrder, { timeoutMs, heapMb }: ThreadLimits): Promise<YamlResult | undefined> {
  const worker = startThread(order, heapMb);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve(undefined), timeoutMs);
      worker.once('message', (result: YamlResult) => resolve(result));
      worker.once('error', () => resolve(undefined));
      worker.once('exit', () => resolve(undefined));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** Beside this file: as TypeScript in the sources (then run through tsx), as its own bundle in a build. */
function startThread(order: YamlOrder, heapMb: number): Worker {
  const fromSource = import.meta.url.endsWith('.ts');
  const entry = new URL(fromSource ? './playbook-yaml-worker.ts' : './playbook-yaml-worker.mjs', import.meta.url);
  return new Worker(fromSource ? sourceLoader(entry) : entry, {
    eval: fromSource,
    workerData: order,
    // The thread reads a stranger's text: it has no business with the environment.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
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
