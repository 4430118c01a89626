import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { scannerAddressOf } from '../../apps/server/src/config/scanner-address.ts';
import { claimArchive } from '../../apps/server/src/entry/archive/archive-folder.ts';
import { startClamdStandIn } from '../../apps/server/src/modules/files/clamd-stand-in.ts';
import { lockDataDir } from '../../apps/server/src/storage/data-dir-lock.ts';
import { checkArchive } from './archive.ts';
import { checkFolder } from './folder.ts';
import { checkPorts } from './ports.ts';
import { checkScanner } from './scanner.ts';
import { checkStores } from './stores.ts';

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'airdeck-doctor-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function listening(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

const anyPorts = { syslogTcp: 0, syslogUdp: 0, sandbox: 0 };

describe('the doctor', () => {
  it('names the variable of a port that somebody else holds', async () => {
    const { port } = await listening();
    const [finding, ...more] = await checkPorts({ host: '127.0.0.1', port }, anyPorts);
    expect(more).toEqual([]);
    expect(finding).toEqual({
      name: 'PORT',
      ok: false,
      message: `127.0.0.1 port ${port} (tcp) is used by another program. Set PORT to another one.`,
    });
  });

  it('leaves a folder that does not exist as it is', async () => {
    const folder = join(temporaryFolder(), 'new', 'data');
    const { finding } = await checkFolder(folder);
    expect(finding.ok).toBe(true);
    expect(existsSync(folder)).toBe(false);
  });

  it('tells a folder that a server runs on from one that is free, and leaves no lock behind', async () => {
    const folder = temporaryFolder();
    const lock = await lockDataDir(folder);
    expect(await checkFolder(folder)).toMatchObject({ finding: { ok: true }, heldBy: 'server' });
    lock.release();
    expect(await checkFolder(folder)).toMatchObject({ finding: { ok: true } });
    expect(existsSync(lock.path)).toBe(false);
  });

  it('reports a data folder that is a file', async () => {
    const file = join(temporaryFolder(), 'data');
    writeFileSync(file, '');
    expect((await checkFolder(file)).finding).toMatchObject({ ok: false, message: `${file} is not a folder.` });
  });

  it('tells an archive that is away, late or of another installation from one in order', async () => {
    const [dataDir, folder] = [temporaryFolder(), temporaryFolder()];
    const now = new Date('2026-11-20T10:00:00Z');
    const look = (isRunning = true) => checkArchive({ folder, dataDir, isRunning, now: () => now });
    expect(await look()).toMatchObject({ ok: true });
    const { id } = await claimArchive({ folder, dataDir, system: '1', timeline: 1, now: () => now });
    mkdirSync(join(folder, 'cuts'));
    writeFileSync(join(folder, 'cuts', '20261120T095930.000Z.json'), '');
    expect(await look()).toMatchObject({ ok: true, message: expect.stringContaining('2026-11-20T09:59:30.000Z') });
    renameSync(join(folder, 'cuts', '20261120T095930.000Z.json'), join(folder, 'cuts', '20261120T095700.000Z.json'));
    expect(await look()).toMatchObject({ ok: false, message: expect.stringContaining('ends at') });
    expect(await look(false)).toMatchObject({ ok: true });
    const note = readFileSync(join(folder, 'archive.json'), 'utf8');
    writeFileSync(join(folder, 'archive.json'), note.replace(id, randomUUID()));
    expect(await look()).toMatchObject({ ok: false, message: expect.stringContaining('another installation') });
    rmSync(join(folder, 'archive.json'));
    expect(await look()).toMatchObject({ ok: false, message: expect.stringContaining('mount its disk') });
    rmSync(folder, { recursive: true });
    expect(await look()).toMatchObject({ ok: false, message: expect.stringContaining('is not there') });
  });

  it('reports stores that do not answer, without their passwords', async () => {
    const { port } = await listening();
    const findings = await checkStores({
      databaseUrl: `postgresql://air:hunter2@127.0.0.1:${port}/air`,
      eventsUrl: `http://air:hunter2@127.0.0.1:${port}`,
    });
    expect(findings.map(({ name, ok }) => ({ name, ok }))).toEqual([
      { name: 'DATABASE_URL', ok: false },
      { name: 'EVENTS_URL', ok: false },
    ]);
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });

  it('reports a malware scanner that does not answer as one', async () => {
    const { port } = await listening();
    expect(await checkScanner({ host: '127.0.0.1', port })).toMatchObject({ name: 'CLAMD_URL', ok: false });
    const standIn = await startClamdStandIn();
    cleanups.push(() => standIn.close());
    const address = scannerAddressOf(standIn.url);
    expect(address && (await checkScanner(address))).toEqual({
      name: 'CLAMD_URL',
      ok: true,
      message: 'ClamAV answers',
    });
  });

  it('finds what the embedded stores need', async () => {
    const findings = await checkStores({ databaseUrl: undefined, eventsUrl: undefined });
    expect(findings.map(({ ok }) => ok)).toEqual([true, true]);
  });
});
