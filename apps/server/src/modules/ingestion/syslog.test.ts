import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Detection } from '../detection/detection-port.ts';
import { starterPolicies } from '../policies/starter-policies.ts';
import { createIngestionFixture, type IngestionFixture, type Sender } from './ingestion-fixture.ts';
import type { IngestionModule } from './ingestion-module.ts';

/** As long as a busy machine takes; what never happens ends the test. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 100 });

let fixture: IngestionFixture;
let ingestion: IngestionModule;
let byDefault: Sender;
let ports: { tcpPort: number | undefined; udpPort: number | undefined };

beforeAll(async () => {
  fixture = await createIngestionFixture();
  ingestion = fixture.startIngestion();
  ports = await ingestion.openSyslog({ host: '127.0.0.1', tcpPort: 0, udpPort: 0, spool: fixture.spool() });
  byDefault = await fixture.newSource('syslog', { syslogDefault: true });
});
afterAll(() => fixture.close());

async function sendTcp(...chunks: (string | Buffer)[]): Promise<void> {
  const socket = connect(ports.tcpPort ?? 0, '127.0.0.1');
  await once(socket, 'connect');
  for (const chunk of chunks) socket.write(chunk);
  socket.end();
  await once(socket, 'close');
}

const rawsOf = async (sender: Sender) => (await fixture.eventsOf(sender.tenantId)).map((e) => e.raw);
const arrived = (sender: Sender, raw: string) => eventually(async () => expect(await rawsOf(sender)).toContain(raw));

describe('syslog over TCP', () => {
  it('keeps lines of both framings, garbage included', async () => {
    const counted = '<34>1 - h app - - - with\nnewline';
    const garbage = Buffer.from([0xff, 0xfe, 0x41, 0x0a]);
    await sendTcp(
      '<34>Nov 21 11:00:00 h app: one\r\n',
      `${counted.length} ${counted}`,
      '\n\n17 words of text\n',
      garbage,
      'last without newline',
    );
    await arrived(byDefault, 'last without newline');
    expect(await rawsOf(byDefault)).toEqual(
      expect.arrayContaining(['<34>Nov 21 11:00:00 h app: one\r', counted, '17 words of text', '\uFFFD\uFFFDA']),
    );
    // The store has them a moment before they are counted, and the next test goes on from these counts.
    await eventually(async () => expect((await ingestion.stats()).syslog_tcp.accepted).toBe(5));
  });

  it('cuts a line of several megabytes, counts that, and goes on with the next', async () => {
    const before = (await ingestion.stats()).syslog_tcp;
    await sendTcp(`<34>${'x'.repeat(3 * 1_048_576)}\n<34>after the long one\n`);
    await arrived(byDefault, '<34>after the long one');
    const cut = (await fixture.eventsOf(byDefault.tenantId)).find((e) => e.raw.startsWith('<34>xxx'));
    expect(cut?.raw.length).toBe(262_144);
    expect(cut?.fields).toMatchObject({ raw_truncated_bytes: 1_048_576 - 262_144 });
    expect((await ingestion.stats()).syslog_tcp.malformed).toBe(before.malformed + 1);
  });

  it('follows the token in the structured data to its source, and does not store it', async () => {
    const named = await fixture.newSource('syslog');
    await sendTcp(`<34>1 - h app - - [airdeck@32473 token="${named.token}"] hello\n`);
    await arrived(named, '<34>1 - h app - - [airdeck@32473 token="src_hidden"] hello');
  });

  it('drops and counts lines with a wrong token instead of giving them to somebody', async () => {
    const before = (await ingestion.stats()).syslog_tcp.dropped;
    await sendTcp(`<34>1 - h app - - [airdeck@1 token="src_${'A'.repeat(43)}"] stranger\n`);
    await eventually(async () => expect((await ingestion.stats()).syslog_tcp.dropped).toBe(before + 1));
    expect((await rawsOf(byDefault)).join('\n')).not.toContain('stranger');
  });

  it('loses nothing of a burst larger than its memory: the sender has to wait', async () => {
    const small = fixture.startIngestion({ heldBytesMax: 20_000 });
    const { tcpPort = 0 } = await small.openSyslog({
      host: '127.0.0.1',
      tcpPort: 0,
      udpPort: undefined,
      spool: fixture.spool(),
    });
    const socket = connect(tcpPort, '127.0.0.1');
    for (let n = 0; n < 3_000; n++) socket.write(`<34>Nov 21 11:00:00 h burst: line ${n}\n`);
    socket.end('<34>Nov 21 11:00:00 h burst: end\n');
    await arrived(byDefault, '<34>Nov 21 11:00:00 h burst: end');
    await eventually(async () => expect((await small.stats()).syslog_tcp.accepted).toBe(3_001));
    expect((await small.stats()).held_bytes).toBe(0);
  });

  it('closes connections whose lines do not end once they fill their share of the memory, and counts them', async () => {
    const heldBytesMax = 400_000;
    const small = fixture.startIngestion({ heldBytesMax });
    const { tcpPort = 0 } = await small.openSyslog({
      host: '127.0.0.1',
      tcpPort: 0,
      udpPort: undefined,
      spool: fixture.spool(),
    });
    const sockets = Array.from({ length: 20 }, () => connect(tcpPort, '127.0.0.1'));
    const closed = sockets.map(
      (socket) => new Promise<void>((resolve) => socket.on('error', () => undefined).once('close', () => resolve())),
    );
    let ended = 0;
    for (const end of closed) void end.then(() => ended++);
    // Seven of them are more than half of the memory.
    for (const socket of sockets) socket.write(`<34>endless ${'x'.repeat(30_000)}`);
    await eventually(async () => expect((await small.stats()).syslog_tcp.dropped).toBeGreaterThanOrEqual(14));
    expect((await small.stats()).held_bytes).toBeLessThanOrEqual(heldBytesMax / 2);
    await eventually(async () => expect(ended).toBe((await small.stats()).syslog_tcp.dropped));
    connect(tcpPort, '127.0.0.1').end('<34>beside lines that do not end\n');
    await arrived(byDefault, '<34>beside lines that do not end');
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect((await small.stats()).held_bytes).toBe(0));
  });

  it('keeps lines while the stores are away, and writes them once when they are back', async () => {
    let away = true;
    const flaky: Detection = {
      match: () => (away ? Promise.reject(new Error('away')) : Promise.resolve([])),
      apply: () => Promise.resolve(),
    };
    const patient = fixture.startIngestion({ detection: flaky });
    const { tcpPort = 0 } = await patient.openSyslog({
      host: '127.0.0.1',
      tcpPort: 0,
      udpPort: undefined,
      spool: fixture.spool(),
    });
    connect(tcpPort, '127.0.0.1').end('<34>written later\n');
    await eventually(async () => expect((await patient.stats()).spool.bytes).toBeGreaterThan(0));
    away = false;
    await arrived(byDefault, '<34>written later');
    await eventually(async () => expect((await patient.stats()).syslog_tcp.accepted).toBe(1));
    expect((await rawsOf(byDefault)).filter((raw) => raw === '<34>written later')).toHaveLength(1);
  });

  it('keeps lines a stopped or killed process could not write, for the next one', async () => {
    const away: Detection = { match: () => Promise.reject(new Error('away')), apply: () => Promise.resolve() };
    const spool = fixture.spool();
    const first = fixture.startIngestion({ detection: away });
    const { tcpPort = 0 } = await first.openSyslog({ host: '127.0.0.1', tcpPort: 0, udpPort: undefined, spool });
    connect(tcpPort, '127.0.0.1').end('<34>for the next process\n');
    await eventually(async () => expect((await first.stats()).spool.bytes).toBeGreaterThan(0));
    await first.stop();
    const second = fixture.startIngestion();
    await second.openSyslog({ host: '127.0.0.1', tcpPort: 0, udpPort: undefined, spool });
    await arrived(byDefault, '<34>for the next process');
    expect((await rawsOf(byDefault)).filter((raw) => raw === '<34>for the next process')).toHaveLength(1);
  });

  it('says that a port is taken instead of listening nowhere', async () => {
    const second = fixture
      .startIngestion()
      .openSyslog({ host: '127.0.0.1', tcpPort: ports.tcpPort, udpPort: undefined, spool: fixture.spool() });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('syslog over UDP', () => {
  async function sendUdp(datagram: string | Buffer): Promise<void> {
    const socket = createSocket('udp4');
    await new Promise((sent) => socket.send(datagram, ports.udpPort ?? 0, '127.0.0.1', sent));
    socket.close();
  }

  it('keeps one record per datagram, up to the largest there are', async () => {
    await sendUdp(`<34>${'y'.repeat(60_000)}`);
    await sendUdp('<13>Nov 21 11:00:00 h app: by datagram');
    await arrived(byDefault, '<13>Nov 21 11:00:00 h app: by datagram');
    await eventually(async () => expect((await rawsOf(byDefault)).some((raw) => raw.length === 60_004)).toBe(true));
  });

  it('counts what does not fit, and tells people beside their sources', async () => {
    const away: Detection = { match: () => Promise.reject(new Error('away')), apply: () => Promise.resolve() };
    const small = fixture.startIngestion({ detection: away });
    const spool = fixture.spool(undefined, 100);
    const opened = await small.openSyslog({ host: '127.0.0.1', tcpPort: undefined, udpPort: 0, spool });
    const socket = createSocket('udp4');
    const send = () => new Promise((sent) => socket.send('z'.repeat(80), opened.udpPort ?? 0, '127.0.0.1', sent));
    await send();
    await eventually(async () => expect((await small.stats()).spool.bytes).toBeGreaterThan(80));
    for (let n = 0; n < 4; n++) await send();
    await eventually(async () => expect((await small.stats()).syslog_udp.dropped).toBe(4));
    socket.close();
    const hourAgo = new Date(fixture.clock.now.getTime() - 3_600_000);
    const told = () => fixture.db.system((tx) => fixture.sources.losses.since(tx, hourAgo));
    const earlier = await told();
    await small.stop();
    // At least: the other doors of this file write down theirs at any moment.
    expect(await told()).toBeGreaterThanOrEqual(earlier + 4);
  });
});

const sample = resolve(process.env.AIRDECK_SHARED_DATA ?? '../shared/data', 'events/linux/sshd_bruteforce.log');
const log = (() => {
  try {
    return readFileSync(sample, 'utf8');
  } catch {
    return undefined;
  }
})();

describe('a real password-guessing run', () => {
  it.skipIf(log === undefined)('opens one case with its 13 failures and none for the address with 3', async () => {
    const own = await createIngestionFixture();
    try {
      const source = await own.newSource('syslog', { syslogDefault: true });
      const [guessing] = starterPolicies;
      if (guessing === undefined) throw new Error('The policy is missing.');
      await own.createPolicy(source.tenantId, guessing);
      const { tcpPort = 0 } = await own
        .startIngestion()
        .openSyslog({ host: '127.0.0.1', tcpPort: 0, udpPort: undefined, spool: fixture.spool() });
      connect(tcpPort, '127.0.0.1').end(log ?? '');
      await eventually(async () => expect(await own.eventsOf(source.tenantId)).toHaveLength(27));
      await eventually(async () => expect(await own.casesOf(source.tenantId)).toHaveLength(1));
      const [opened] = await own.casesOf(source.tenantId);
      expect(opened?.event_count).toBe(13);
    } finally {
      await own.close();
    }
  });
});
