import { setTimeout as wait } from 'node:timers/promises';
import { asked, assertStatus, publishSteps, settled } from './bench-calls.ts';
import { createSender, type IngestTarget, ndjsonBatch, percentile } from './bench-load.ts';
import { GUESSES, guesses } from './guesses-under-load.ts';
import { pacedLoad, requestFor } from './http-load.ts';

export type SoakOptions = IngestTarget & {
  /** Bearer token of an Admin of the tenant. The tenant needs the policy for SSH password guessing and a plan with search. */
  apiKey: string;
  seconds: number;
  /** The part at the beginning and at the end that are compared. */
  windowS: number;
  countStored: () => Promise<number>;
};

export type SoakResult = {
  events_per_s: number;
  runs: number;
  cases: number;
  calls: number;
  searches: number;
  first_call_p99_ms: number;
  last_call_p99_ms: number;
  first_search_p99_ms: number;
  last_search_p99_ms: number;
  first_ack_p99_ms: number;
  last_ack_p99_ms: number;
};

const EVENTS_PER_S = 6_000;
const BATCH = 500;
const RUNS_PER_S = 2;
const OVERVIEWS_PER_S = 1;
const LISTS_PER_S = 20;
const SEARCHES_PER_S = 1;
const BURST_EVERY_MS = 5_000;
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

/**
 * What a busy day asks for, at about half of what two cores can: events all the time, among them guessed passwords that become
 * cases, playbook runs, lists, searches of the last hour and home pages of a week. Throws unless every call is answered as it
 * should be, every event is stored, every run ends with success, every burst has become one case, and the last one is found.
 */
export async function runSoakBench(options: SoakOptions): Promise<SoakResult> {
  const { url, tenant, apiKey, seconds, windowS, countStored } = options;
  const before = await countStored();
  const casesBefore = await casesOf(options);
  const path = (rest: string) => `/api/tenants/${tenant}/${rest}`;
  const playbook = await publishSteps(url, { tenant, token: apiKey }, { steps: 3, seconds: 1 });
  const start = { playbook_id: playbook, inputs: {} };
  const load = { url, seconds, connections: 8 };
  const [sent, calls, runs, overviews, searches] = await Promise.all([
    sendEvents(options),
    pacedLoad({
      ...load,
      perSecond: LISTS_PER_S,
      next: (n) => requestFor(url, path(n % 2 === 0 ? 'case?limit=25' : 'soar/playbook_activity'), apiKey),
    }),
    pacedLoad({
      ...load,
      perSecond: RUNS_PER_S,
      next: () => requestFor(url, path('soar/playbook_activity'), apiKey, start),
    }),
    pacedLoad({ ...load, perSecond: OVERVIEWS_PER_S, next: () => requestFor(url, path(weekNow()), apiKey) }),
    pacedLoad({
      ...load,
      perSecond: SEARCHES_PER_S,
      next: (n) => requestFor(url, path('search'), apiKey, searchFor(n % 2 === 0 ? 'sshd AND root' : '')),
    }),
  ]);
  assertStatus('A list', calls, 200);
  assertStatus('The start of a run', runs, 202);
  assertStatus('A home page', overviews, 200);
  assertStatus('A search', searches, 200);
  const stored = (await countStored()) - before;
  if (stored !== sent.events) throw new Error(`${sent.events} events were acknowledged, and ${stored} are stored.`);
  await settled('runs that did not end with success', 0, () =>
    runsWith(options, playbook, 'status=running,pending,waiting,error,cancelled'),
  );
  // The list is paged: there is a last one, and none after it.
  await settled('last runs', 1, () => runsWith(options, playbook, `status=success&skip=${runs.length - 1}`));
  await settled('cases', sent.bursts, async () => (await casesOf(options)) - casesBefore);
  await settled('events of the last burst', GUESSES, async () => {
    const found = await ask<{ total: { value: number } }>(
      options,
      'search',
      searchFor(`"${addressOf(sent.bursts - 1)}"`),
    );
    return found.total.value;
  });
  const ofWindow = (values: readonly number[], isFirst: boolean) => {
    const count = Math.round((values.length * windowS) / seconds);
    return Math.round(percentile(isFirst ? values.slice(0, count) : values.slice(-count), 0.99));
  };
  const callTimes = calls.map(({ ms }) => ms);
  const searchTimes = searches.map(({ ms }) => ms);
  return {
    events_per_s: Math.round(sent.events / seconds),
    runs: runs.length,
    cases: sent.bursts,
    calls: calls.length + overviews.length,
    searches: searches.length,
    first_call_p99_ms: ofWindow(callTimes, true),
    last_call_p99_ms: ofWindow(callTimes, false),
    first_search_p99_ms: ofWindow(searchTimes, true),
    last_search_p99_ms: ofWindow(searchTimes, false),
    first_ack_p99_ms: ofWindow(sent.acknowledged, true),
    last_ack_p99_ms: ofWindow(sent.acknowledged, false),
  };
}

type SentEvents = { events: number; bursts: number; acknowledged: number[] };

async function sendEvents(options: SoakOptions): Promise<SentEvents> {
  const sender = createSender(options, 8);
  const acknowledged: number[] = [];
  const underWay = new Set<Promise<void>>();
  let [events, bursts, batches] = [0, 0, 0];
  let failed: Error | undefined;
  const send = (body: Buffer, contentType?: string) => {
    const sending = sender.send(body, contentType).then(
      ({ status, answer, ms }) => {
        if (status !== 202) failed ??= new Error(`Events were answered with ${status}: ${JSON.stringify(answer)}`);
        else events += answer.accepted;
        acknowledged.push(ms);
      },
      (error: Error) => {
        failed ??= error;
      },
    );
    const done = sending.finally(() => underWay.delete(done));
    underWay.add(done);
  };
  const started = performance.now();
  for (let now = 0; now < options.seconds * 1000; now = performance.now() - started) {
    for (; batches * BATCH < (EVENTS_PER_S * now) / 1000; batches++)
      send(ndjsonBatch(batches * BATCH, BATCH, Date.now()));
    for (; bursts * BURST_EVERY_MS < now; bursts++) {
      send(guesses(addressOf(bursts)), 'text/plain');
    }
    if (failed !== undefined) break;
    await wait(10);
  }
  await Promise.all(underWay);
  sender.close();
  if (failed !== undefined) throw failed;
  return { events, bursts, acknowledged };
}

function addressOf(burst: number): string {
  return `198.18.${burst >> 8}.${burst & 255}`;
}

function searchFor(query: string) {
  const now = Date.now();
  const range = { start: new Date(now - HOUR_MS).toISOString(), end: new Date(now + HOUR_MS).toISOString() };
  return { query, time_range: range, limit: 25, live: false };
}

/** Every second another one, which no answer of before serves. */
function weekNow(): string {
  const now = Date.now();
  return `dashboards?start_time=${new Date(now - WEEK_MS).toISOString()}&end_time=${new Date(now).toISOString()}`;
}

async function runsWith(options: SoakOptions, playbook: string, filter: string): Promise<number> {
  return (await ask<object[]>(options, `soar/playbook_activity?playbook_id=${playbook}&${filter}`)).length;
}

async function casesOf(options: SoakOptions): Promise<number> {
  return (await ask<{ total: number }>(options, 'case?q=198.18.&limit=1')).total;
}

async function ask<T>({ url, tenant, apiKey }: SoakOptions, rest: string, body?: object): Promise<T> {
  return await asked<T>(url, apiKey, {
    path: `/api/tenants/${tenant}/${rest}`,
    ...(body === undefined ? {} : { body }),
  });
}
