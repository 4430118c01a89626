import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openIdentityPool } from '../modules/identity/identity-pool.ts';
import { openDatabase } from './database.ts';
import { claimInstallation } from './installation-claim.ts';
import { keepSession } from './kept-session.ts';
import { migrate } from './migrations.ts';
import { quietLog as log } from './test-database.ts';

/** Of a call that is never answered; one that is cut off has time to get there, on a busy machine too. */
const silentWithinMs = 50;
const connectWithinMs = 10_000;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) await close();
});

/** A database by its address only; what it makes of a call is the caller's. */
async function serverThat(takesCall: (call: Socket) => void): Promise<string> {
  const server = createServer((call) => {
    call.on('error', () => undefined);
    takesCall(call);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return `postgres://somebody@127.0.0.1:${(server.address() as AddressInfo).port}/none`;
}

function databaseAt(url: string, withinMs = connectWithinMs) {
  const database = openDatabase({ url, log, poolSize: { app: 1, system: 1 }, connectWithinMs: withinMs });
  closing.push(database.close);
  return database;
}

const claim = (url: string, withinMs = connectWithinMs) =>
  claimInstallation({ url, shared: [], hasDemo: false, log, connectWithinMs: withinMs });
const listen = (url: string, withinMs?: number) => databaseAt(url, withinMs).listen('changes', () => undefined);

describe('a connection to the database', () => {
  it.each<[string, (url: string) => Promise<unknown>]>([
    ['for work', (url) => databaseAt(url).system(async () => undefined)],
    ['that asks whether it is there', (url) => databaseAt(url).ready()],
    ['of the sign-in', (url) => openIdentityPool({ url, log }).query('select 1')],
    ['that listens', (url) => listen(url)],
    ['that shows that a process lives', (url) => keepSession({ url, log, onOpen: () => Promise.resolve() })],
    ['that claims the installation', (url) => claim(url)],
    ['that migrates', (url) => migrate({ url, migrations: [], log, connectWithinMs })],
  ])('%s notices at both ends that the network is gone', async (_name, open) => {
    const asked: string[] = [];
    const kept = vi.spyOn(Socket.prototype, 'setKeepAlive');
    const url = await serverThat((call) =>
      call.once('data', (start) => {
        asked.push(start.toString('latin1'));
        call.destroy();
      }),
    );
    await expect(open(url)).rejects.toThrow();
    expect(asked[0]).toContain('-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3');
    expect(kept).toHaveBeenCalledWith(true, 30_000);
  });

  it.each<[string, (url: string, withinMs: number) => Promise<unknown>]>([
    ['that asks whether it is there', (url, withinMs) => databaseAt(url, withinMs).ready()],
    ['that listens', listen],
    ['that claims the installation', claim],
  ])('%s does not wait for ever for a server that takes calls and never answers', async (_name, open) => {
    const url = await serverThat((call) => closing.unshift(() => call.destroy()));
    await expect(open(url, silentWithinMs)).rejects.toThrow('timeout');
  });
});
