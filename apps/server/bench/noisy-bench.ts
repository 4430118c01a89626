import { assertStatus, publishSteps, settled } from './bench-calls.ts';
import { percentile } from './bench-load.ts';
import { type Answer, pacedLoad, requestFor } from './http-load.ts';

/** Of the runs of all tenants but the noisy one. */
export type RunTimes = { ms: readonly number[]; unfinished: number };

/** A server with the limits of the product; the first member's tenant is the noisy one, whose other members stand last. */
export type NoisyStand = {
  url: string;
  members: { tenant: string; token: string }[];
  runsUrl: string;
  /** What one tenant may call. */
  limits: { perSecond: number; burst: number };
};

type Member = NoisyStand['members'][number];

export type NoisyBenchOptions = NoisyStand & { rounds: number; secondsEach: number };

export type NoisyBenchResult = {
  list_alone_p50_ms: number;
  list_alone_p99_ms: number;
  list_beside_p50_ms: number;
  list_beside_p99_ms: number;
  list_ratio: number;
  search_alone_p50_ms: number;
  search_alone_p99_ms: number;
  search_beside_p50_ms: number;
  search_beside_p99_ms: number;
  search_ratio: number;
  start_alone_p50_ms: number;
  start_alone_p99_ms: number;
  start_beside_p50_ms: number;
  start_beside_p99_ms: number;
  start_ratio: number;
  run_p99_ms: number;
  noisy_sent_per_s: number;
  noisy_answered_per_s: number;
};

const TIMES_ITS_QUOTA = 20;
/** Of a hundred calls of the noisy tenant; the rest are lists. */
const [SEARCHES, STARTS] = [10, 10];
const others = { listsPerS: 40, searchesPerS: 5, startsPerS: 5 };
/** Before each part. The noisy tenant has used up its burst then. */
const WARM_UP_S = 5;
const PAGES = 150;
const STEPS = 3;
const DAY_MS = 86_400_000;

type Times = { lists: number[]; searches: number[]; starts: number[] };

/**
 * Lists of cases, searches and starts of runs of many tenants, in turns alone and beside one tenant that asks for the same at
 * twenty times its quota, once its burst is used up. A result for each round. Throws unless every call of the others is answered
 * as if they were alone and all their runs end with success, and the noisy tenant gets what it may have, and no more.
 */
export async function runNoisyBench(options: NoisyBenchOptions): Promise<NoisyBenchResult[]> {
  const { url, members, rounds, secondsEach, limits, runsUrl } = options;
  const noisyTenant = members[0]?.tenant;
  const noisy = members.filter(({ tenant }) => tenant === noisyTenant);
  const quiet = members.filter(({ tenant }) => tenant !== noisyTenant);
  const playbooks = new Map<string, string>();
  for (const member of [...quiet, ...noisy.slice(0, 1)])
    playbooks.set(member.tenant, await publishSteps(url, member, { steps: STEPS, seconds: 0 }));
  const asks = (member: Member) => requestsOf(url, member, playbooks.get(member.tenant) ?? '');

  const quietRequests = quiet.map(asks);
  const measured = async () => {
    const warm = await quietLoad(url, quietRequests, WARM_UP_S);
    const times = await quietLoad(url, quietRequests, secondsEach);
    starts += warm.starts.length + times.starts.length;
    return times;
  };
  let starts = 0;
  const found: Omit<NoisyBenchResult, 'run_p99_ms'>[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await measured();
    const seconds = WARM_UP_S + secondsEach;
    const began = performance.now();
    const [beside, noise] = await Promise.all([
      measured(),
      noisyLoad(url, noisy.map(asks), { perSecond: TIMES_ITS_QUOTA * limits.perSecond, seconds }),
    ]);
    // A machine that is busy with other things takes longer to send it all.
    const tookS = (performance.now() - began) / 1_000;
    found.push({
      ...figures('list', alone.lists, beside.lists),
      ...figures('search', alone.searches, beside.searches),
      ...figures('start', alone.starts, beside.starts),
      noisy_sent_per_s: TIMES_ITS_QUOTA * limits.perSecond,
      noisy_answered_per_s: letIn(noise, limits, tookS) / tookS,
    } as Omit<NoisyBenchResult, 'run_p99_ms'>);
  }
  await settled('runs that did not end with success', 0, async () => (await runTimesOf(runsUrl)).unfinished);
  const { ms: runTimes } = await runTimesOf(runsUrl);
  if (runTimes.length !== starts) throw new Error(`${starts} runs were started, and there are ${runTimes.length}.`);
  return found.map((each) => ({ ...each, run_p99_ms: percentile(runTimes, 0.99) }));
}

