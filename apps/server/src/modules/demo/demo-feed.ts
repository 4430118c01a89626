import { connect, type Socket } from 'node:net';
import { createFeed, type Feed } from '@airdeck/simulator/feed';
import type { DemoTenantKey } from './demo-company.ts';
import type { DemoFile } from './demo-file.ts';
import { createDemoGraylog } from './demo-graylog.ts';
import { tenantId } from './demo-plan.ts';

type LiveTenant = { key: DemoTenantKey; ratePerSecond: number; scenarioEveryMinutes: number; syslog: boolean };

/** How busy each demo tenant is. Only one of them sends syslog, because the listener has one default source. */
export const liveTenants: readonly LiveTenant[] = [
  { key: 'foods', ratePerSecond: 2, scenarioEveryMinutes: 45, syslog: true },
  { key: 'clinics', ratePerSecond: 0.4, scenarioEveryMinutes: 240, syslog: false },
  { key: 'provider', ratePerSecond: 0.2, scenarioEveryMinutes: 720, syslog: false },
];

type Dependencies = {
  file: DemoFile;
  host: string;
  sandboxUrl: string;
  now: () => Date;
  log: { debug(fields: object, message: string): void };
};

/** The demo's organisations at work: what their products write arrives through the doors real products use. */
export function startDemoFeed({ file, host, sandboxUrl, now, log }: Dependencies): { stop(): Promise<void> } {
  const syslog = createSyslogSender(host, file.ports.syslog_tcp);
  const graylog = createDemoGraylog({ fire: (alert) => postAlert(sandboxUrl, alert), now });
  async function writeLine(line: string): Promise<void> {
    await syslog.send(line);
    await graylog(line);
  }
  const feeds: Feed[] = liveTenants.map((live) => {
    const tenant = tenantId(file, live.key);
    return createFeed({
      seed: tenant,
      clock: now,
      ratePerSecond: live.ratePerSecond,
      scenarios: { everyMinutes: live.scenarioEveryMinutes },
      deliver: {
        http: (lines) => postLines(file, tenant, lines),
        ...(live.syslog ? { syslog: writeLine } : {}),
      },
      onError: (error) => log.debug({ error: String(error) }, 'demo events were not delivered'),
    });
  });
  for (const feed of feeds) feed.start();
  return {
    async stop() {
      await Promise.all(feeds.map((feed) => feed.stop()));
      syslog.close();
    },
  };
}

async function postLines(file: DemoFile, tenant: string, lines: readonly string[]): Promise<void> {
  const source = file.sources.find((candidate) => candidate.tenant === tenant && candidate.kind === 'ndjson');
  if (!source) return;
  const answer = await fetch(new URL(`/api/${tenant}/event/ingest/${source.id}`, file.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${source.token}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`The ingest door answered ${answer.status}.`);
}

async function postAlert(sandboxUrl: string, alert: object): Promise<void> {
  await fetch(`${sandboxUrl}/graylog/sandbox/fire`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(alert),
    signal: AbortSignal.timeout(10_000),
  });
}

/** One connection, opened again after it was lost. */
function createSyslogSender(host: string, port: number) {
  let socket: Socket | undefined;
  function connected(): Socket {
    if (socket && !socket.destroyed) return socket;
    const opened = connect(port, host);
    opened.on('error', () => opened.destroy());
    socket = opened;
    return opened;
  }
  return {
    send(line: string): Promise<void> {
      return new Promise((resolve, reject) => {
        connected().write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
      });
    },
    close: () => socket?.destroy(),
  };
}
