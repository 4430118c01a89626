import { ApiError, type ErrorCategory } from '@airdeck/api-client/api-error';
import { expect, test } from 'vitest';
import { createCallIntent } from './call-intent.ts';

const failed = (category: ErrorCategory) =>
  new ApiError({ endpoint: '', method: 'POST', category, code: 'X', message: 'No.' });

function intent() {
  let made = 0;
  return createCallIntent(() => `key-${++made}`);
}

test.each(['network', 'timeout', 'server'] as const)(
  'after a lost answer (%s) the same input is the same call',
  (lost) => {
    const { keyFor, settle } = intent();
    expect(keyFor({ address: '192.0.2.7' })).toBe('key-1');
    settle(failed(lost));
    expect(keyFor({ address: '192.0.2.7' })).toBe('key-1');
  },
);

test('another input is another call, also after a lost answer', () => {
  const { keyFor, settle } = intent();
  keyFor({ address: '192.0.2.7' });
  settle(failed('timeout'));
  expect(keyFor({ address: '192.0.2.8' })).toBe('key-2');
});

test('once it is known what became of it, the same input means once more', () => {
  const { keyFor, settle } = intent();
  keyFor({ address: '192.0.2.7' });
  settle();
  expect(keyFor({ address: '192.0.2.7' })).toBe('key-2');
  settle(failed('client'));
  expect(keyFor({ address: '192.0.2.7' })).toBe('key-3');
});
