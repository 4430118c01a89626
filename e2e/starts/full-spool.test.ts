import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFile } from '../src/airdeck-process.ts';
import { sendSyslog } from '../src/syslog-sender.ts';
import { type ServerProcess, startServer, temporaryFolders } from './server-process.ts';
import { bodyOf, type Door, doorAt, newDoor, post } from './source-door.ts';

const DISK_MIB = 24;
const LINES = 400;

/** Where lines of syslog wait for the stores, on a disk of its own that another program fills. Only root may mount one. */
describe.skipIf(process.platform !== 'linux')('a full disk under the lines of syslog', () => {
  const folders = temporaryFolders();
  const dataDir = folders.folder('data');
  const spool = join(dataDir, 'syslog-spool');
  let mounted = false;
  let server: ServerProcess;
  let demo: DemoFile;
  let lines: Door;

  async function start(): Promise<void> {
    server = startServer(dataDir, { SYSLOG_SPOOL_MAX_MB: '16' });
    demo = await server.ready();
    lines = lines === undefined ? await newDoor(demo, 'syslog') : doorAt(demo, lines);
  }

  beforeAll(async () => {
    mkdirSync(spool, { recursive: true, mode: 0o700 });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=700`, 'tmpfs', spool], { stdio: 'ignore' });
      mounted = true;
    } catch {
      // Left to the test to say.
    }
    if (mounted) await start();
  });
  afterAll(async () => {
    await server?.kill('SIGTERM');
    if (mounted) execFileSync('umount', ['-l', spool]);
    folders.remove();
  });

  /** Everything there is, to the last byte. Returns what gives it back. */
  function fillDisk(): () => void {
    const path = join(spool, 'foreign.bin');
    const file = openSync(path, 'w');
    const chunk = Buffer.alloc(1_048_576, 7);
    let refused: unknown;
    for (let size = chunk.length; size >= 1; ) {
      try {
        writeSync(file, chunk, 0, size);
      } catch (error) {
        refused = error;
        size >>= 1;
      }
    }
    closeSync(file);
    expect(refused).toMatchObject({ code: 'ENOSPC' });
    return () => rmSync(path);
  }

  const textsOf = (mark: string) => Array.from({ length: LINES }, (_, n) => `${mark} ${n}`);
  const send = (mark: string) =>
    sendSyslog(
      demo.ports.syslog_tcp,
      textsOf(mark).map((text) => `<34>1 - h app - - [airdeck@32473 token="${lines.token}"] ${text}`),
    );
  const found = async (mark: string) => (await lines.messages()).filter((text) => text.startsWith(mark)).sort();
  const settled = { timeout: 60_000 };

  it('loses and doubles no line of a sender that waits, lets others in meanwhile, and survives a kill', {
    timeout: 240_000,
  }, async ({ skip }) => {
    if (!mounted) skip('no disk of its own could be mounted: only root may');
    await send('before');
    await expect.poll(() => found('before'), settled).toEqual(textsOf('before').sort());
    const http = await newDoor(demo, 'ndjson');
    for (const mark of ['first', 'second']) {
      const free = fillDisk();
      const sending = send(mark);
      expect((await post(http, bodyOf(mark, 5))).status).toBe(202);
      await expect
        .poll(async () => (await http.messages()).filter((text) => text.startsWith(mark)).length, settled)
        .toBe(5);
      // They came before, and are not on their way to the store: there is no room for all of them.
      expect((await found(mark)).length).toBeLessThan(LINES);
      free();
      await sending;
      await expect.poll(() => found(mark), settled).toEqual(textsOf(mark).sort());
    }
    const free = fillDisk();
    const sending = send('killed').catch(() => undefined);
    expect((await post(http, bodyOf('killed', 5))).status).toBe(202);
    await server.kill('SIGKILL');
    await sending;
    free();
    await start();
    await send('after');
    await expect.poll(() => found('after'), settled).toEqual(textsOf('after').sort());
    const all = await lines.messages();
    expect(all.length).toBe(new Set(all).size);
    for (const mark of ['before', 'first', 'second']) expect(await found(mark)).toEqual(textsOf(mark).sort());
  });
});
