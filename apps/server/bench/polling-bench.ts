import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from './bench-load.ts';
import { type Answer, pacedLoad, requestFor } from './http-load.ts';
import type { ListStand } from './list-bench.ts';

export type PollingBenchOptions = Pick<ListStand, 'url' | 'members'> & {
  /** Open dashboards, spread over the members. Default 500. */
  dashboards?: number;
  /** Default 120. */
  seconds?: number;
  /** Processor seconds the server and its stores have used so far. */
  cpuSeconds: () => number;
};

export type PollingBenchResult = {
  dashboards: number;
  calls_per_s: number;
  core_share: number;
  polling_p99_ms: number;
};

const DAY_MS = 86_400_000;
const SETTLE_MS = 5_000;
const OPENED_EVERY_MS = 20;

/** What an open home page asks for, and how often: the intervals of the dashboard's own table of queries. */
const polls: readonly { path: (tenant: string) => string; everyS: number }[] = [
  { path: (tenant) => `/api/tenants/${tenant}/notifications`, everyS: 60 },
  { path: (tenant) => `/api/tenants/${tenant}`, everyS: 60 },
  { path: weekOf, everyS: 60 },
  { path: () => '/me', everyS: 300 },
];

/**
 * Dashboards that are open and otherwise left alone: each holds its live stream and polls. Throws unless every call is
 * answered with 200 and every stream is still open at the end.
 */
export async function runPollingBench(options: PollingBenchOptions): Promise<PollingBenchResult> {
  const { url, members, dashboards = 500, seconds = 120, cpuSeconds } = options;
  const opened = Array.from({ length: dashboards }, (_, n) => memberOf(members, n));
  const streams: ReturnType<typeof openStream>[] = [];
  for (const { tenant, token } of opened) {
    streams.push(openStream(url, requestFor(url, `/api/tenants/${tenant}/stream`, token)));
    // People do not open 500 dashboards in one moment.
    await wait(OPENED_EVERY_MS);
  }
  await wait(SETTLE_MS);
  const before = cpuSeconds();
  const started = performance.now();
  const answers = await Promise.all(
    polls.map(({ path, everyS }) =>
      pacedLoad({
        ...{ url, seconds, connections: 32, perSecond: dashboards / everyS },
        next: (n) => {
          const { tenant, token } = memberOf(opened, n);
          return requestFor(url, path(tenant), token);
        },
      }),
    ),
  ).then((each) => each.flat());
  const took = (performance.now() - started) / 1000;
  const used = cpuSeconds() - before;
  const open = streams.filter((stream) => stream.isOpen()).length;
  for (const stream of streams) stream.close();
  if (open < dashboards) throw new Error(`${dashboards - open} of ${dashboards} streams were not open at the end.`);
  assertAnswered(answers);
  return {
    dashboards,
    calls_per_s: answers.length / took,
    core_share: (100 * used) / took,
    polling_p99_ms: percentile(
      answers.map(({ ms }) => ms),
      0.99,
    ),
  };
}

function memberOf<T>(members: readonly T[], n: number): T {
  const member = members[n % members.length];
  if (member === undefined) throw new Error('There are no members.');
  return member;
}

function weekOf(tenant: string): string {
  const end = new Date();
  const start = new Date(end.getTime() - 7 * DAY_MS);
  return `/api/tenants/${tenant}/dashboards?start_time=${start.toISOString()}&end_time=${end.toISOString()}`;
}

function assertAnswered(answers: readonly Answer[]): void {
  const wrong = answers.find(({ status }) => status !== 200);
  if (wrong !== undefined) throw new Error(`A poll was answered with ${wrong.status}.`);
}

function openStream(url: string, request: Buffer) {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect({ host: hostname, port: Number(port) });
  let head = '';
  socket.on('data', (chunk) => {
    if (head.length < 12) head += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.write(request);
  return {
    isOpen: () => !socket.destroyed && !socket.readableEnded && head.startsWith('HTTP/1.1 200'),
    close: () => socket.destroy(),
  };
}
