import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { expect, it } from 'vitest';
import { startEmbeddedEvents } from '../storage/embedded-events.ts';
import { createEventsStore } from '../storage/events-store.ts';
import { quietLog } from '../storage/test-database.ts';
import { eventRow } from '../storage/test-events.ts';
import { dropExpiredParts } from './expired-parts.ts';

const DAY_MS = 86_400_000;

it('takes away parts that are over although merges stand still, and none that holds a row to be kept', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'airdeck-expired-'));
  const events = await startEmbeddedEvents({ dataDir, log: quietLog });
  const store = createEventsStore({ ...events, log: quietLog });
  const { url, user: username, password } = events;
  const client = createClient({ url, username, password });
  try {
    await store.prepare();
    await client.command({ query: 'system stop merges' });
    const tenant = randomUUID();
    const at = Date.now() - 40 * DAY_MS;
    const row = (message: string, retention_days: number) =>
      eventRow({ tenant, time: at, received_at: at, message, retention_days, id: randomUUID() });
    await store.insert([row('over', 30), row('over too', 39)]);
    await store.insert([row('over beside one that is not', 30), row('not over', 90)]);
    const messages = async () =>
      (await store.query<{ message: string }>({ tenant, sql: 'select message from events order by message' })).map(
        ({ message }) => message,
      );
    expect(await messages()).toHaveLength(4);
    await dropExpiredParts(async (query) => {
      if (query.trim().startsWith('select'))
        return await (await client.query({ query, format: 'TabSeparated' })).text();
      await client.command({ query });
      return '';
    });
    expect(await messages()).toEqual(['not over', 'over beside one that is not']);
  } finally {
    await client.close();
    await store.close();
    await events.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
