import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { filesBucketOf } from '../../apps/server/src/config/files-bucket.ts';
import { scannerAddressOf } from '../../apps/server/src/config/scanner-address.ts';
import { claimArchive } from '../../apps/server/src/entry/archive/archive-folder.ts';
import { selfMadeIdentity } from '../../apps/server/src/entry/self-made-identity.ts';
import { certificateEnds } from '../../apps/server/src/entry/tls-identity.ts';
import { diskMarks } from '../../apps/server/src/events-process/disk-space.ts';
import { openKeyFile } from '../../apps/server/src/modules/connectors/key-file.ts';
import { startClamdStandIn } from '../../apps/server/src/modules/files/clamd-stand-in.ts';
import { lockDataDir } from '../../apps/server/src/storage/data-dir-lock.ts';
import { checkArchive } from './archive.ts';
import { checkBucket } from './bucket.ts';
import { examine } from './examine.ts';
import { checkFolder } from './folder.ts';
import { checkKeyFile } from './key-file.ts';
import { checkPorts } from './ports.ts';
import { checkScanner } from './scanner.ts';
import { checkStores } from './stores.ts';
import { checkSyslogTls } from './syslog-tls.ts';
import { checkWork } from './work.ts';

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

describe('the doctor', () => {
  it('names the variable of a port that somebody else holds', async () => {
    const { port } = await listening();
    const at = { host: '127.0.0.1', protocol: 'tcp' } as const;
    const [finding, ...more] = await checkPorts([
      { variable: 'PORT', port, ...at },
      { variable: 'METRICS_PORT', port: 0, ...at },
    ]);
    expect(more).toEqual([]);
    expect(finding).toEqual({
      name: 'PORT',
      ok: false,
      message: `127.0.0.1 port ${port} (tcp) is used by another program. Set PORT to another one.`,
    });
  });

  it('tells a port that two variables name from one that another program holds', async () => {
    const { server, port } = await listening();
    server.close();
    await once(server, 'close');
    const at = { host: '127.0.0.1', port };
    const findings = await checkPorts([
      { variable: 'PORT', ...at, protocol: 'tcp' },
      { variable: 'SYSLOG_UDP_PORT', ...at, protocol: 'udp' },
      { variable: 'METRICS_PORT', ...at, protocol: 'tcp' },
    ]);
    expect(findings.map(({ name, ok }) => ({ name, ok }))).toEqual([
      { name: 'PORT', ok: true },
      { name: 'SYSLOG_UDP_PORT', ok: true },
      { name: 'METRICS_PORT', ok: false },
    ]);
    expect(findings[2]?.message).toBe(
      `127.0.0.1 port ${port} (tcp) is that of PORT as well. Set METRICS_PORT to another one.`,
    );
  });

  it('reports a key file that is damaged, cannot be read or could not be made, and never shows what is in it', async () => {
    const dataDir = temporaryFolder();
    const look = (path = join(dataDir, 'connector-keys.json')) =>
      checkKeyFile({ connectorKeysFile: path, dataDir, databaseUrl: undefined });
    expect(await look()).toMatchObject({ name: 'key file', ok: true });
    expect(await look(join(dataDir, 'nowhere', 'keys.json'))).toMatchObject({
      ok: false,
      message: expect.stringContaining('is not writable'),
    });
    await openKeyFile(join(dataDir, 'connector-keys.json'));
    expect(await look()).toMatchObject({ ok: true });
    writeFileSync(join(dataDir, 'connector-keys.json'), '{"current":"k1","keys":{"k1":"c2VjcmV0"}}');
    expect(await look()).toMatchObject({ ok: false, message: expect.stringContaining('is damaged') });
    expect(JSON.stringify(await look())).not.toContain('c2VjcmV0');
    expect(await look(dataDir)).toMatchObject({ ok: false, message: expect.stringContaining('EISDIR') });
    // A data folder that is not there yet will be made, and the keys in it.
    const later = join(dataDir, 'later');
    const finding = await checkKeyFile({
      ...{ connectorKeysFile: join(later, 'connector-keys.json'), dataDir: later, databaseUrl: undefined },
    });
    expect(finding).toMatchObject({ ok: true });
  });

  it('tells a key file that was lost from one that was never made: a start would make keys that open nothing', async () => {
    const dataDir = temporaryFolder();
    const path = join(dataDir, 'connector-keys.json');
    const look = (ask: () => Promise<boolean>) =>
      checkKeyFile({ connectorKeysFile: path, dataDir, databaseUrl: 'postgresql://air.test/air', ask });
    const made = { name: 'key file', ok: true, message: `${path} will be created` };
    const lost = {
      ...{ name: 'key file', ok: false },
      message: `${path} is gone, and what this installation has sealed opens only with it. Before the next start put back a copy of the file, or what stands under connector-keys.json in the file airdeck backup --keys wrote. A start without it makes other keys; then the secrets of connectors, single sign-on and Slack have to be entered again.`,
    };
    expect(await look(async () => false)).toEqual(made);
    expect(await look(async () => true)).toEqual(lost);
    const unknown = {
      ...made,
      message: `${path} will be created. The database could not be asked whether it was used before: one that was needs the keys it was used with`,
    };
    expect(await look(() => Promise.reject(new Error('refused')))).toEqual(unknown);
    // Without an address the database is the folder's own, and nobody can ask one that does not run.
    const alone = () => checkKeyFile({ connectorKeysFile: path, dataDir, databaseUrl: undefined });
    expect(await alone()).toEqual(made);
    mkdirSync(join(dataDir, 'postgres'));
    expect(await alone()).toEqual(unknown);
    writeFileSync(join(dataDir, 'identity.secret'), 'made by the start that made the keys');
    expect(await alone()).toEqual(lost);
    await openKeyFile(path);
    expect(await look(async () => true)).toMatchObject({ ok: true, message: `${path}, 1 key` });
  });

  it('reports a certificate of encrypted syslog that cannot be read', () => {
    const folder = temporaryFolder();
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    writeFileSync(keyFile, 'no key');
    expect(checkSyslogTls({ port: 6514, keyFile, certFile })).toEqual([
      { name: 'SYSLOG_TLS_CERT_FILE', ok: false, message: `${certFile} cannot be read (ENOENT)` },
    ]);
    writeFileSync(certFile, 'no certificate');
    expect(checkSyslogTls({ port: 6514, keyFile, certFile })).toMatchObject([
      { name: 'SYSLOG_TLS_CERT_FILE', ok: false, message: expect.stringContaining('does not hold a PEM certificate') },
    ]);
    expect(checkSyslogTls({ port: 6514, selfMade: true })).toEqual([]);
  });

  it('reports a certificate of encrypted syslog that has ended or soon will', () => {
    const dataDir = temporaryFolder();
    const { cert, certFile } = selfMadeIdentity({ dataDir, now: () => new Date(), randomBytes });
    const keyFile = join(dataDir, 'syslog-tls', 'key.pem');
    const ends = certificateEnds(cert);
    const look = (days: number) =>
      checkSyslogTls({ port: 6514, keyFile, certFile }, () => new Date(ends.getTime() + days * 86_400_000));
    expect(look(-15)).toMatchObject([{ name: 'syslog over TLS', ok: true }]);
    expect(look(-13)).toMatchObject([
      {
        ...{ name: 'SYSLOG_TLS_CERT_FILE', ok: false },
        message: expect.stringContaining(`${certFile} ends on ${ends.toISOString()}`),
      },
    ]);
    expect(look(0)).toMatchObject([{ ok: false, message: expect.stringContaining(`ended on ${ends.toISOString()}`) }]);
  });

  it('reports a bucket that does not answer, without its secret', async () => {
    const { port } = await listening();
    const bucket = filesBucketOf(`s3://key:hunter2@127.0.0.1:${port}/airdeck?tls=false`);
    const finding = bucket && (await checkBucket(bucket));
    expect(finding).toMatchObject({
      ...{ name: 'FILES_URL', ok: false },
      message: expect.stringContaining(`The bucket at FILES_URL (127.0.0.1:${port}/airdeck) cannot be used`),
    });
    expect(JSON.stringify(finding)).not.toContain('hunter2');
  });

  it('looks at what a process of its role needs, and at nothing else', async () => {
    const { port } = await listening();
    const dataDir = temporaryFolder();
    const keys = join(dataDir, 'keys.json');
    writeFileSync(keys, 'damaged');
    const nowhere = `127.0.0.1:${port}`;
    const found = await examine({
      ...{ ROLE: 'worker', PORT: '0', METRICS_PORT: String(port), SYSLOG_TCP_PORT: String(port) },
      ...{ SYSLOG_TLS_KEY_FILE: '/no/key.pem', SYSLOG_TLS_CERT_FILE: '/no/cert.pem' },
      ...{ DATABASE_URL: `postgresql://${nowhere}/air`, EVENTS_URL: `http://${nowhere}/air` },
      ...{ FILES_URL: `s3://key:secret@${nowhere}/airdeck?tls=false`, IDENTITY_SECRET: 's'.repeat(48) },
      ...{ AIRDECK_DATA_DIR: join(dataDir, 'data'), CONNECTOR_KEYS_FILE: keys },
    });
    expect(found.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual([
      ...['key file', 'METRICS_PORT', 'DATABASE_URL', 'EVENTS_URL', 'FILES_URL'],
    ]);
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

  it('tells that a server runs on a folder also when its disk is short or it is of another account', async () => {
    const folder = temporaryFolder();
    const lock = await lockDataDir(folder);
    cleanups.push(lock.release);
    expect(await checkFolder(folder, { freeBytes: () => 0 })).toMatchObject({
      finding: { ok: false },
      heldBy: 'server',
    });
    // Only root may give a folder away.
    if (process.geteuid?.() !== 0) return;
    chownSync(folder, 65_534, 65_534);
    expect(await checkFolder(folder)).toMatchObject({ finding: { ok: true }, heldBy: 'server' });
    lock.release();
    expect(await checkFolder(folder)).toMatchObject({
      finding: { ok: false, message: expect.stringContaining('belongs to user id 65534') },
    });
  });

  it('reports a disk on which merges have stopped, where the events are on it', async () => {
    const folder = temporaryFolder();
    const look = async (freeBytes: number, holdsEvents = true) =>
      (await checkFolder(folder, { holdsEvents, freeBytes: () => freeBytes })).finding;
    expect(await look(diskMarks.mergesStop)).toMatchObject({ ok: true });
    expect(await look(diskMarks.mergesStop - 1)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/has 767 MB left; below 768 MB .* until more than 1024 MB are free/),
    });
    expect(await look(diskMarks.mergesStop - 1, false)).toMatchObject({ ok: true });
    expect(await look(diskMarks.insertsStop - 1, false)).toMatchObject({ ok: false });
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
    mkdirSync(join(folder, 'wal'));
    writeFileSync(join(folder, 'wal', 'progress.json'), '');
    expect(await look(false)).toMatchObject({
      ok: true,
      message: expect.stringContaining('progress.json'),
    });
    const note = readFileSync(join(folder, 'archive.json'), 'utf8');
    writeFileSync(join(folder, 'archive.json'), note.replace(id, randomUUID()));
    expect(await look()).toMatchObject({ ok: false, message: expect.stringContaining('another installation') });
    rmSync(join(folder, 'archive.json'));
    expect(await look()).toMatchObject({ ok: false, message: expect.stringContaining('mount its disk') });
    rmSync(folder, { recursive: true });
    expect(await look()).toMatchObject({ ok: false, message: expect.stringContaining('is not there') });
  });

  it('tells work that no worker takes up from a stop, a start and a database that cannot be asked', async () => {
    const stalled = { since: '2026-11-20T10:00:00.000Z', due: 17, workers: 0 };
    const look = async (
      seen: { stalled: typeof stalled | null; processes: number } | undefined,
      place: { role?: 'api' | 'worker'; isRunning?: boolean } = {},
    ) => await checkWork({ databaseUrl: '', role: 'api', isRunning: true, ...place, ask: () => Promise.resolve(seen) });
    const waits =
      '17 jobs and schedules are due, the oldest since 2026-11-20T10:00:00.000Z, and no worker takes them up';
    expect(await look({ stalled: null, processes: 2 })).toMatchObject([{ name: 'work', ok: true }]);
    const away = { stalled, processes: 2 };
    expect(await look(away)).toEqual([
      { name: 'work', ok: false, message: `${waits}: none runs. Start a process with ROLE=worker.` },
    ]);
    expect(await look(away, { role: 'worker', isRunning: false })).toMatchObject([
      { ok: true, message: `${waits}: this one will, once it is started` },
    ]);
    expect(await look({ stalled, processes: 0 })).toMatchObject([{ ok: true }]);
    const stuck = { stalled: { ...stalled, workers: 2 }, processes: 3 };
    expect(await look(stuck, { role: 'worker', isRunning: false })).toMatchObject([
      {
        ok: false,
        message: `${waits}. The 2 workers that run take nothing: bring all processes to one release, or start them anew.`,
      },
    ]);
    expect(await look(undefined)).toEqual([]);
    const refused = { databaseUrl: 'postgresql://air@127.0.0.1:1/air', role: 'api', isRunning: false } as const;
    expect(await checkWork(refused)).toEqual([]);
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
