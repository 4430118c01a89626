import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServerProcess, startServer, temporaryFolders } from './server-process.ts';
import { bodyOf, type Door, doorAt, newDoor, post } from './source-door.ts';

const kills = 60;
const SENDERS = 3;
const LINES = 40;
/** How long a delivery may be in hand when the kill comes: from before its first byte to after its answer. */
const KILL_AFTER_MS = { from: 50, to: 1_200 };

/** The whole server, its database and its event store, while senders repeat each batch until it is acknowledged. */
describe.skipIf(process.platform !== 'linux')(`deliveries through ${kills} kills of the server`, () => {
  const folders = temporaryFolders();
  const dataDir = folders.folder('data');
  let server: ServerProcess;
  let door: Door;

  async function start(): Promise<void> {
    server = startServer(dataDir);
    const demo = await server.ready();
    door = door === undefined ? await newDoor(demo, 'ndjson') : doorAt(demo, door);
  }

  beforeAll(start);
  afterAll(async () => {
    await server?.kill('SIGTERM');
    folders.remove();
  });

  it('count every acknowledged line once, and none twice', { timeout: kills * 60_000 }, async () => {
    const ending = new AbortController();
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
    for (let kill = 0; kill < kills; kill++) {
      await wait(randomInt(KILL_AFTER_MS.from, KILL_AFTER_MS.to));
      await server.kill('SIGKILL');
      await start();
    }
    ending.abort();
    await Promise.all(senders);
    expect(await door.events()).toBe(acknowledged);
    expect(await door.found()).toEqual({ events: acknowledged, different: acknowledged });
    expect(acknowledged).toBeGreaterThan(kills * LINES);
    // Otherwise no kill met a delivery, and nothing was tried.
    expect(repeated).toBeGreaterThan(0);
  });
});
