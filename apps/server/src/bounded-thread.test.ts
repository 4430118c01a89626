import { describe, expect, it } from 'vitest';
import { createBoundedThread, ThreadError } from './bounded-thread.ts';

// JavaScript, so that a thread starts without the loader of the sources.
const code = `
  import { workerData, parentPort } from 'node:worker_threads';
  const { cell, ends } = workerData;
  const places = new Int32Array(cell);
  Atomics.add(places, 0, 1);
  if (Atomics.load(places, 0) > Atomics.load(places, 1)) Atomics.store(places, 1, Atomics.load(places, 0));
  if (ends === 'crash') throw new Error('broken');
  if (ends === 'never') for (;;);
  Atomics.wait(places, 2, 0, 50);
  Atomics.sub(places, 0, 1);
  parentPort.postMessage(ends);
`;
const entry = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
const shared = () => new SharedArrayBuffer(12);
const codeOf = (error: unknown) => (error instanceof ThreadError ? error.code : error);

describe('a bounded thread', () => {
  it('runs two at a time, whoever comes while a place is handed over', async () => {
    const work = createBoundedThread<object, string>(entry, { timeoutMs: 30_000, heapMb: 32, maxWaiting: 20 });
    const cell = shared();
    // Each asks again in the very moment its answer is there.
    const chain = async () => {
      for (let round = 0; round < 4; round++) expect(await work({ cell, ends: 'well' })).toBe('well');
    };
    await Promise.all([chain(), chain(), chain(), chain()]);
    expect(new Int32Array(cell)[1]).toBeLessThanOrEqual(2);
    expect(new Int32Array(cell)[0]).toBe(0);
  });

  it('refuses who may not wait any more, and takes the next when there is room', async () => {
    const work = createBoundedThread<object, string>(entry, { timeoutMs: 30_000, heapMb: 32, maxWaiting: 1 });
    const cell = shared();
    const asked = Array.from({ length: 4 }, () => work({ cell, ends: 'well' }).catch(codeOf));
    expect((await Promise.all(asked)).sort()).toEqual(['TOO_MANY', 'well', 'well', 'well']);
    expect(await work({ cell, ends: 'well' })).toBe('well');
  });

  it.each(['crash', 'never'])('says that it was stopped, and goes on with the next (%s)', async (ends) => {
    const work = createBoundedThread<object, string>(entry, { timeoutMs: 5_000, heapMb: 32, maxWaiting: 20 });
    const cell = shared();
    expect(await work({ cell, ends }).catch(codeOf)).toBe('STOPPED');
    expect(await work({ cell, ends: 'well' })).toBe('well');
  });
});
