import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { AppError } from './http/app-error.ts';
import { openCalls } from './thread-calls.ts';

type Answered = {
  doubled(order: number): number;
  refused(): never;
  broken(): never;
  size(order: Uint8Array): number;
};

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function bothSides() {
  const { port1, port2 } = new MessageChannel();
  closing.push(() => port1.close());
  const heard: string[] = [];
  openCalls(port2, {
    doubled: (order: number) => order * 2,
    async refused() {
      throw new AppError('BODY_NOT_DECODABLE', { message: 'It breaks off.', retryAfterS: 3, underWayMs: 7 });
    },
    broken() {
      throw new RangeError('out of range');
    },
    size: (order: Uint8Array) => order.byteLength,
    heard: (order: string) => heard.push(order),
    toString: () => 'ours',
  });
  return { calls: openCalls<Answered & { heard(order: string): void }>(port1, {}), heard };
}

test('each question gets its own answer, whatever the order', async () => {
  const { calls } = bothSides();
  expect(await Promise.all([1, 2, 3].map((order) => calls.ask('doubled', order)))).toEqual([2, 4, 6]);
});

test('a refusal arrives as the same refusal, any other failure as an error with its message and stack', async () => {
  const { calls } = bothSides();
  const refusal = await calls.ask('refused', undefined).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({
    ...{ code: 'BODY_NOT_DECODABLE', message: 'It breaks off.', status: 400 },
    ...{ retryAfterS: 3, underWayMs: 7 },
  });
  const failure = await calls.ask('broken', undefined).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'RangeError', message: 'out of range' });
  expect((failure as Error).stack).toContain('thread-calls.test.ts');
});

test('what is given away arrives without a copy and is gone here', async () => {
  const { calls } = bothSides();
  const bytes = new Uint8Array(1_000);
  expect(await calls.ask('size', bytes, [bytes.buffer])).toBe(1_000);
  expect(bytes.byteLength).toBe(0);
});

test('what cannot be sent is refused, and so is everything after the end: nobody waits for ever', async () => {
  const { calls } = bothSides();
  await expect(calls.ask('doubled', (() => 1) as never)).rejects.toThrow('could not be cloned');
  const left = calls.ask('doubled', 1);
  calls.end(new Error('over'));
  await expect(left).rejects.toThrow('over');
  await expect(calls.ask('doubled', 1)).rejects.toThrow('over');
});

test('what is only told is heard, and an answer that cannot be sent is a failure', async () => {
  const { calls, heard } = bothSides();
  calls.tell('heard', 'news');
  await expect.poll(() => heard).toEqual(['news']);
});
