import { expect, test } from 'vitest';
import { createInvalidationQueue } from './invalidation-queue.ts';
import { changedResources } from './live-updates.ts';

function setUp() {
  const flushed: (readonly string[])[] = [];
  const timers: (() => void)[] = [];
  const queue = createInvalidationQueue<string>({
    gapMs: 1000,
    invalidate: (keys) => flushed.push(keys),
    after: (_, callback) => {
      timers.push(callback);
      return () => void timers.splice(timers.indexOf(callback), 1);
    },
  });
  return { queue, flushed, tick: () => timers.shift()?.(), timers };
}

test('the first change is not delayed, a burst after it is gathered, and nothing is left running', () => {
  const { queue, flushed, tick, timers } = setUp();
  queue.add(['cases']);
  for (let index = 0; index < 1000; index += 1) queue.add(['cases', 'dashboards']);
  expect(flushed).toEqual([['cases']]);
  tick();
  expect(flushed).toEqual([['cases'], ['cases', 'dashboards']]);
  tick();
  expect(timers).toEqual([]);
  queue.add(['prompts']);
  expect(flushed).toHaveLength(3);
});

test('after stop nothing is invalidated', () => {
  const { queue, flushed, timers } = setUp();
  queue.add(['cases']);
  queue.add(['cases']);
  queue.stop();
  expect(timers).toEqual([]);
  expect(flushed).toHaveLength(1);
});

test.each([
  [{ id: '1', kind: 'case' }, ['cases', 'dashboards']],
  [
    { id: '1', kind: 'run' },
    ['playbook-runs', 'action-runs', 'prompts', 'cases', 'rule-responses', 'automation-rules'],
  ],
  [{ id: '1', kind: 'of a later release' }, []],
  [{ id: '1', kind: 'toString' }, []],
  [null, []],
  ['text', []],
])('%j makes %j stale', (message, resources) => {
  expect(changedResources(message)).toEqual(resources);
});
