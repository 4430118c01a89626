import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { DemoFile } from '../src/airdeck-process.ts';
import { sendSyslog } from '../src/syslog-sender.ts';
import { eventsPid, postgresPids, type ServerProcess, startServer, temporaryFolders } from './server-process.ts';
import { bodyOf, type Door, doorAt, newDoor, post } from './source-door.ts';

const SENDERS = 3;
const LINES = 20;
const SYSLOG_EVERY_MS = 50;
const FAILING_MS = 6_000;
/** How much longer on a machine too busy for a sync to be met meanwhile. */
const LONGER_MS = 60_000;
const hasTracer = process.platform === 'linux' && spawnSync('strace', ['-V']).status === 0;

/** `when`: which syncs of each thread fail. */
type Target = { name: string; pids: () => number[]; when: string };

/** A disk that takes what is written and then says that it could not keep it, under each process that writes in turn. */
describe.skipIf(process.platform !== 'linux')('syncs to the disk that fail', () => {
  const folders = temporaryFolders();
  const dataDir = folders.folder('data');
  let server: ServerProcess;
  let demo: DemoFile;
  let http: Door | undefined;
  let syslog: Door | undefined;

  async function start(): Promise<void> {
    server = startServer(dataDir);
    demo = await server.ready();
    http = http === undefined ? await newDoor(demo, 'ndjson') : doorAt(demo, http);
    syslog = syslog === undefined ? await newDoor(demo, 'syslog') : doorAt(demo, syslog);
  }

  beforeAll(async () => {
    if (hasTracer) await start();
  });
  afterAll(async () => {
    await server?.kill('SIGTERM');
    folders.remove();
  });

  /** Lets syncs of these processes and of all they start fail for a while; how many did. */
  async function failing({ name, pids, when }: Target): Promise<number> {
    const log = join(dataDir, `${name}.trace`);
    const attach = pids().flatMap((pid) => ['-p', String(pid)]);
    const inject = `inject=fsync,fdatasync:error=EIO:when=${when}`;
    const tracer = spawn('strace', ['-f', '-qq', '-o', log, '-e', 'trace=fsync,fdatasync', '-e', inject, ...attach], {
      stdio: 'ignore',
    });
    const gone = once(tracer, 'exit');
    const failed = () => readFileSync(log, 'utf8').split('(INJECTED)').length - 1;
    await wait(FAILING_MS);
    for (const end = performance.now() + LONGER_MS; failed() === 0 && performance.now() < end; ) await wait(100);
    tracer.kill('SIGINT');
    // What it follows goes on when it is gone, however it went.
    const forced = setTimeout(() => tracer.kill('SIGKILL'), 5_000);
    await gone;
    clearTimeout(forced);
    return failed();
  }

  it('cost nothing that was acknowledged, and double nothing', { timeout: 600_000 }, async ({ skip }) => {
    if (!hasTracer) skip('strace is not installed: it is what makes single calls fail');
    const ending = new AbortController();
    // Senders of a failed try would send beside those of the next one.
    onTestFinished(() => ending.abort());
    let [acknowledged, refused, sent] = [0, 0, 0];

    /** As a shipper does: the same batch again and again until it is taken, then the next one. */
    async function ship(name: string): Promise<void> {
      for (let batch = 0; !ending.signal.aborted; batch++) {
        const body = bodyOf(`${name} ${batch}`, LINES);
        for (;;) {
          const answer = await post(doorNow(http), body).catch(() => undefined);
          if (answer?.status === 202) break;
          refused++;
          expect([undefined, 429, 503]).toContain(answer?.status);
          await wait(100);
        }
        acknowledged += LINES;
      }
    }

    /** As an appliance does: each line once, whatever becomes of it. */
    async function log(): Promise<void> {
      for (; !ending.signal.aborted; sent++) {
        const line = `<34>1 - h app - - [airdeck@32473 token="${doorNow(syslog).token}"] line ${sent}`;
        await sendSyslog(demo.ports.syslog_tcp, [line]).catch(() => undefined);
        await wait(SYSLOG_EVERY_MS);
      }
    }

    const senders = [...Array.from({ length: SENDERS }, (_, index) => ship(`sender ${index}`)), log()];
    const goesOn = async () => {
      const before = acknowledged;
      await expect.poll(() => acknowledged, { timeout: 60_000 }).toBeGreaterThan(before + SENDERS * LINES);
    };
    const targets: Target[] = [
      { name: 'events', pids: () => [eventsPid(server)], when: '3+5' },
      { name: 'spool', pids: () => [server.pid], when: '3+5' },
      { name: 'postgres', pids: () => postgresPids(dataDir), when: '3' },
    ];
    const failed: Record<string, number> = {};
    let starts = 0;
    for (const target of targets) {
      await goesOn();
      let isOver = false;
      void server.ended.then(() => {
        isOver = true;
      });
      failed[target.name] = await failing(target);
      // A database that cannot be sure of its disk ends, and the server with it.
      if (isOver) {
        expect(server.words()).toContain('what was acknowledged is kept');
        starts++;
        await start();
      }
      await goesOn();
    }
    ending.abort();
    await Promise.all(senders);
    // Otherwise nothing was tried.
    expect(
      Object.values(failed).every((count) => count > 0),
      JSON.stringify(failed),
    ).toBe(true);
    expect(refused).toBeGreaterThan(0);
    const door = doorNow(http);
    expect(await door.found()).toEqual({ events: acknowledged, different: acknowledged });
    // Nobody is told of those: while the server went on, every line is there.
    const different = async () => new Set(await doorNow(syslog).messages()).size;
    if (starts === 0) await expect.poll(different, { timeout: 60_000 }).toBe(sent);
    expect((await doorNow(syslog).messages()).length).toBe(await different());
  });
});

function doorNow(door: Door | undefined): Door {
  if (door === undefined) throw new Error('There is no source.');
  return door;
}
