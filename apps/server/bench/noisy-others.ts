/** The tenants beside the noisy one, in a process of their own: what they ask for, first to warm up and then measured. */
import { assertStatus } from './bench-calls.ts';
import { type Answer, pacedLoad } from './http-load.ts';
import { type Caller, type Requests, requestsOf } from './noisy-requests.ts';
import { answerOptions } from './own-process.ts';

export type OthersOptions = { url: string; callers: readonly Caller[]; warmUpS: number; seconds: number };

/** How long each call took, in ms, and how many runs were started in all. */
export type OthersResult = { lists: number[]; searches: number[]; starts: number[]; started: number };

const perSecond = { lists: 40, searches: 5, starts: 5 };

await answerOptions<OthersOptions>(async ({ url, callers, warmUpS, seconds }) => {
  const requests = callers.map((caller) => requestsOf(url, caller));
  const warm = await load(url, requests, warmUpS);
  const times = await load(url, requests, seconds);
  return { ...times, started: warm.starts.length + times.starts.length } satisfies OthersResult;
});

/** Throws unless every call is answered as if nobody else were there. */
async function load(url: string, requests: readonly Requests[], seconds: number) {
  const of = (n: number) => requests[n % requests.length] as Requests;
  const each = { url, seconds, connections: 8 };
  const [lists, searches, starts] = await Promise.all([
    pacedLoad({ ...each, perSecond: perSecond.lists, next: (n) => of(n).list(n) }),
    pacedLoad({ ...each, perSecond: perSecond.searches, next: (n) => of(n).search() }),
    pacedLoad({ ...each, perSecond: perSecond.starts, next: (n) => of(n).start() }),
  ]);
  assertStatus('A list', lists, 200);
  assertStatus('A search', searches, 200);
  assertStatus('The start of a run', starts, 202);
  const msOf = (answers: readonly Answer[]) => answers.map(({ ms }) => ms);
  return { lists: msOf(lists), searches: msOf(searches), starts: msOf(starts) };
}
