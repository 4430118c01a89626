import { ApiError } from '@airdeck/api-client/api-error';
import { expect, test } from 'vitest';
import { IdentityError } from '../../session/identity-provider.ts';
import { wasCancelled } from './cancelled.ts';
import { createDialogQueue } from './dialog-queue.ts';

const question = { title: 'Delete?', text: 'Gone for good.', action_label: 'Delete' };

function failure(code: string, fields: Partial<ConstructorParameters<typeof ApiError>[0]> = {}): ApiError {
  return new ApiError({ endpoint: '/me', method: 'DELETE', category: 'client', message: code, code, ...fields });
}

function shown(queue: ReturnType<typeof createDialogQueue>) {
  const dialog = queue.current();
  if (dialog?.kind !== 'confirmation') throw new Error('no confirmation is shown');
  return dialog;
}

const settled = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

test('a confirmation resolves with what the repeated call answered, and is gone', async () => {
  const queue = createDialogQueue();
  const answer = queue.confirm(question, async (passphrase) => `deleted ${passphrase}`);
  expect(await shown(queue).submit('ana')).toBeUndefined();
  expect(await answer).toBe('deleted ana');
  expect(queue.current()).toBeUndefined();
});

test('twenty submissions at once repeat the call once', async () => {
  const queue = createDialogQueue();
  let calls = 0;
  let finish: (() => void) | undefined;
  const answer = queue.confirm(question, async () => {
    calls += 1;
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  const dialog = shown(queue);
  const submissions = Array.from({ length: 20 }, () => dialog.submit(undefined));
  finish?.();
  await Promise.all(submissions);
  await answer;
  expect(calls).toBe(1);
});

test('a wrong passphrase stays in the dialog, which can be answered again', async () => {
  const queue = createDialogQueue();
  const answer = queue.confirm(question, async (passphrase) => {
    if (passphrase !== 'right') throw failure('CONFIRMATION_WRONG', { category: 'auth', status: 403 });
  });
  expect(await shown(queue).submit('wrong')).toMatchObject({ code: 'CONFIRMATION_WRONG' });
  expect(queue.current()).toBeDefined();
  expect(await shown(queue).submit('right')).toBeUndefined();
  await answer;
});

test('a failure that is not about the confirmation goes to the owner of the action', async () => {
  const queue = createDialogQueue();
  const answer = settled(
    queue.confirm(question, async () => {
      throw failure('LAST_ADMIN', { status: 409 });
    }),
  );
  expect(await shown(queue).submit(undefined)).toBeUndefined();
  expect(await answer).toMatchObject({ error: { code: 'LAST_ADMIN' } });
  expect(queue.current()).toBeUndefined();
});

test('left, nothing is called and the action ends as cancelled', async () => {
  const queue = createDialogQueue();
  let called = false;
  const answer = settled(
    queue.confirm(question, async () => {
      called = true;
    }),
  );
  shown(queue).leave();
  const result = await answer;
  expect('error' in result && wasCancelled(result.error)).toBe(true);
  expect(called).toBe(false);
});

test('while the call is under way the dialog cannot be left: the effect may be there already', async () => {
  const queue = createDialogQueue();
  let finish: ((value: string) => void) | undefined;
  const answer = queue.confirm(
    question,
    () =>
      new Promise<string>((resolve) => {
        finish = resolve;
      }),
  );
  const submitted = shown(queue).submit(undefined);
  queue.leaveAll();
  expect(queue.current()).toBeDefined();
  finish?.('done');
  await submitted;
  expect(await answer).toBe('done');
});

test('left after the connection broke, the failure is told, because the effect may be there', async () => {
  const queue = createDialogQueue();
  const answer = settled(
    queue.confirm(question, async () => {
      throw failure('UNREACHABLE', { category: 'network' });
    }),
  );
  expect(await shown(queue).submit(undefined)).toMatchObject({ code: 'UNREACHABLE' });
  shown(queue).leave();
  expect(await answer).toMatchObject({ error: { code: 'UNREACHABLE' } });
});

test('dialogs of several actions are shown one after the other', async () => {
  const queue = createDialogQueue();
  const first = queue.confirm(question, async () => 1);
  const second = queue.confirm({ ...question, title: 'Second?' }, async () => 2);
  expect(shown(queue).confirmation.title).toBe('Delete?');
  await shown(queue).submit(undefined);
  expect(shown(queue).confirmation.title).toBe('Second?');
  await shown(queue).submit(undefined);
  expect(await Promise.all([first, second])).toEqual([1, 2]);
});

test('a refused proof can be given again', async () => {
  const queue = createDialogQueue();
  const given: unknown[] = [];
  const answer = queue.prove(async (proof) => {
    given.push(proof);
    if (given.length === 1) throw new IdentityError('CODE_WRONG');
  });
  const dialog = queue.current();
  if (dialog?.kind !== 'proof') throw new Error('no proof is asked for');
  expect(await dialog.submit({ code: '000000' })).toMatchObject({ code: 'CODE_WRONG' });
  await dialog.submit({ code: '123456' });
  await answer;
  expect(given).toEqual([{ code: '000000' }, { code: '123456' }]);
});
