import { publishSteps, settled } from './bench-calls.ts';
import { percentile } from './bench-load.ts';
import { type Answer, pacedLoad } from './http-load.ts';
import type { OthersOptions, OthersResult } from './noisy-others.ts';
import { type Caller, type Requests, requestsOf } from './noisy-requests.ts';
import { inOwnProcess } from './own-process.ts';

/** Of the runs of all tenants but the noisy one. */
export type RunTimes = { ms: readonly number[]; unfinished: number };

export type Member = { tenant: string; token: string };

/** A server with the limits of the product; the first member's tenant is the noisy one, whose other members stand last. */
export type NoisyStand = {
  url: string;
  /** Answers with the members, each with a new token, which is good for minutes: less than the bench takes. */
  membersUrl: string;
  runsUrl: string;
  /** What one tenant may call. */
  limits: { perSecond: number; burst: number };
};

export type NoisyBenchOptions = NoisyStand & { rounds: number; secondsEach: number };

export type NoisyBenchResult = {
  others_list_alone_p50_ms: number;
  others_list_alone_p99_ms: number;
  others_list_beside_p50_ms: number;
  others_list_beside_p99_ms: number;
  others_list_ratio: number;
  others_search_alone_p50_ms: number;
  others_search_alone_p99_ms: number;
  others_search_beside_p50_ms: number;
  others_search_beside_p99_ms: number;
  others_search_ratio: number;
  others_start_alone_p50_ms: number;
  others_start_alone_p99_ms: number;
  others_start_beside_p50_ms: number;
  others_start_beside_p99_ms: number;
  others_start_ratio: number;
  run_p99_ms: number;
  /** What it got to send of the twenty times its quota it wants to. */
  noisy_asked_per_s: number;
  noisy_answered_per_s: number;
};

const TIMES_ITS_QUOTA = 20;
/** Of a hundred calls of the noisy tenant; the rest are lists. */
const [SEARCHES, STARTS] = [10, 10];
/** Before each part. The noisy tenant has used up its burst then. */
const WARM_UP_S = 5;
/** The others' process begins a little after the noise, and is not to end after it. */
const BEGINS_WITHIN_S = 2;
const STEPS = 3;
/** Of the noisy tenant. Its refusals are given at the pace of its quota, so that it cannot send as much as it wants over so few. */
const CONNECTIONS = 64;

/**
 * Lists of cases, searches and starts of runs of many tenants, in turns alone and beside one tenant that asks for the same at
 * twenty times its quota, once its burst is used up. The figures of all rounds' calls together, as a round has too few for a
 * p99, and those of each round. Throws unless every call of the others is answered as if they were alone and all their runs end
 * with success, and the noisy tenant gets what it may have, and no more.
 */
export async function runNoisyBench(
  options: NoisyBenchOptions,
): Promise<{ together: NoisyBenchResult; rounds: NoisyBenchResult[] }> {
  const { url, rounds, secondsEach, limits, runsUrl } = options;
  const playbooks = new Map<string, string>();
  for (const member of await answerOf<Member[]>(options.membersUrl)) {
    if (playbooks.has(member.tenant)) continue;
    playbooks.set(member.tenant, await publishSteps(url, member, { steps: STEPS, seconds: 0 }));
  }
  const [noisyTenant] = playbooks.keys();
  const callers = async (): Promise<{ noisy: Caller[]; quiet: Caller[] }> => {
    const members = await answerOf<Member[]>(options.membersUrl);
    const all = members.map((member) => ({ ...member, playbook: playbooks.get(member.tenant) ?? '' }));
    const isNoisy = ({ tenant }: Caller) => tenant === noisyTenant;
    return { noisy: all.filter(isNoisy), quiet: all.filter((caller) => !isNoisy(caller)) };
  };
  const measured = async (quiet: readonly Caller[]) => {
    const asked: OthersOptions = { url, callers: quiet, warmUpS: WARM_UP_S, seconds: secondsEach };
    const times = await inOwnProcess<OthersResult>(new URL('noisy-others.ts', import.meta.url), asked);
    starts += times.started;
    return times;
  };
  let starts = 0;
  const found: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const { noisy, quiet } = await callers();
    const noise = noisy.map((caller) => requestsOf(url, caller));
    const alone = await measured(quiet);
    const seconds = BEGINS_WITHIN_S + WARM_UP_S + secondsEach;
    const began = performance.now();
    const [beside, answers] = await Promise.all([
      measured(quiet),
      noisyLoad(url, noise, { perSecond: TIMES_ITS_QUOTA * limits.perSecond, seconds }),
    ]);
    // A machine that is busy with other things takes longer to send it all.
    const tookS = (performance.now() - began) / 1_000;
    found.push({ alone, beside, asked: answers.length, answered: letIn(answers, limits, tookS), tookS });
  }
  await settled('runs that did not end with success', 0, async () => (await answerOf<RunTimes>(runsUrl)).unfinished);
  const { ms: runTimes } = await answerOf<RunTimes>(runsUrl);
  if (runTimes.length !== starts) throw new Error(`${starts} runs were started, and there are ${runTimes.length}.`);
  const run_p99_ms = percentile(runTimes, 0.99);
  const result = (rounds: readonly Round[]) => ({ ...figuresOf(rounds), run_p99_ms });
  return { together: result(found), rounds: found.map((round) => result([round])) };
}

/** What was measured in one round, the noisy tenant's calls as numbers. */
type Round = { alone: OthersResult; beside: OthersResult; asked: number; answered: number; tookS: number };

function figuresOf(rounds: readonly Round[]): Omit<NoisyBenchResult, 'run_p99_ms'> {
  const times = (part: 'alone' | 'beside', kind: 'lists' | 'searches' | 'starts') =>
    rounds.flatMap((round) => round[part][kind]);
  const sum = (key: 'asked' | 'answered' | 'tookS') => rounds.reduce((total, round) => total + round[key], 0);
  return {
    ...figures('others_list', times('alone', 'lists'), times('beside', 'lists')),
    ...figures('others_search', times('alone', 'searches'), times('beside', 'searches')),
    ...figures('others_start', times('alone', 'starts'), times('beside', 'starts')),
    noisy_asked_per_s: sum('asked') / sum('tookS'),
    noisy_answered_per_s: sum('answered') / sum('tookS'),
  } as Omit<NoisyBenchResult, 'run_p99_ms'>;
}

type Pace = { perSecond: number; seconds: number };

async function noisyLoad(url: string, requests: readonly Requests[], pace: Pace): Promise<Answer[]> {
  return await pacedLoad({
    ...{ url, connections: CONNECTIONS, ...pace, endsInTime: true },
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

async function answerOf<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
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
