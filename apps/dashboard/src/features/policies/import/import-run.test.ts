import { ApiError } from '@airdeck/api-client/api-error';
import { expect, test } from 'vitest';
import { dialogs } from '../../../components/confirmation/dialog-queue.ts';
import type { TenantApi } from '../../../lib/tenant-api.ts';
import { type Going, isThrough, runImport, startOf } from './import-run.ts';
import { planImport } from './outcomes.ts';

const { signal } = new AbortController();
/** Each is more than half of what one portion holds. */
const files = ['a.yml', 'b.yml', 'c.yml'].map((name) => ({ name, text: `title: ${name}\n#${'é'.repeat(190_000)}` }));
const plan = (chosen = files) => planImport({ files: chosen, leftOut: [] }, signal);
const rule = (file: string, more: object = {}) => ({
  ...{ file, id: '', title: file, status: 'imported', policy_id: null },
  ...more,
});

type Call = { idempotencyKey?: string; confirm?: object; body: { files: { name: string }[]; dry_run: boolean } };
const apiOf = (call: (controls: Call) => unknown) =>
  ({ api: { call: async (_id: string, controls: Call) => call(controls) }, tenantId: 'one' }) as unknown as TenantApi;
const answerOf = ({ body }: Call) => ({ rules: body.files.map(({ name }) => rule(name)) });

/** Runs from there on, and says how far it came. */
async function ran(api: TenantApi, from: Going, more: { intent?: string; isStopped?: () => boolean } = {}) {
  let going = from;
  const choices = { license: '', replace: false };
  const onProgress = (next: Going) => {
    going = next;
  };
  const how = { intent: 'one', isStopped: () => false, ...more };
  const error = await runImport(api, { from, choices, signal, onProgress, ...how }).catch((cause: unknown) => cause);
  return { going, error };
}
const checkOf = async () => ({ ...startOf(await plan()), expected: 3 });

test('after a failure only what is left is sent, under the keys of before; another intent has others', async () => {
  const sent: [string | undefined, string[]][] = [];
  const api = apiOf((call) => {
    sent.push([call.idempotencyKey, call.body.files.map(({ name }) => name)]);
    if (sent.length === 2) throw new TypeError('Failed to fetch');
    return answerOf(call);
  });
  const check = await checkOf();
  const first = await ran(api, startOf(check.plan, check));
  expect(first.error).toBeInstanceOf(TypeError);
  expect(first.going.outcomes.map(({ file }) => file)).toEqual(['a.yml']);
  expect(isThrough(first.going)).toBe(false);
  const second = await ran(api, first.going);
  expect(second.going.outcomes.map(({ file }) => file)).toEqual(['a.yml', 'b.yml', 'c.yml']);
  expect(isThrough(second.going)).toBe(true);
  expect(sent).toEqual([
    ['one-0', ['a.yml']],
    ['one-1', ['b.yml']],
    ['one-1', ['b.yml']],
    ['one-2', ['c.yml']],
  ]);
  await ran(api, startOf(check.plan, check), { intent: 'two' });
  expect(sent.at(-1)?.[0]).toBe('two-2');
});

test('files the server refuses for good are told with its reason, and the others go on; anything else ends it', async () => {
  const refusal = (path: string) =>
    new ApiError({
      ...{ category: 'client', code: 'VALIDATION_FAILED', message: 'No.', status: 400 },
      ...{ endpoint: '/policies/import', method: 'POST', details: [{ path, message: 'Reading them took too long.' }] },
    } as const);
  const refusing = (path: string) =>
    apiOf((call) => {
      if (call.body.files[0]?.name === 'b.yml') throw refusal(path);
      return answerOf(call);
    });
  const through = await ran(refusing('body.files'), startOf(await plan()));
  expect(isThrough(through.going)).toBe(true);
  expect(through.going.done).toBe(3);
  expect(through.going.outcomes.map(({ file, kind, reason }) => [file, kind, reason])).toEqual([
    ['a.yml', 'imported', undefined],
    ['b.yml', 'failed', 'Reading them took too long.'],
    ['c.yml', 'imported', undefined],
  ]);
  const ended = await ran(refusing('body.license'), startOf(await plan()));
  expect(ended.error).toBeInstanceOf(ApiError);
  expect(ended.going.outcomes.map(({ file }) => file)).toEqual(['a.yml']);
});

test('a rule whose id came in an earlier portion is counted once by a check', async () => {
  const twins = apiOf(({ body }) => ({ rules: body.files.map(({ name }) => rule(name, { id: 'AB-1' })) }));
  const { going } = await ran(twins, startOf(await plan()));
  expect(going.outcomes.map(({ kind }) => kind)).toEqual(['imported', 'there', 'there']);
  expect(going.expected).toBe(1);
});

