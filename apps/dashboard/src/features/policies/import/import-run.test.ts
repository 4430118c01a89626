import { expect, test } from 'vitest';
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
