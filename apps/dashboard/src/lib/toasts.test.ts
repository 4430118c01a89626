import { expect, test } from 'vitest';
import { createToastQueue, type Toast } from './toasts.ts';

test('toasts that come before anything can show them are shown once, in order', () => {
  const queue = createToastQueue();
  const shown: Toast[] = [];
  expect(queue.isWanted()).toBe(false);
  queue.add({ message: 'one' });
  queue.add({ message: 'two' });
  expect(queue.isWanted()).toBe(true);
  const stop = queue.drainTo((toast) => shown.push(toast));
  queue.add({ message: 'three' });
  stop();
  queue.drainTo((toast) => shown.push(toast));
  expect(shown.map(({ message }) => message)).toEqual(['one', 'two', 'three']);
});
