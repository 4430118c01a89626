import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createIngestionFixture, type IngestionFixture, type Sender } from './ingestion-fixture.ts';
import type { IngestionModule } from './ingestion-module.ts';

/** As long as a busy machine takes; what never happens ends the test. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 100 });

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const hasRsyslog = spawnSync('rsyslogd', ['-v']).status === 0;

let fixture: IngestionFixture;
let ingestion: IngestionModule;
let folder: string;

beforeAll(async () => {
  fixture = await createIngestionFixture();
  ingestion = fixture.startIngestion();
  folder = mkdtempSync(join(tmpdir(), 'airdeck-senders-'));
});
afterAll(async () => {
  await fixture.close();
  rmSync(folder, { recursive: true, force: true });
});

const rawsOf = async (sender: Sender) => (await fixture.eventsOf(sender.tenantId)).map((e) => e.raw);
const tokenOf = ({ token }: Sender) => `[airdeck@32473 token="${token}"]`;
const hidden = '[airdeck@32473 token="src_hidden"]';

describe.skipIf(!hasOpenssl)('syslog over TLS', () => {
  const files = () => ({ key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') });
  let tlsPort = 0;

  beforeAll(async () => {
    const { key, cert } = files();
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
    execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const identity = { key: readFileSync(key), cert: readFileSync(cert) };
    const opened = await ingestion.openSyslog({
      ...{ host: '127.0.0.1', tcpPort: undefined, udpPort: undefined, spool: fixture.spool() },
      tls: { port: 0, identity },
    });
    tlsPort = opened.tlsPort ?? 0;
  });

  it('keeps lines of both framings mixed on one connection, given to the source of their token', async () => {
    const sender = await fixture.newSource('syslog');
    const line = (text: string) => `<34>1 - h app - - ${tokenOf(sender)} ${text}`;
    const counted = line('counted\nover two lines');
    const ca = readFileSync(files().cert);
    const socket = connectTls({ port: tlsPort, host: '127.0.0.1', servername: 'localhost', ca });
    await once(socket, 'secureConnect');
    expect(socket.authorized).toBe(true);
    socket.write(`${line('one')}\n${counted.length} ${counted}${line('two')}\r\n`);
    // In pieces, as networks do it.
    for (const piece of `${counted.length} ${counted}`.match(/.{1,7}/gs) ?? []) socket.write(piece);
    socket.end(line('last'));
    await eventually(async () => expect(await rawsOf(sender)).toHaveLength(5));
    const expected = ['one', 'counted\nover two lines', 'two\r', 'counted\nover two lines', 'last'];
    expect((await rawsOf(sender)).sort()).toEqual(expected.map((text) => `<34>1 - h app - - ${hidden} ${text}`).sort());
    expect((await ingestion.stats()).syslog_tls).toMatchObject({ accepted: 5, dropped: 0 });
  });

  it('turns away whoever speaks plain text or an old version, and goes on', async () => {
    const before = (await ingestion.stats()).syslog_tls;
    const plain = connect(tlsPort, '127.0.0.1');
    plain.on('error', () => undefined);
    plain.end('<34>1 - h app - - - in the clear\n');
    await once(plain, 'close');
    const old = connectTls({
      port: tlsPort,
      host: '127.0.0.1',
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      rejectUnauthorized: false,
    });
    const refused = await new Promise((resolve) =>
      old.once('error', () => resolve(true)).once('secureConnect', () => resolve(false)),
    );
    expect(refused).toBe(true);
    const after = (await ingestion.stats()).syslog_tls;
    expect([after.accepted, after.dropped]).toEqual([before.accepted, before.dropped]);
    expect(after.rejected).toBeGreaterThan(before.rejected);
  });
});

describe('a door of one source', () => {
  it('takes lines without a token for it, over TCP and UDP; a token in a line still says whose it is', async () => {
    const [appliance, other] = [await fixture.newSource('syslog'), await fixture.newSource('syslog')];
    const port = await freePort();
    fixture.syslogPorts.set(port, appliance.id);
    const own = fixture.startIngestion();
    const { tcpPort = 0 } = await own.openSyslog({
      ...{ host: '127.0.0.1', tcpPort: 0, udpPort: undefined, spool: fixture.spool() },
      sourcePorts: [port],
    });
    const line = (text: string) => `<34>1 - h app - - ${text}`;
    connect(port, '127.0.0.1').end(`${line('- by tcp')}\n${line(`${tokenOf(other)} of another`)}\n`);
    // The door everybody shares knows nobody behind this address.
    connect(tcpPort, '127.0.0.1').end(`${line('- of nobody')}\n`);
    const socket = createSocket('udp4');
    await new Promise((resolve) => socket.send(line('- by udp'), port, '127.0.0.1', resolve));
    socket.close();
    await eventually(async () => expect(await rawsOf(appliance)).toHaveLength(2));
    await eventually(async () => expect((await own.stats()).syslog_tcp).toMatchObject({ accepted: 2, dropped: 1 }));
    expect((await rawsOf(appliance)).sort()).toEqual([line('- by tcp'), line('- by udp')]);
    expect(await rawsOf(other)).toEqual([line(`${hidden} of another`)]);
  });

  it('counts the datagrams the kernel lost there beside those of the shared door, and tells people', async () => {
    const port = await freePort();
    const doors = new Map<number | undefined, number>([[port, 4]]);
    const own = fixture.startIngestion({ udpSockets: async () => socketsAt(doors) });
    const shared = await own.openSyslog({
      ...{ host: '127.0.0.1', tcpPort: undefined, udpPort: 0, spool: fixture.spool() },
      sourcePorts: [port],
    });
    doors.set(shared.udpPort, 3);
    expect((await own.stats()).syslog_udp.dropped).toBe(7);
    doors.set(port, 9);
    const hourAgo = new Date(fixture.clock.now.getTime() - 3_600_000);
    const told = () => fixture.db.system((tx) => fixture.sources.losses.since(tx, hourAgo));
    const before = await told();
    await own.stop();
    // At least: the other doors of this file write down theirs at any moment.
    expect(await told()).toBeGreaterThanOrEqual(before + 12);
  });
});

/** As `/proc/net/udp` has it, with sockets of others around. */
function socketsAt(dropsByPort: ReadonlyMap<number | undefined, number>): string {
  const row = ([port = 0, drops]: [number | undefined, number]) =>
    `  ${port % 100}: 0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 71 2 0000000000000000 ${drops}`;
  const head =
    '   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops';
  return [head, row([53, 1_000]), ...[...dropsByPort].map(row), ''].join('\n');
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe.skipIf(!hasRsyslog)('the real rsyslog (Debian: apt-get install rsyslog)', () => {
  it('sends what a program logs, as its guide says, each line once', async () => {
    const own = fixture.startIngestion();
    const { tcpPort = 0 } = await own.openSyslog({
      ...{ host: '127.0.0.1', tcpPort: 0, udpPort: undefined, spool: fixture.spool() },
    });
    const sender = await fixture.newSource('syslog');
    const [log, conf] = [join(folder, 'app.log'), join(folder, 'rsyslog.conf')];
    writeFileSync(log, '');
    writeFileSync(conf, rsyslogConf({ folder, log, port: tcpPort, token: sender.token }));
    const daemon = spawn('rsyslogd', ['-n', '-f', conf, '-i', join(folder, 'rsyslog.pid')], { stdio: 'ignore' });
    try {
      const texts = Array.from({ length: 300 }, (_, n) => `sshd says "line ${n}" [with] brackets, 100 % of it`);
      appendFileSync(log, `${texts.join('\n')}\n`);
      const arrived = async () => (await rawsOf(sender)).filter((raw) => raw.includes(' says "line '));
      await eventually(async () => expect(await arrived()).toHaveLength(300));
      expect(new Set((await arrived()).map((raw) => raw.slice(raw.indexOf(hidden) + hidden.length).trim()))).toEqual(
        new Set(texts),
      );
    } finally {
      daemon.kill('SIGTERM');
      await once(daemon, 'close');
    }
  });
});

function rsyslogConf(to: { folder: string; log: string; port: number; token: string }): string {
  const header = '<%PRI%>1 %TIMESTAMP:::date-rfc3339% %HOSTNAME% %APP-NAME% %PROCID% %MSGID%';
  return `global(workDirectory="${to.folder}")
module(load="imfile")
input(type="imfile" file="${to.log}" tag="app")
template(name="airdeck" type="string"
  string="${header} [airdeck@32473 token=\\"${to.token}\\"] %msg:::drop-last-lf%")

*.* action(type="omfwd" target="127.0.0.1" port="${to.port}" protocol="tcp"
  template="airdeck" TCP_Framing="octet-counted"
  action.resumeRetryCount="-1" queue.type="LinkedList"
  queue.filename="airdeck" queue.maxDiskSpace="1g" queue.saveOnShutdown="on")
`;
}
