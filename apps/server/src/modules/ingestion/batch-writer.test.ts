import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { quietLog } from '../../storage/test-database.ts';
import type { Batch } from './batch.ts';
import { createBatchWriter } from './batch-writer.ts';

test('nobody is told to repeat a batch while its events are still being written: the repetition would not see them', async () => {
  let end = (): void => undefined;
  const writing = new Promise<void>((resolve) => {
    end = resolve;
  });
  const away = () => Promise.reject(new Error('away'));
  const writer = createBatchWriter({
    db: { system: away },
    events: { write: () => writing },
    detection: { match: away, apply: away },
    volume: { add: away },
    now: () => new Date(),
    writer: 'this one',
    log: quietLog,
  });
  let told = false;
  const failure = writer.write([{ resumed: true, events: [] } as unknown as Batch]).catch((error: unknown) => {
    told = true;
    return error;
  });
  await setImmediate();
  expect(told).toBe(false);
  end();
  expect(await failure).toMatchObject({ code: 'STORE_UNAVAILABLE' });
});