type Requests = { list(n: number): Buffer; search(): Buffer; start(): Buffer };

function requestsOf(url: string, { tenant, token }: Member, playbook: string): Requests {
  const path = `/api/tenants/${tenant}`;
  return {
    // Pages go round, so that most of them are read and not kept.
    list: (n) => requestFor(url, `${path}/case?limit=25&page=${1 + (n % PAGES)}`, token),
    search: () => requestFor(url, `${path}/search`, token, searchOfADay()),
    start: () => requestFor(url, `${path}/soar/playbook_activity`, token, { playbook_id: playbook, inputs: {} }),
  };
}

function searchOfADay() {
  const now = Date.now();
  const time_range = { start: new Date(now - DAY_MS).toISOString(), end: new Date(now).toISOString() };
  return { query: 'integration:okta AND outcome:failure', time_range, limit: 25, live: false };
}

async function quietLoad(url: string, requests: readonly Requests[], seconds: number): Promise<Times> {
  const of = (n: number) => requests[n % requests.length] as Requests;
  const load = { url, seconds, connections: 8 };
  const [lists, searches, starts] = await Promise.all([
    pacedLoad({ ...load, perSecond: others.listsPerS, next: (n) => of(n).list(n) }),
    pacedLoad({ ...load, perSecond: others.searchesPerS, next: (n) => of(n).search() }),
    pacedLoad({ ...load, perSecond: others.startsPerS, next: (n) => of(n).start() }),
  ]);
  assertStatus('A list', lists, 200);
  assertStatus('A search', searches, 200);
  assertStatus('The start of a run', starts, 202);
  const msOf = (answers: readonly Answer[]) => answers.map(({ ms }) => ms);
  return { lists: msOf(lists), searches: msOf(searches), starts: msOf(starts) };
}

type Pace = { perSecond: number; seconds: number };

async function noisyLoad(url: string, requests: readonly Requests[], pace: Pace): Promise<Answer[]> {
  return await pacedLoad({
    ...{ url, connections: 64, ...pace },
    next: (n) => {
      const member = requests[n % requests.length] as Requests;
      // In no blocks: the first of a block would get all there is.
      const kind = (Math.floor(n / requests.length) * 37) % 100;
      if (kind < SEARCHES) return member.search();
      return kind < SEARCHES + STARTS ? member.start() : member.list(n);
    },
  });
}

/** How many calls of the noisy tenant were answered. Throws when it is more than it may have, or hardly any. */
function letIn(noise: readonly Answer[], { perSecond, burst }: NoisyStand['limits'], seconds: number): number {
  const wrong = noise.find(({ status }) => ![200, 202, 429].includes(status));
  if (wrong !== undefined) throw new Error(`The noisy tenant was answered with ${wrong.status}.`);
  const count = noise.filter(({ status }) => status < 300).length;
  if (count > burst + perSecond * (seconds + 2)) throw new Error(`The noisy tenant was answered ${count} times.`);
  if (count < (perSecond * seconds) / 4) throw new Error(`The noisy tenant was answered ${count} times only.`);
  return count;
}

async function runTimesOf(url: string): Promise<RunTimes> {
  return (await (await fetch(url)).json()) as RunTimes;
}

function figures(name: string, alone: readonly number[], beside: readonly number[]) {
  const [aloneP99, besideP99] = [percentile(alone, 0.99), percentile(beside, 0.99)];
  return {
    [`${name}_alone_p50_ms`]: percentile(alone, 0.5),
    [`${name}_alone_p99_ms`]: aloneP99,
    [`${name}_beside_p50_ms`]: percentile(beside, 0.5),
    [`${name}_beside_p99_ms`]: besideP99,
    [`${name}_ratio`]: besideP99 / aloneP99,
  };
}
