/** The thread in which events are read, written and held against policies. Its own bundle in a build. */
import { parentPort, workerData } from 'node:worker_threads';
import { composeEventWork } from '../compose-event-work.ts';
import { giveWay } from '../give-way.ts';
import { createEventsStore } from '../storage/events-store.ts';
import { openCalls } from '../thread-calls.ts';
import type { LogLevel, ServerAnswers, ThreadAnswers, ThreadOrder } from './event-thread.ts';

if (parentPort === null) throw new Error('This is a thread of the server.');
giveWay();
const { store } = workerData as ThreadOrder;

const tellAs = (level: LogLevel) => (fields: object, message: string) =>
  server.tell('log', { level, fields: plain(fields), message });
const log = { debug: tellAs('debug'), info: tellAs('info'), warn: tellAs('warn'), error: tellAs('error') };
const work = composeEventWork({
  store: createEventsStore({ ...store, log }),
  loadPolicies: (tenant, knownVersion) => server.ask('policies', { tenant, knownVersion }),
  now: () => new Date(),
  log,
});
const answers: ThreadAnswers = {
  ready: () => true,
  read: ({ arrival, owner }) => work.read(arrival, owner),
  write: (batches) => work.write(batches),
  match: ({ batches, from }) => work.match(batches, from),
  ping: () => work.ping(),
  drop: (id) => work.drop(id),
  markStale: (tenant) => work.markStale(tenant),
  markAllStale: () => work.markAllStale(),
};
const server = openCalls<ServerAnswers>(parentPort, answers);

/** Errors as what the log makes of them; others may hold what cannot be copied. */
function plain(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, described(value)]));
}

function described(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name: type, message, stack, cause } = value;
  return { type, message, stack, ...(cause === undefined ? {} : { cause: String(cause) }) };
}
