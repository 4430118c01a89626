import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFile } from '../src/airdeck-process.ts';
import { apiOf, userOf } from '../src/api.ts';
import { refusedStart, type ServerProcess, startServer, temporaryFolders } from './server-process.ts';
import { bodyOf, type Door, newDoor, post } from './source-door.ts';

const folders = temporaryFolders();
const dataDir = folders.folder('data');
let server: ServerProcess;
let demo: DemoFile;

beforeAll(async () => {
  server = startServer(dataDir);
  demo = await server.ready();
});
afterAll(async () => {
  await server.kill('SIGTERM');
  folders.remove();
});

describe('bad input at the HTTP door', () => {
  let door: Door;
  beforeAll(async () => {
    door = await newDoor(demo, 'ndjson');
  });

  it('keeps the good lines of a batch and names the broken ones', async () => {
    const body = ['{"message":"one"}', '{"message":', '', 'plain', '{"message":"two"}', '[1]'].join('\n');
    const answer = await post(door, body);
    expect(answer).toMatchObject({
      status: 202,
      body: { accepted: 2, rejected: 3, errors: [{ line: 2 }, { line: 4 }, { line: 6 }] },
    });
    expect(await door.events()).toBe(2);
  });

  it('answers a batch that is sent again as before, and counts it once', async () => {
    const before = await door.events();
    const body = bodyOf('again', 100);
    const [first, second] = [await post(door, body), await post(door, body)];
    expect(first).toMatchObject({ status: 202, body: { accepted: 100, duplicate: false } });
    expect(second).toEqual({ ...first, body: { ...first.body, duplicate: true } });
    expect(await door.events()).toBe(before + 100);
  });

  it('answers a wrong token, a token of another source and another tenant alike', async () => {
    const other = demo.tenants.find(({ id }) => id !== door.tenant)?.id ?? '';
    const neighbour = await newDoor(demo, 'ndjson');
    const answers = await Promise.all([
      post({ ...door, token: `src_${'A'.repeat(43)}` }, bodyOf('stranger', 1)),
      post({ ...door, token: neighbour.token }, bodyOf('stranger', 1)),
      post({ ...door, tenant: other }, bodyOf('stranger', 1)),
    ]);
    for (const { status, body } of answers) expect({ status, code: body.code }).toEqual(wrongToken);
    expect(await post({ ...door, token: '' }, bodyOf('stranger', 1))).toMatchObject({ status: 401 });
  });

  it('refuses a body beyond the limit by its announcement', async () => {
    expect(await announce(door, serverLimits.ingestBodyMaxBytes + 1)).toBe(413);
  });

  it('refuses a gzip bomb and what is not gzip', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const bomb = gzipSync(Buffer.alloc(serverLimits.ingestInflatedMaxBytes * 2, 0x20), { level: 1 });
    expect(await post(door, bomb, headers)).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
    expect(await post(door, 'not packed', headers)).toMatchObject({
      status: 400,
      body: { code: 'BODY_NOT_DECODABLE' },
    });
  });

  it('works on after all of that', async () => {
    const before = await door.events();
    expect(await post(door, bodyOf('after', 3))).toMatchObject({ status: 202, body: { accepted: 3 } });
    expect(await door.events()).toBe(before + 3);
  });
});

describe('bad input at the syslog doors', () => {
  const garbage = Buffer.from(Array.from({ length: 4_096 }, (_, n) => (n * 7919) % 256));

  it('keeps the lines between garbage and behind a line of more than 1 MB', async () => {
    const door = await newDoor(demo, 'syslog');
    const line = (text: string) => `<34>1 - h app - - [airdeck@32473 token="${door.token}"] ${text}\n`;
    const socket = connect(demo.ports.syslog_tcp, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(garbage);
    socket.write(`\n${line('behind garbage')}`);
    socket.write(line('x'.repeat(1_200_000)));
    socket.end(line('behind a long line'));
    await expect.poll(door.events, { timeout: 10_000 }).toBe(3);
  });

  it('keeps the datagram behind garbage', async () => {
    const door = await newDoor(demo, 'syslog');
    const socket = createSocket('udp4');
    for (const datagram of [garbage, `<34>1 - h app - - [airdeck@32473 token="${door.token}"] here`]) {
      await new Promise((sent) => socket.send(datagram, demo.ports.syslog_udp, '127.0.0.1', sent));
    }
    socket.close();
    await expect.poll(door.events, { timeout: 10_000 }).toBe(1);
  });
});

describe('a second instance', () => {
  it('is refused on the same folder, with the process that holds it', async () => {
    expect(await refusedStart(dataDir)).toEqual({
      code: 1,
      words: `The data folder ${dataDir} is in use by the running process ${server.pid}: stop it first or choose another folder with AIRDECK_DATA_DIR.`,
    });
    expect((await fetch(`${demo.url}/health/ready`)).status).toBe(200);
  });

  it('runs beside the first on a folder of its own, and neither takes the keys of the other', async () => {
    const beside = startServer(folders.folder('beside'));
    try {
      const other = await beside.ready();
      expect(new Set([...Object.values(demo.ports), ...Object.values(other.ports)]).size).toBeGreaterThanOrEqual(6);
      const [mine, theirs] = [userOf(demo, 'Analyst'), userOf(other, 'Analyst')];
      expect((await apiOf(other, theirs).call('me.get', {})).user.email).toBe(theirs.email);
      await expect(apiOf(other, mine).call('me.get', {})).rejects.toMatchObject({ status: 401 });
    } finally {
      await beside.kill('SIGTERM');
    }
  });
});

const wrongToken = { status: 401, code: 'TOKEN_INVALID' };

/** Says how much is coming and sends nothing: the refusal must not wait for the body. */
async function announce(door: Door, sizeBytes: number): Promise<number | undefined> {
  const sending = request(`${door.url}/api/${door.tenant}/event/ingest/${door.id}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${door.token}`,
      'content-type': 'application/x-ndjson',
      'content-length': sizeBytes,
    },
  });
  sending.on('error', () => undefined);
  sending.flushHeaders();
  const [answer] = await once(sending, 'response');
  sending.destroy();
  return answer.statusCode;
}