test('stopped, it ends with what was on its way, and goes on from there', async () => {
  let calls = 0;
  const api = apiOf((call) => {
    calls += 1;
    return answerOf(call);
  });
  const { going } = await ran(api, startOf(await plan()), { isStopped: () => calls === 1 });
  expect([going.next, going.done, going.expected, going.plan.count]).toEqual([1, 1, 1, 3]);
  const rest = await ran(api, going);
  expect([rest.going.done, calls]).toEqual([3, 3]);
});

test('a rule is named by its file and its number there, also where a long file comes in many portions', async () => {
  const long = Array.from({ length: 800 }, (_, at) => `title: Rule ${at + 1}\n#${'x'.repeat(1_500)}\n`).join('---\n');
  const short = 'title: a\n---\n# nothing\n---\ntitle: b\n';
  const chosen = [
    { name: 'long.yml', text: long },
    { name: 'short.yml', text: short },
    { name: 'one.yml', text: 'title: one' },
  ];
  const api = apiOf(({ body }) => ({
    rules: body.files.flatMap(({ name }) =>
      name === 'short.yml' ? [rule(name), rule(name, { status: 'failed', reason: 'No.' })] : [rule(name)],
    ),
  }));
  const made = await plan(chosen);
  expect(made.portions.length).toBeGreaterThan(1);
  expect(made.count).toBe(803);
  const { going } = await ran(api, startOf(made));
  expect(going.outcomes.map(({ file, document }) => [file, document])).toEqual([
    ...Array.from({ length: 800 }, (_, at) => ['long.yml', at + 1]),
    ['short.yml', 1],
    ['short.yml', 2],
    ['one.yml', undefined],
  ]);
  expect(going.outcomes.at(-2)).toMatchObject({ kind: 'failed', reason: 'No.' });
});

test('what cannot be sent is refused with its number, and what a policy has already is not taken for a wrong rule', async () => {
  const chosen = [{ name: 'a.yml', text: `title: a\n---\ntitle: ${'x'.repeat(300_000)}\n---\ntitle: c\n` }];
  const api = apiOf(({ body }) => ({
    rules: body.files.map(({ name }, at) =>
      rule(name, { status: 'skipped', policy_id: at === 0 ? '01920000-0000-7000-8000-000000000001' : null }),
    ),
  }));
  const made = await planImport({ files: chosen, leftOut: [{ name: 'x.exe', reason: 'No rule' }] }, signal);
  const { going } = await ran(api, startOf(made));
  expect(going.outcomes.map(({ kind, file, document, reason }) => [kind, file, document, reason])).toEqual([
    ['failed', 'x.exe', undefined, 'No rule'],
    ['failed', 'a.yml', 2, 'Longer than 256,000 characters'],
    ['there', 'a.yml', 1, undefined],
    ['skipped', 'a.yml', 3, undefined],
  ]);
});

test('files of which none can be sent send nothing', async () => {
  const made = await planImport({ files: [{ name: 'a.yml', text: 'x'.repeat(300_000) }], leftOut: [] }, signal);
  expect(isThrough(startOf(made))).toBe(true);
  expect(startOf(made).outcomes).toHaveLength(1);
});

test('a portion that would put to work what matches too much is asked about, and goes through as the same portion', async () => {
  const sent: { idempotencyKey?: string; confirm?: object }[] = [];
  const confirmation = { title: 'Renew policies that are on?', text: 'Widened: 90 %.', action_label: 'Renew' };
  const api = apiOf(({ idempotencyKey = '', confirm }) => {
    sent.push({ idempotencyKey, ...(confirm === undefined ? {} : { confirm }) });
    if (confirm === undefined) {
      const asked = {
        category: 'client',
        status: 449,
        code: 'CONFIRMATION_REQUIRED',
        message: 'Please confirm.',
      } as const;
      throw new ApiError({ endpoint: '', method: 'POST', ...asked, confirmation });
    }
    return { rules: [] };
  });
  const made = await plan(files.slice(0, 1));
  const running = ran(api, startOf(made, startOf(made)));
  await expect.poll(() => dialogs.current()).toMatchObject({ confirmation });
  const open = dialogs.current();
  if (open?.kind === 'confirmation') await open.submit(undefined);
  expect((await running).error).toBeUndefined();
  expect(sent).toEqual([{ idempotencyKey: 'one-0' }, { idempotencyKey: 'one-0', confirm: {} }]);
});
