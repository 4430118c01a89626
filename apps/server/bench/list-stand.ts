/**
 * A server with 100,000 cases of some tenants: `tsx list-stand.ts <empty folder> <tenants>` prints one line of JSON with
 * what `runListBench` and `runCasesBench` need. Ends on SIGTERM.
 */
import { insertBenchCases } from './bench-cases.ts';
import { startComposedStand } from './composed-stand.ts';
import type { ListStand } from './list-bench.ts';

const CASES = 100_000;

const [dataDir, tenants = ''] = process.argv.slice(2);
if (dataDir === undefined || !/^\d+$/.test(tenants)) throw new Error('Name an empty folder and a number of tenants.');
const { db, url, createMember, asOwner } = await startComposedStand(dataDir);
const members: ListStand['members'][number][] = [];
for (let n = 0; n < Number(tenants); n++) members.push(await createMember('Analyst'));
await insertBenchCases(
  db,
  members.map(({ tenant }) => tenant),
  CASES / Number(tenants),
);
await asOwner('vacuum analyze case_record');
console.log(JSON.stringify({ members, cases: CASES, url } satisfies ListStand));
