import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ServerProcess, startServer, temporaryFolders } from './server-process.ts';
import { bodyOf, type Door, doorAt, newDoor, post } from './source-door.ts';

const kills = process.env.AIRDECK_FULL === undefined ? 12 : 60;
const SENDERS = 3;
const LINES = 40;
/** How long a delivery may be in hand when the kill comes: from before its first byte to after its answer. */
const KILL_AFTER_MS = { from: 50, to: 1_200 };
const SYSLOG_EVERY_MS = 20;

/**
 * The whole server, its database and its event store, while senders repeat each batch until it is acknowledged, and an
 * appliance sends each line of syslog once. Nobody acknowledges those: a line is taken once it is on disk.
 */
describe.skipIf(process.platform !== 'linux')(`deliveries through ${kills} kills of the server`, () => {
  const folders = temporaryFolders();
  const dataDir = folders.folder('data');
  let server: ServerProcess;
  let door: Door;
  let lines: Door;
  let syslogPort = 0;

  async function start(): Promise<void> {
    server = startServer(dataDir);
    const demo = await server.ready();
    door = door === undefined ? await newDoor(demo, 'ndjson') : doorAt(demo, door);
    lines = lines === undefined ? await newDoor(demo, 'syslog') : doorAt(demo, lines);
    syslogPort = demo.ports.syslog_tcp;
  }

  beforeAll(start);
  afterAll(async () => {
    await server?.kill('SIGTERM');
    folders.remove();
  });

  it('count every line once that was acknowledged or on disk, and none twice', {
    timeout: kills * 60_000,
  }, async () => {
    const ending = new AbortController();
    // Senders of a failed try would send beside those of the next one.
    onTestFinished(() => ending.abort());
    let acknowledged = 0;
    let repeated = 0;

    /** As a shipper does: the same batch again and again until it is taken, then the next one. */
    async function ship(name: string): Promise<void> {
      for (let batch = 0; !ending.signal.aborted; batch++) {
        const body = bodyOf(`${name} ${batch}`, LINES);
        for (let tries = 0; ; tries++) {
          const answer = await post(door, body).catch(() => undefined);
          if (answer?.status === 202) {
            acknowledged += answer.body.accepted ?? 0;
            if (tries > 0) repeated++;
            break;
          }
          await wait(50);
        }
      }
    }

    const senders = Array.from({ length: SENDERS }, (_, index) => ship(`sender ${index}`));
    const onDisk = new Set<string>();
    for (let kill = 0; kill < kills; kill++) {
      const stopLog = log(syslogPort, { token: lines.token, life: kill });
      await wait(randomInt(KILL_AFTER_MS.from, KILL_AFTER_MS.to));
      await server.kill('SIGKILL');
      stopLog();
      for (const line of spooled(dataDir)) onDisk.add(line);
      await start();
    }
    ending.abort();
    await Promise.all(senders);
    expect(await door.events()).toBe(acknowledged);
    expect(await door.found()).toEqual({ events: acknowledged, different: acknowledged });
    // The last start alone may take one batch of each.
    expect(acknowledged).toBeGreaterThan(SENDERS * LINES);
    // Otherwise no kill met a delivery, and nothing was tried.
    expect(repeated).toBeGreaterThan(0);

    expect(onDisk.size).toBeGreaterThan(0);
    const missing = async () => {
      const found = new Set(await lines.messages());
      return [...onDisk].filter((line) => !found.has(line));
    };
    await expect.poll(missing, { timeout: 60_000, interval: 500 }).toEqual([]);
    const messages = await lines.messages();
    const found = new Set(messages);
    expect(messages.length).toBe(found.size);
    // Lines go to disk in the order they came, so those that were found of a connection have no gap before the last.
    expect(messages.filter((line) => !line.includes(' line 0;') && !found.has(lineBefore(line)))).toEqual([]);
  });
});

/** As an appliance does: each line once, over one connection, whatever becomes of it. Returns what ends it. */
function log(port: number, { token, life }: { token: string; life: number }): () => void {
  let number = 0;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const timer = setInterval(() => {
    socket.write(`<34>1 - h app - - [airdeck@32473 token="${token}"] life ${life} line ${number++};\n`);
  }, SYSLOG_EVERY_MS);
  return () => {
    clearInterval(timer);
    socket.destroy();
  };
}

function lineBefore(line: string): string {
  return line.replace(/\d+(?=;)/, (number) => String(Number(number) - 1));
}

/** The lines a server that was killed has on disk. Each ends its record there, so a torn one is not among them. */
function spooled(dataDir: string): string[] {
  const folder = join(dataDir, 'syslog-spool');
  const segments = readdirSync(folder).filter((name) => name.endsWith('.spool'));
  return segments.flatMap((name) => readFileSync(join(folder, name), 'latin1').match(/life \d+ line \d+;/g) ?? []);
}
