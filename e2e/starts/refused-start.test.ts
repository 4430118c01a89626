import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { refusedStart, temporaryFolders } from './server-process.ts';

const folders = temporaryFolders();
afterAll(() => folders.remove());

describe('a start with unusable variables', () => {
  it('names every one of them in one message, without a stack, and leaves no folder behind', async () => {
    const answer = await refusedStart(folders.folder('unused'), {
      PORT: '99999',
      TARGET_STAGE: 'production',
      ROLE: 'worker',
      EVENTS_URL: 'clickhouse:secret-word',
    });
    expect(answer).toEqual({
      code: 1,
      words: [
        'The configuration is not usable. Change these variables and start again:',
        '  PORT: "99999" is not usable; expected a whole number from 0 to 65535',
        '  EVENTS_URL: the value given is not usable (not shown); expected an address such as https://user:password@host:8443/airdeck',
        '  TARGET_STAGE: "production" is not usable; expected dev, prod or local',
        '  DATABASE_URL: not set; ROLE worker runs without embedded stores and needs the address of a shared one',
        '  FILES_URL: not set; ROLE worker keeps no files of its own and needs a bucket it shares with the other processes',
        '  IDENTITY_SECRET: not set; ROLE worker needs the secret it shares with the other processes',
        '  CONNECTOR_KEYS_FILE: not set; ROLE worker needs the key file it shares with the other processes',
      ].join('\n'),
    });
    expect(() => mkdirSync(folders.folder('unused'))).not.toThrow();
  });

  it('names the store that does not answer and where it is, but not its password', async () => {
    const answer = await refusedStart(folders.folder('no-store'), {
      DATABASE_URL: `postgresql://air:hunter2@127.0.0.1:${await closedPort()}/airdeck`,
    });
    expect(answer.code).toBe(1);
    expect(answer.words).toMatch(
      /^The store at DATABASE_URL \(127\.0\.0\.1:\d+\/airdeck\) cannot be used: .*ECONNREFUSED.*$/,
    );
    expect(answer.words).not.toContain('hunter2');
  });
});

describe('a start with a bucket that cannot be used', () => {
  it('names the variable, the host and the bucket, but no key', async () => {
    const port = await closedPort();
    const answer = await refusedStart(folders.folder('no-bucket'), {
      FILES_URL: `s3://key:hunter2@127.0.0.1:${port}/air-files?tls=false`,
    });
    expect(answer.code).toBe(1);
    expect(answer.words).toMatch(
      /^The bucket at FILES_URL \(127\.0\.0\.1:\d+\/air-files\) cannot be used: .*ECONNREFUSED.*$/,
    );
    expect(answer.words).not.toContain('hunter2');
  });
});

describe('a start in an unusable data folder', () => {
  it.skipIf(process.getuid?.() !== 0)('refuses a folder of somebody else', async () => {
    const folder = folders.folder('foreign');
    mkdirSync(folder);
    chownSync(folder, 12_345, 12_345);
    expect(await refusedStart(folder)).toEqual({
      code: 1,
      words: `The data folder ${folder} belongs to user id 12345, but the program runs as user id 0: start it as the owner or choose another folder with AIRDECK_DATA_DIR.`,
    });
  });

  it('says that a file and a dead link are no folders', async () => {
    const file = folders.folder('file');
    writeFileSync(file, '');
    expect(await refusedStart(file)).toEqual({ code: 1, words: `${file} is not a folder.` });
    const link = folders.folder('link');
    symlinkSync(folders.folder('nowhere'), link);
    expect(await refusedStart(link)).toEqual({
      code: 1,
      words: `${link} is a link to a folder that does not exist.`,
    });
  });

  it.skipIf(process.getuid?.() === 0)('says that a folder cannot be written to', async () => {
    const folder = folders.folder('closed');
    mkdirSync(folder, { mode: 0o500 });
    expect(await refusedStart(folder)).toEqual({ code: 1, words: `The folder ${folder} cannot be written to.` });
  });
});

describe('a start on a port of another program', () => {
  const dataDir = folders.folder('ports');

  it.each(['PORT', 'SYSLOG_TCP_PORT', 'SANDBOX_PORT'])('names %s', async (variable) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const answer = await refusedStart(dataDir, { [variable]: String(port) });
    other.close();
    expect(answer).toEqual({ code: 1, words: portTaken(port, variable) });
  });

  it('names SYSLOG_UDP_PORT', async () => {
    const other = createSocket('udp4').bind(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address();
    const answer = await refusedStart(dataDir, { SYSLOG_UDP_PORT: String(port) });
    other.close();
    expect(answer).toEqual({ code: 1, words: portTaken(port, 'SYSLOG_UDP_PORT') });
  });
});

function portTaken(port: number, variable: string): string {
  return `127.0.0.1:${port} is in use by another program: stop it, or choose another port with ${variable} (0 picks a free one).`;
}

/** Nobody listens there: it was free a moment ago. */
async function closedPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
