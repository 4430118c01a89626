import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtProgram } from '../built-program.ts';
import { createEventsStore } from '../storage/events-store.ts';
import { migrate } from '../storage/migrations.ts';
import { quietLog } from '../storage/test-database.ts';
import { eventRow } from '../storage/test-events.ts';
import { createEmptyStores, type StoreUrls } from './backup/backup-fixture.ts';
import { selfMadeIdentity } from './self-made-identity.ts';
import { startMessage } from './start-error.ts';
import { explainStoreError } from './store-error.ts';
import { openTlsFront, type TlsFront } from './tls-front-fixture.ts';

const program = fileURLToPath(builtProgram('migrate'));
const folder = mkdtempSync(join(tmpdir(), 'stores-tls-'));
const identity = selfMadeIdentity({ dataDir: folder, now: () => new Date(), randomBytes });
const fronts: TlsFront[] = [];
let stores: StoreUrls & { drop(): Promise<void> };
let database: string;
let events: string;

beforeAll(async () => {
  stores = await createEmptyStores();
  [database, events] = [
    await behind(stores.databaseUrl, 'postgres', 'sslmode=verify-full'),
    (await behind(stores.eventsUrl, 'tls')).replace(/^http:/, 'https:'),
  ];
});
afterAll(async () => {
  for (const front of fronts) await front.close();
  await stores?.drop();
  rmSync(folder, { recursive: true });
});

/** The address with a front of its own in place of the store. */
async function behind(
  address: string,
  opening: 'tls' | 'postgres' | 'refused',
  query = '',
  host = '127.0.0.1',
): Promise<string> {
  const url = new URL(address);
  const front = await openTlsFront({ to: new URL(address), identity, opening, host });
  fronts.push(front);
  [url.hostname, url.port, url.search] = [host, String(front.port), query];
  return url.toString();
}

/** What the first program that needs both stores says, and how it ends. */
function migrateWith(addresses: { database?: string; events?: string; trusts?: string }) {
  const { database: DATABASE_URL = database, events: EVENTS_URL = events, trusts } = addresses;
  const trusted = trusts === undefined ? {} : { NODE_EXTRA_CA_CERTS: trusts };
  const env = { PATH: process.env.PATH, AIRDECK_DATA_DIR: folder, DATABASE_URL, EVENTS_URL, ...trusted };
  return new Promise<{ ok: boolean; errors: string }>((resolve) => {
    execFile(process.execPath, [program], { env }, (error, _out, errors) => resolve({ ok: error === null, errors }));
  });
}

describe('stores that are reached over TLS', () => {
  it('work with certificates whose issuer the operator names', async () => {
    const { ok, errors } = await migrateWith({ trusts: identity.certFile });
    expect(errors).toMatch(/Done in/);
    expect(ok).toBe(true);
  });

  it('also take the issuer of PostgreSQL from its address', async () => {
    const named = `${database}&sslrootcert=${encodeURIComponent(identity.certFile)}`;
    expect(await migrateWith({ database: named, events: stores.eventsUrl })).toMatchObject({ ok: true });
  });

  it.each([
    ['DATABASE_URL', () => ({})],
    ['EVENTS_URL', () => ({ database: stores.databaseUrl })],
  ])(
    'are not used at %s while nobody known vouches for them; what to do is said, and no password',
    async (variable, at) => {
      const { ok, errors } = await migrateWith(at());
      expect(ok).toBe(false);
      expect(errors).toContain(`The store at ${variable} (`);
      expect(errors).toMatch(/vouches for its certificate \(self-signed certificate.*NODE_EXTRA_CA_CERTS/);
      for (const address of [database, events]) {
        const { password } = new URL(address);
        if (password !== '') expect(errors).not.toContain(password);
      }
      expect(errors).not.toMatch(/\n\s+at /);
    },
  );

  it('were sent nothing while nobody known vouches for them: an insert that failed so is over', async () => {
    const { origin: url, username: user, password } = new URL(events);
    const store = createEventsStore({ url, user, password, log: quietLog });
    await expect(store.insert([eventRow({ tenant: randomUUID() })])).rejects.toMatchObject({
      ...{ code: 'EVENTS_UNAVAILABLE', underWayMs: undefined },
    });
    await store.close();
  });

  it('are not used under another name than their certificate has', async () => {
    const elsewhere = await behind(stores.databaseUrl, 'postgres', 'sslmode=verify-full', '127.0.0.2');
    const { ok, errors } = await migrateWith({ database: elsewhere, trusts: identity.certFile });
    expect(ok).toBe(false);
    expect(errors).toMatch(/DATABASE_URL .*does not match certificate's altnames/);
  });

  it('are not called plainly where PostgreSQL offers no TLS', async () => {
    const plain = await behind(stores.databaseUrl, 'refused', 'sslmode=verify-full');
    const { ok, errors } = await migrateWith({ database: plain, trusts: identity.certFile });
    expect(ok).toBe(false);
    expect(errors).toMatch(/DATABASE_URL .*it offers no TLS, which the address asks for/);
  });

  it('are given up where somebody takes the call and never answers', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const address = `postgresql://air@127.0.0.1:${(silent.address() as AddressInfo).port}/air`;
      const failure = await migrate({ url: address, migrations: [], log: quietLog, connectWithinMs: 50 }).catch(
        (error: unknown) => explainStoreError(error, { variable: 'DATABASE_URL', address }),
      );
      expect(startMessage(failure)).toMatch(/^The store at DATABASE_URL .* cannot be used: it does not answer in time/);
    } finally {
      silent.close();
    }
  });
});
