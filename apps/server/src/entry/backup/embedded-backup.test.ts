import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKeyFile } from '../../modules/connectors/key-file.ts';
import { openRestoreFence } from '../../modules/restore-fence/restore-fence.ts';
import { openDatabase } from '../../storage/database.ts';
import { runningEvents } from '../../storage/embedded-events.ts';
import { quietLog } from '../../storage/test-database.ts';
import { eventRow } from '../../storage/test-events.ts';
import { startStores } from '../stores.ts';
import { configOf } from './backup-fixture.ts';
import type { Manifest } from './backup-manifest.ts';
import { lowerFence } from './restore-fence-row.ts';
import { runRestore } from './run-restore.ts';
import { reachStores } from './store-access.ts';
import { takeBackup } from './take-backup.ts';

let root: string;
const at = (path: string) => join(root, path);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'airdeck-embedded-backup-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

function backUp(folder: string, of = 'data'): Promise<Manifest> {
  return takeBackup({
    config: configOf(at(of)),
    productVersion: '0.0.0',
    folder: at(folder),
    keys: { kept: 'inside' },
    log: quietLog,
    say: () => undefined,
  });
}

const contentOf = ({ tables, events }: Manifest) => ({
  tables: tables.map(({ name, rows_sha256 }) => `${name} ${rows_sha256}`),
  events: events.map(({ rows_hash }) => rows_hash),
});

describe('an installation with its own stores', () => {
  it('is backed up while it runs and while it stands still, and comes back from either behind its fence', async () => {
    await expect(backUp('nothing')).rejects.toThrow('There is no installation');
    const running = await startStores(configOf(at('data')), pino({ level: 'silent' }));
    await openKeyFile(at('data/connector-keys.json'));
    await writeFile(at('data/identity.secret'), 's'.repeat(64));
    const tenant = v7();
    await running.stores.db.system((tx) =>
      tx
        .insertInto('mail')
        .values({
          id: v7(),
          recipient: 'a@example.com',
          subject: 's',
          body: 'b\t\\N\n',
          dedupe_key: null,
          due_at: new Date(),
          sent_at: null,
          failure: null,
        })
        .execute(),
    );
    await running.stores.events.insert([eventRow({ tenant }), eventRow({ tenant, time: Date.UTC(2020, 1, 1) })]);
    const live = await backUp('live');
    await running.stop();
    expect(runningEvents(at('data'))).toBeUndefined();
    // What a crash leaves behind.
    await writeFile(at('data/events.access'), JSON.stringify({ url: 'http://127.0.0.1:1', user: 'x', password: 'x' }));
    const still = await backUp('still');
    expect(contentOf(still)).toEqual(contentOf(live));
    expect(live.events.reduce((sum, { rows }) => sum + rows, 0)).toBe(2);

    await runRestore({
      config: configOf(at('restored')),
      folder: at('live'),
      keys: { from: 'backup' },
      log: quietLog,
      say: () => undefined,
    });
    expect(existsSync(at('restored/airdeck.lock'))).toBe(false);
    expect(contentOf(await backUp('again', 'restored'))).toEqual(contentOf(live));

    const stores = await reachStores(configOf(at('restored')), quietLog);
    const db = openDatabase({ url: stores.databaseUrl, log: quietLog, poolSize: { app: 1, system: 2 } });
    const done: string[] = [];
    const fence = await openRestoreFence({ db, log: quietLog });
    await fence.behind(async () => void done.push('mails'));
    const stopped = await openRestoreFence({ db, log: quietLog });
    await stopped.behind(async () => void done.push('of a stopped process'));
    await stopped.stop();
    expect(fence.isUp()).toBe(true);
    await lowerFence(db, new Date());
    await expect.poll(() => done).toEqual(['mails']);
    expect(fence.isUp()).toBe(false);
    await fence.stop();
    await db.close();
    await stores.stop();
  });
});
