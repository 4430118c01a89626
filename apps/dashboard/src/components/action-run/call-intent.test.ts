import { ApiError, type ErrorCategory } from '@airdeck/api-client/api-error';
import { expect, test } from 'vitest';
import { createCallIntent } from './call-intent.ts';

const confirmation = { title: 'Really?', text: 'It is gone then.', action_label: 'Delete' };

type Failing = ErrorCategory | 'confirmation';

function failed(how: Failing) {
  const why = how === 'confirmation' ? ({ category: 'client', status: 449, confirmation } as const) : { category: how };
  return new ApiError({ endpoint: '', method: 'POST', code: 'X', message: 'No.', ...why });
}

/** A button that says which key its call had, and how that ended. */
function button() {
  let made = 0;
  const intent = createCallIntent(() => `key-${++made}`);
  return async (meant: unknown, fails?: Failing) => {
    let used = '';
    const call = intent.once(meant, (key) => {
      used = key;
      return fails === undefined ? Promise.resolve('done') : Promise.reject(failed(fails));
    });
    if (fails === undefined) expect(await call).toBe('done');
    else await expect(call).rejects.toMatchObject(fails === 'confirmation' ? { status: 449 } : { category: fails });
    return used;
  };
}

test.each(['network', 'timeout', 'server', 'unknown'] as const)(
  'after a lost answer (%s) the same input is the same call',
  async (lost) => {
    const press = button();
    expect(await press({ address: '192.0.2.7' }, lost)).toBe('key-1');
    expect(await press({ address: '192.0.2.7' }, lost)).toBe('key-1');
    expect(await press({ address: '192.0.2.7' })).toBe('key-1');
    expect(await press({ address: '192.0.2.7' })).toBe('key-2');
  },
);

test('another input is another call, also after a lost answer', async () => {
  const press = button();
  await press({ address: '192.0.2.7' }, 'timeout');
  expect(await press({ address: '192.0.2.8' })).toBe('key-2');
});

test('once it is known what became of it, the same input means once more', async () => {
  const press = button();
  await press({ address: '192.0.2.7' });
  expect(await press({ address: '192.0.2.7' }, 'client')).toBe('key-2');
  expect(await press({ address: '192.0.2.7' })).toBe('key-3');
});

test('what is confirmed is the call that was asked about', async () => {
  const press = button();
  expect(await press('delete', 'confirmation')).toBe('key-1');
  expect(await press('delete')).toBe('key-1');
});

test('a lost answer is remembered, whatever else is pressed meanwhile', async () => {
  const press = button();
  expect(await press({ comment: 'Seen.' }, 'timeout')).toBe('key-1');
  expect(await press({ assignee: 'me' })).toBe('key-2');
  expect(await press({ comment: 'Seen.' })).toBe('key-1');
});
