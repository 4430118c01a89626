/** What one person does with 100,000 cases of a tenant, one call at a time over HTTP. */
import { strict as assert } from 'node:assert';
import type { CaseList } from '@airdeck/contracts/cases/schema';
import { percentile } from './bench-load.ts';
import { openConnection, requestFor } from './http-load.ts';
import type { ListStand } from './list-bench.ts';

const DAY_MS = 86_400_000;
const statuses = ['acknowledged', 'open'] as const;

type Part = 'filtered' | 'facets' | 'opened' | 'changed' | 'overview';
export type CasesBenchResult = Record<`${Part}_p50_ms` | `${Part}_p95_ms`, number> & { cases: number };

/** Throws when an answer is not what was asked for. */
export async function runCasesBench({
  url,
  cases,
  members,
  rounds,
}: ListStand & { rounds: number }): Promise<CasesBenchResult> {
  const [member] = members;
  if (member === undefined) throw new Error('There is nobody to ask as.');
  const { tenant, token } = member;
  const base = `/api/tenants/${tenant}`;
  const read = async (path: string) => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`${path} answered with ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as CaseList;
  };

  const all = await read(`${base}/case?limit=25`);
  assert.equal(all.total, cases);
  const some = await Promise.all(
    [1, 2, 3, 4].map((page) => read(`${base}/case?limit=100&page=${page}&status=open,acknowledged`)),
  );
  const ids = some.flatMap((list) => list.cases.map(({ id }) => id));
  const filters = [
    'status=open&severity=high,critical',
    'source=okta&category=malware',
    'q=case-7',
    'status=closed&source=sshd&sort=-severity',
    'severity=low&category=network&sort=time_updated',
  ];
  for (const filter of filters) assert.ok((await read(`${base}/case?limit=25&${filter}`)).total > 0, filter);

  const connection = openConnection(url);
  const timed = async (requestOf: (round: number) => Buffer) => {
    const times: number[] = [];
    for (let round = -3; round < rounds; round++) {
      const { status, ms } = await connection.ask(requestOf(round + 3));
      assert.equal(status, 200);
      // The first ones warm up.
      if (round >= 0) times.push(ms);
    }
    return times;
  };
  // By turns; a status is another one with each time round the cases.
  const changeOf = (round: number) =>
    round % 2 === 0 ? { tags: [`round-${round}`] } : { alert_status: statuses[Math.floor(round / ids.length) % 2] };
  const now = Date.now();
  // Each asks for another time, so that nothing kept can answer.
  const since = (round: number) => new Date(now - (20 + (round % 60)) * DAY_MS - round * 1000).toISOString();
  const get = (path: string) => requestFor(url, path, token);
  const parts: Record<Part, (round: number) => Buffer> = {
    filtered: (round) => get(`${base}/case?limit=25&start_time=${since(round)}&${filters[round % filters.length]}`),
    facets: (round) => get(`${base}/case?limit=25&start_time=${since(round)}`),
    opened: (round) => get(`${base}/case/${ids[round % ids.length]}`),
    changed: (round) => requestFor(url, `${base}/case/${ids[round % ids.length]}`, token, changeOf(round)),
    overview: (round) =>
      get(
        `${base}/air/overview?start_time=${new Date(now - 90 * DAY_MS + round * 1000).toISOString()}&end_time=${new Date(now).toISOString()}`,
      ),
  };
  const figures: Partial<CasesBenchResult> = { cases };
  for (const [name, requestOf] of Object.entries(parts) as [Part, (round: number) => Buffer][]) {
    const times = await timed(requestOf);
    figures[`${name}_p50_ms`] = percentile(times, 0.5);
    figures[`${name}_p95_ms`] = percentile(times, 0.95);
  }
  connection.close();
  return figures as CasesBenchResult;
}
