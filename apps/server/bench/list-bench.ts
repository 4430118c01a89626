import { randomBytes } from 'node:crypto';
import type { CaseList } from '@airdeck/contracts/cases/schema';
import { percentile } from './bench-load.ts';
import { type Answer, closedLoad, pacedLoad, requestFor } from './http-load.ts';

/** A server with cases of several tenants, and one signed-in member of each. */
export type ListStand = { url: string; cases: number; members: { tenant: string; token: string }[] };

export type ListBenchOptions = ListStand & {
  /** Of each part, in seconds; the flood lasts three times as long. Default 10. */
  seconds?: number;
  /** Processor seconds the server and its stores have used so far. */
  cpuSeconds?: () => number;
};

export type ListBenchResult = {
  list_per_s: number;
  list_p50_ms: number;
  list_p99_ms: number;
  cpu_ms_per_list: number;
  fresh_per_s: number;
  fresh_p99_ms: number;
  cpu_ms_per_fresh: number;
  one_connection_p50_ms: number;
  one_connection_p99_ms: number;
  calm_p99_ms: number;
  flooded_p99_ms: number;
  flooded_to_calm: number;
  refused_per_s: number;
};

const LIMIT = 25;
const PER_TENANT = 5000;
/** First pages of every tenant: together many more than the server keeps. */
const PAGES = 40;
const HONEST_PER_S = 200;
const INVALID_PER_S = 2000;

/**
 * Lists of 25 cases, going round all tenants, first as fast as they are answered: the first page, which open screens ask
 * for, and `fresh` ones, each page another than the ones before, so that the database answers every time. Then the first
 * page at a calm pace with and without 2,000 invalid tokens a second beside it. Throws unless every answer is the right one.
 */
export async function runListBench(options: ListBenchOptions): Promise<ListBenchResult> {
  const { url, members, seconds = 10, cpuSeconds = () => 0 } = options;
  const path = (tenant: string) => `/api/tenants/${tenant}/case?limit=${LIMIT}`;
  const requests = members.map(({ tenant, token }) => requestFor(url, path(tenant), token));
  const sizes = await Promise.all(members.map((member) => checkedSize(url, path(member.tenant), member)));
  const next = turns(requests);
  const honest = (answers: readonly Answer[]) => assertAll(answers, 200, new Set(sizes));

  honest(await closedLoad({ url, connections: 32, seconds: Math.min(5, seconds), next }));
  const cpuBefore = cpuSeconds();
  const many = honest(await closedLoad({ url, connections: 32, seconds, next }));
  const cpuMs = (cpuSeconds() - cpuBefore) * 1000;
  const fresh = await freshPages({ ...options, seconds, cpuSeconds });
  const one = honest(await closedLoad({ url, connections: 1, seconds: seconds / 2, next }));

  const calmLoad = { url, connections: 16, seconds: seconds * 3, next, perSecond: HONEST_PER_S };
  const calm = honest(await pacedLoad(calmLoad));
  const invalid = turns(
    invalidTokens(members).map((token, n) => requestFor(url, path(members[n % members.length]?.tenant ?? ''), token)),
  );
  const started = performance.now();
  const [flooded, refused] = await Promise.all([
    pacedLoad(calmLoad).then(honest),
    pacedLoad({ url, connections: 64, seconds: seconds * 3, next: invalid, perSecond: INVALID_PER_S }),
  ]);
  const floodSeconds = (performance.now() - started) / 1000;
  const let_in = refused.filter(({ status }) => status !== 401 && status !== 503).length;
  if (let_in > 0) throw new Error(`${let_in} invalid tokens were not refused.`);

  const times = many.map(({ ms }) => ms);
  const p99 = (answers: readonly Answer[]) =>
    percentile(
      answers.map(({ ms }) => ms),
      0.99,
    );
  return {
    list_per_s: Math.round(many.length / seconds),
    list_p50_ms: percentile(times, 0.5),
    list_p99_ms: percentile(times, 0.99),
    cpu_ms_per_list: cpuMs / many.length,
    fresh_per_s: Math.round(fresh.answers.length / seconds),
    fresh_p99_ms: p99(fresh.answers),
    cpu_ms_per_fresh: fresh.cpuMs / fresh.answers.length,
    one_connection_p50_ms: percentile(
      one.map(({ ms }) => ms),
      0.5,
    ),
    one_connection_p99_ms: p99(one),
    calm_p99_ms: p99(calm),
    flooded_p99_ms: p99(flooded),
    flooded_to_calm: p99(flooded) / p99(calm),
    refused_per_s: Math.round(refused.length / floodSeconds),
  };
}

async function freshPages({
  url,
  members,
  seconds,
  cpuSeconds,
}: Pick<ListStand, 'url' | 'members'> & { seconds: number; cpuSeconds: () => number }) {
  const path = (tenant: string, page: number) => `/api/tenants/${tenant}/case?limit=${LIMIT}&page=${page}`;
  const asked = Array.from({ length: PAGES }, (_, n) => members.map((member) => ({ member, page: n + 1 }))).flat();
  const sizes = new Set<number>();
  for (const { member, page } of asked) sizes.add(await checkedSize(url, path(member.tenant, page), member));
  const requests = asked.map(({ member, page }) => requestFor(url, path(member.tenant, page), member.token));
  const cpuBefore = cpuSeconds();
  const answers = assertAll(await closedLoad({ url, connections: 32, seconds, next: turns(requests) }), 200, sizes);
  return { answers, cpuMs: (cpuSeconds() - cpuBefore) * 1000 };
}

function turns(requests: readonly Buffer[]): (n: number) => Buffer {
  return (n) => requests[n % requests.length] ?? Buffer.alloc(0);
}

/** How long the right answer is; it is read in full once. */
async function checkedSize(
  url: string,
  path: string,
  { tenant, token }: ListStand['members'][number],
): Promise<number> {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The list answered with ${answer.status}: ${text}`);
  const list = JSON.parse(text) as CaseList;
  const isRight =
    list.cases.length === LIMIT && list.total === PER_TENANT && list.cases.every((one) => one.tenant === tenant);
  if (!isRight) throw new Error(`The list of ${tenant} is not the right one.`);
  return Buffer.byteLength(text);
}

function assertAll(answers: readonly Answer[], status: number, sizes: ReadonlySet<number>): readonly Answer[] {
  const wrong = answers.find((answer) => answer.status !== status || !sizes.has(answer.bytes));
  if (wrong !== undefined) throw new Error(`An answer had status ${wrong.status} and ${wrong.bytes} bytes.`);
  return answers;
}

/** A thousand of each kind: no token at all, another issuer, an unknown key, a past end, and a wrong signature under our own key. */
function invalidTokens(members: ListStand['members']): string[] {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return Array.from({ length: 20_000 }, (_, n) => {
    const [head = '', body = ''] = (members[n % members.length]?.token ?? '').split('.');
    const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as object;
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const signature = randomBytes(64).toString('base64url');
    switch (n % 5) {
      case 0:
        return randomBytes(200).toString('base64url');
      case 1:
        return `${head}.${part({ ...claims, iss: 'https://elsewhere.example', jti: n })}.${signature}`;
      case 2:
        return `${part({ ...header, kid: `key-${n}` })}.${body}.${signature}`;
      case 3:
        return `${head}.${part({ ...claims, exp: 1_700_000_000 + n })}.${signature}`;
      default:
        return `${head}.${part({ ...claims, jti: n })}.${signature}`;
    }
  });
}
