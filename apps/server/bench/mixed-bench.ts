import { setTimeout as wait } from 'node:timers/promises';
import type { EventSource } from '@airdeck/contracts/sources/schema';
import { asked, assertStatus, publishSteps, settled } from './bench-calls.ts';
import { createSender, ndjsonBatch, percentile } from './bench-load.ts';
import { pacedLoad, requestFor } from './http-load.ts';

/** Since it was asked before. */
export type LoopDelay = { p50_ms: number; p99_ms: number; max_ms: number };

/** A server with cases of several tenants, one signed-in Admin of each, and where the server tells how late its loop is. */
export type MixedStand = { url: string; loopUrl: string; members: { tenant: string; token: string }[] };

type Member = MixedStand['members'][number];

export type MixedBenchOptions = MixedStand & { seconds: number };

export type MixedBenchResult = {
  loop_p50_ms: number;
  loop_p99_ms: number;
  loop_max_ms: number;
  mixed_lists_per_s: number;
  mixed_list_p99_ms: number;
  mixed_events_per_s: number;
  mixed_ack_p99_ms: number;
  mixed_runs_per_s: number;
  mixed_start_p99_ms: number;
};

/** Half of what one server has to reach of each alone. */
const LISTS_PER_S = 600;
const EVENTS_PER_S = 7_500;
const RUNS_PER_S = 110;
const BATCH = 500;
const STEPS = 5;
const WARM_UP_S = 10;

/**
 * Lists of 25 cases, events and runs of five durable steps at once, each at half the pace it must reach alone. Throws unless
 * every call is answered as it should be, every event is counted and every run ends with success.
 */
export async function runMixedBench(options: MixedBenchOptions): Promise<MixedBenchResult> {
  const { url, loopUrl, seconds } = options;
  const [first] = options.members;
  if (first === undefined) throw new Error('There is nobody to ask.');
  const source = await asked<EventSource & { token: string }>(url, first.token, {
    path: `/api/${first.tenant}/event/sources/new`,
    body: { name: 'Bench', kind: 'ndjson' },
  });
  const playbooks = new Map<Member, string>();
  for (const member of options.members)
    playbooks.set(member, await publishSteps(url, member, { steps: STEPS, seconds: 0 }));
  const load = (lastS: number) => loadOf({ ...options, seconds: lastS }, { source, playbooks });
  const warm = await load(WARM_UP_S);
  await tellLoop(loopUrl);
  const measured = await load(seconds);
  const loop = await tellLoop(loopUrl);
  const events = warm.events + measured.events;
  await settled('events of the source', events, async () => {
    const sources = await asked<EventSource[]>(url, first.token, { path: `/api/${first.tenant}/event/sources` });
    return sources.find(({ id }) => id === source.id)?.events_24h ?? 0;
  });
  const rounds = [warm.starts.length, measured.starts.length];
  const runs = warm.starts.length + measured.starts.length;
  await settled('runs that ended with success', runs, () => endedRuns(options, playbooks, rounds));
  const p99 = (values: readonly number[]) => Math.round(percentile(values, 0.99));
  return {
    loop_p50_ms: loop.p50_ms,
    loop_p99_ms: loop.p99_ms,
    loop_max_ms: loop.max_ms,
    mixed_lists_per_s: Math.round(measured.lists.length / seconds),
    mixed_list_p99_ms: p99(measured.lists.map(({ ms }) => ms)),
    mixed_events_per_s: Math.round(measured.events / seconds),
    mixed_ack_p99_ms: p99(measured.acknowledged),
    mixed_runs_per_s: Math.round(measured.starts.length / seconds),
    mixed_start_p99_ms: p99(measured.starts.map(({ ms }) => ms)),
  };
}

type Target = { source: { id: string; token: string }; playbooks: ReadonlyMap<Member, string> };

async function loadOf({ url, members, seconds }: MixedBenchOptions, { source, playbooks }: Target) {
  const memberAt = (n: number) => members[n % members.length] as Member;
  const [lists, starts, sent] = await Promise.all([
    pacedLoad({
      ...{ url, seconds, connections: 16, perSecond: LISTS_PER_S },
      next: (n) => {
        const { tenant, token } = memberAt(n);
        return requestFor(url, `/api/tenants/${tenant}/case?limit=25`, token);
      },
    }),
    pacedLoad({
      ...{ url, seconds, connections: 32, perSecond: RUNS_PER_S },
      next: (n) => {
        const member = memberAt(n);
        const body = { playbook_id: playbooks.get(member), inputs: {} };
        return requestFor(url, `/api/tenants/${member.tenant}/soar/playbook_activity`, member.token, body);
      },
    }),
    sendEvents({ url, tenant: memberAt(0).tenant, source: source.id, token: source.token }, seconds),
  ]);
  assertStatus('A list', lists, 200);
  assertStatus('The start of a run', starts, 202);
  return { lists, starts, ...sent };
}

async function sendEvents(target: Parameters<typeof createSender>[0], seconds: number) {
  const sender = createSender(target, 8);
  const acknowledged: number[] = [];
  const working: Promise<void>[] = [];
  let events = 0;
  const started = performance.now();
  for (let batch = 0; batch < (EVENTS_PER_S / BATCH) * seconds; batch++) {
    await wait(Math.max(0, started + (batch * BATCH * 1_000) / EVENTS_PER_S - performance.now()));
    const body = ndjsonBatch(batch * BATCH, BATCH, Date.now());
    working.push(
      sender.send(body).then(({ status, answer, ms }) => {
        if (status !== 202) throw new Error(`Events were answered with ${status}.`);
        events += answer.accepted;
        acknowledged.push(ms);
      }),
    );
  }
  await Promise.all(working);
  sender.close();
  return { events, acknowledged };
}

/** So many of each tenant's, as they were started in turns, each time from the first on. */
async function endedRuns(
  { url, members }: MixedBenchOptions,
  playbooks: Target['playbooks'],
  rounds: readonly number[],
): Promise<number> {
  let ended = 0;
  for (const [at, member] of members.entries()) {
    const expected = rounds.reduce((sum, runs) => sum + Math.ceil((runs - at) / members.length), 0);
    const path = `/api/tenants/${member.tenant}/soar/playbook_activity?playbook_id=${playbooks.get(member)}&status=success`;
    const last = await asked<object[]>(url, member.token, { path: `${path}&skip=${expected - 1}` });
    if (last.length === 1) ended += expected;
  }
  return ended;
}

async function tellLoop(loopUrl: string): Promise<LoopDelay> {
  return (await (await fetch(loopUrl)).json()) as LoopDelay;
}
