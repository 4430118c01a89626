import { ApiError } from '@airdeck/api-client/api-error';
import { expect, test } from 'vitest';
import { createToastQueue, showError, type Toast, toasts } from './toasts.ts';

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

test('nothing is kept when it is cleared, also of what a screen showed that is gone; closed, nothing is taken', () => {
  const queue = createToastQueue();
  const shown: string[] = [];
  queue.add({ message: 'waits' });
  queue.clear();
  const stop = queue.drainTo(
    ({ message }) => shown.push(message),
    () => shown.splice(0),
  );
  queue.add({ message: 'shows' });
  expect(shown).toEqual(['shows']);
  stop();
  queue.close();
  queue.add({ message: 'late' });
  queue.clear();
  expect(shown).toEqual([]);
  queue.open();
  queue.add({ message: 'next' });
  queue.drainTo(({ message }) => shown.push(message));
  expect(shown).toEqual(['next']);
});

test('a call that was called off and a question of the server are no failure to tell', () => {
  const shown: Toast[] = [];
  const stop = toasts.drainTo((toast) => shown.push(toast));
  const at = { endpoint: '/x', method: 'POST', code: 'X', message: 'No.' };
  showError(new ApiError({ ...at, category: 'abort' }));
  showError(new ApiError({ ...at, category: 'client', status: 449 }));
  expect(shown).toEqual([]);
  showError(new ApiError({ ...at, category: 'client', status: 409 }));
  expect(shown).toMatchObject([{ message: 'No.', danger: true }]);
  stop();
});
