import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, type ClientRequest, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFile } from '../src/airdeck-process.ts';
import {
  eventsPid,
  isRunning,
  postgresPid,
  type ServerProcess,
  startServer,
  temporaryFolders,
} from './server-process.ts';
import { beginPost, bodyOf, type Door, doorAt, newDoor, post } from './source-door.ts';

/** What belongs to one process is killed as a power cut or the system's memory killer would. Each step needs the one before. */
describe.skipIf(process.platform !== 'linux')('a data folder through kills and stops', () => {
  const folders = temporaryFolders();
  const dataDir = folders.folder('data');
  let server: ServerProcess;
  let demo: DemoFile;
  let door: Door;
  let acknowledged = 0;

  async function start(): Promise<void> {
    server = startServer(dataDir);
    demo = await server.ready();
    if (door !== undefined) door = doorAt(demo, door);
  }

  /** As a shipper does: the same batch until it is taken. Returns what it was refused with on the way. */
  async function deliver(mark: string): Promise<number[]> {
    const refusals: number[] = [];
    await expect
      .poll(
        async () => {
          const { status, body } = await post(door, bodyOf(mark, 50));
          if (status === 202) acknowledged += body.accepted ?? 0;
          else refusals.push(status);
          return status;
        },
        { timeout: 20_000, interval: 200 },
      )
      .toBe(202);
    return refusals;
  }

  beforeAll(async () => {
    await start();
    door = await newDoor(demo, 'ndjson');
  });
  afterAll(async () => {
    await server.kill('SIGTERM');
    folders.remove();
  });

  it('starts the event store again when it is killed, and refuses events with 503 until then', async () => {
    await deliver('before');
    const killed = eventsPid(server);
    process.kill(killed, 'SIGKILL');
    const refusals = await deliver('meanwhile');
    expect(refusals.filter((status) => status !== 503)).toEqual([]);
    expect(eventsPid(server)).not.toBe(killed);
    expect(await door.events()).toBe(acknowledged);
  });

  it('says what happened and ends with code 1 when the database is killed, and starts again with everything', async () => {
    process.kill(postgresPid(dataDir), 'SIGKILL');
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.words()).toContain('The embedded database ended unexpectedly (SIGKILL), so the program stops.');
    await start();
    expect(await door.events()).toBe(acknowledged);
  });

  it('takes the folder over from a killed server, whose database lives on', async () => {
    await deliver('before the kill');
    await server.kill('SIGKILL');
    const orphan = postgresPid(dataDir);
    expect(isRunning(orphan)).toBe(true);
    await start();
    expect(isRunning(orphan)).toBe(false);
    expect(await door.events()).toBe(acknowledged);
    await deliver('after the kill');
  });

  it('ends with code 0 on Ctrl-C, which reaches its children too, also when npm passes it on once more', async () => {
    const database = postgresPid(dataDir);
    const events = eventsPid(server);
    const ended = server.killGroup('SIGINT');
    void server.kill('SIGINT');
    expect(await ended).toEqual({ code: 0, signal: null });
    expect([database, events].filter(isRunning)).toEqual([]);
    expect(existsSync(join(dataDir, 'airdeck.lock'))).toBe(false);
  });

  it('ends with code 0 on SIGTERM, and the folder holds what was acknowledged', async () => {
    await start();
    expect(await door.events()).toBe(acknowledged);
    const database = postgresPid(dataDir);
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(isRunning(database)).toBe(false);
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  });

  it('answers what was on its way when SIGTERM came, and refuses what comes after it with 503', async () => {
    await start();
    const body = bodyOf('on its way', 50);
    const underWay = beginPost(door, Buffer.byteLength(body));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    // The server has read the head, and the connection for what comes later is open.
    await once(underWay, 'continue');
    expect((await ask(`${door.url}/health/ready`, agent)).statusCode).toBe(200);
    const ended = server.kill('SIGTERM');
    await expect.poll(async () => (await ask(`${door.url}/health/ready`, agent)).statusCode).toBe(503);
    const late = await ask(`${door.url}/config.json`, agent);
    expect([late.statusCode, late.headers['retry-after']]).toEqual([503, '2']);
    underWay.end(body);
    expect((await answerTo(underWay)).statusCode).toBe(202);
    acknowledged += 50;
    expect(await ended).toEqual({ code: 0, signal: null });
    agent.destroy();
    await start();
    expect(await door.events()).toBe(acknowledged);
  });
});

async function ask(url: string, agent: Agent): Promise<IncomingMessage> {
  return await answerTo(get(url, { agent }));
}

async function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer;
}
