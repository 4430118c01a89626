import { ApiError } from '@airdeck/api-client/api-error';
import { expect, test } from 'vitest';
import { dialogs } from '../../../components/confirmation/dialog-queue.ts';
import type { TenantApi } from '../../../lib/tenant-api.ts';
import { runImport } from './import-run.ts';

/** Each is more than half of what one portion holds. */
const files = ['a.yml', 'b.yml'].map((name) => ({ name, text: 'x'.repeat(400_000) }));

test('portions sent again after a failure carry the keys of before, and another choice has others', async () => {
  const keys: (string | undefined)[] = [];
  const api = {
    call: async (_id: string, { idempotencyKey }: { idempotencyKey?: string }) => {
      keys.push(idempotencyKey);
      if (keys.length === 2) throw new TypeError('Failed to fetch');
      return { rules: [], imported: 0, skipped: 0, failed: 0 };
    },
  };
  const run = (intent: string) =>
    runImport({ api, tenantId: 'one' } as unknown as TenantApi, {
      ...{ files, choices: { license: '', replace: false }, dryRun: false, intent },
      ...{ signal: new AbortController().signal, onProgress: () => undefined },
    });
  await expect(run('first')).rejects.toThrow('Failed to fetch');
  await run('first');
  await run('second');
  const [one, two] = keys;
  expect(keys).toHaveLength(6);
  expect(keys.slice(2, 4)).toEqual([one, two]);
  expect(new Set(keys).size).toBe(4);
});

test('a portion that would put to work what matches too much is asked about, and goes through as the same portion', async () => {
  const sent: { idempotencyKey?: string; confirm?: object }[] = [];
  const confirmation = { title: 'Renew policies that are on?', text: 'Widened: 90 %.', action_label: 'Renew' };
  const api = {
    call: async (_id: string, { idempotencyKey, confirm }: { idempotencyKey: string; confirm?: object }) => {
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
      return { rules: [], imported: 0, skipped: 0, failed: 0 };
    },
  };
  const running = runImport({ api, tenantId: 'one' } as unknown as TenantApi, {
    ...{ files: files.slice(0, 1), choices: { license: '', replace: true }, dryRun: false, intent: 'one' },
    ...{ signal: new AbortController().signal, onProgress: () => undefined },
  });
  await expect.poll(() => dialogs.current()).toMatchObject({ confirmation });
  const open = dialogs.current();
  if (open?.kind === 'confirmation') await open.submit(undefined);
  expect(await running).toEqual([]);
  expect(sent).toEqual([{ idempotencyKey: 'one-0' }, { idempotencyKey: 'one-0', confirm: {} }]);
});
