import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFile } from '../src/airdeck-process.ts';
import { sendSyslog } from '../src/syslog-sender.ts';
import { postgresPids, type ServerProcess, startServer, temporaryFolders } from './server-process.ts';
import { bodyOf, type Door, newDoor, offer } from './source-door.ts';

const awayMs = process.env.AIRDECK_FULL === undefined ? 14_000 : 600_000;
const SENDERS = 3;
const LINES = 40;
const SYSLOG_EVERY_MS = 250;

/** A database that hangs, which is worse than one that refuses: nobody is told anything by it. */
describe.skipIf(process.platform !== 'linux')(`${awayMs / 1_000} seconds without the database`, () => {
  const folders = temporaryFolders();
  const dataDir = folders.folder('data');
  let server: ServerProcess;
  let demo: DemoFile;
  let [http, syslog]: Door[] = [];
  let stopped: number[] = [];

  beforeAll(async () => {
    server = startServer(dataDir);
    demo = await server.ready();
    [http, syslog] = [await newDoor(demo, 'ndjson'), await newDoor(demo, 'syslog')];
  });
  afterAll(async () => {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    await server?.kill('SIGTERM');
    folders.remove();
  });

  it('lose nothing that was acknowledged or sent by syslog, and double nothing', {
    timeout: awayMs + 240_000,
  }, async () => {
    if (http === undefined || syslog === undefined) throw new Error('There are no sources.');
    const [door, lines] = [http, syslog];
    const ending = new AbortController();
    const refusals: { status: number; retryAfter: string | null }[] = [];
    let acknowledged = 0;
    let sent = 0;

    /** As a shipper does: the same batch until it is taken, when it is told to. */
    async function ship(name: string): Promise<void> {
      for (let batch = 0; !ending.signal.aborted; batch++) {
        const body = bodyOf(`${name} ${batch}`, LINES);
        for (let answer = await offer(door, body); ; answer = await offer(door, body)) {
          if (answer.status === 202) break;
          refusals.push(answer);
          await wait(Number(answer.retryAfter ?? 1) * 1_000);
        }
        acknowledged += LINES;
      }
    }

    /** As an appliance does: each line once, whatever becomes of it. */
    async function log(): Promise<void> {
      while (!ending.signal.aborted) {
        const line = `<34>1 - h app - - [airdeck@32473 token="${lines.token}"] line ${sent}`;
        await sendSyslog(demo.ports.syslog_tcp, [line]);
        sent++;
        await wait(SYSLOG_EVERY_MS);
      }
    }

    const senders = [...Array.from({ length: SENDERS }, (_, index) => ship(`sender ${index}`)), log()];
    await expect.poll(() => acknowledged, { timeout: 30_000 }).toBeGreaterThan(LINES);
    stopped = postgresPids(dataDir);
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    const [acknowledgedBefore, sentBefore] = [acknowledged, sent];
    await wait(awayMs);
    // What was on its way in may have been answered; nothing can be that came after.
    expect(acknowledged - acknowledgedBefore).toBeLessThanOrEqual(SENDERS * LINES);
    expect(sent).toBeGreaterThan(sentBefore + awayMs / SYSLOG_EVERY_MS / 10);
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.filter(({ status, retryAfter }) => status !== 503 || !(Number(retryAfter) > 0))).toEqual([]);
    for (const pid of stopped.splice(0)) process.kill(pid, 'SIGCONT');

    const during = acknowledged;
    await expect.poll(() => acknowledged, { timeout: 60_000 }).toBeGreaterThan(during + LINES);
    ending.abort();
    await Promise.all(senders);
    expect(await door.events()).toBe(acknowledged);
    await expect.poll(() => lines.events(), { timeout: 60_000 }).toBe(sent);
  });
});
