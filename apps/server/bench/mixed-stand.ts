/**
 * A server with 100,000 cases of some tenants that tells how late its event loop is: `tsx mixed-stand.ts <empty folder>
 * <tenants>` prints one line of JSON with what `runMixedBench` needs. Ends on SIGTERM.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { insertBenchCases } from './bench-cases.ts';
import { startComposedStand } from './composed-stand.ts';
import type { LoopDelay, MixedStand } from './mixed-bench.ts';

const CASES = 100_000;
const RESOLUTION_MS = 10;

const [dataDir, tenants = ''] = process.argv.slice(2);
if (dataDir === undefined || !/^\d+$/.test(tenants)) throw new Error('Name an empty folder and a number of tenants.');
const { db, url, createMember, asOwner } = await startComposedStand(dataDir);
const members: MixedStand['members'][number][] = [];
for (let n = 0; n < Number(tenants); n++) members.push(await createMember('Admin'));
await insertBenchCases(
  db,
  members.map(({ tenant }) => tenant),
  CASES / Number(tenants),
);
await asOwner('vacuum analyze case_record');

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
// What the timer was set to is no lateness.
const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
/** Each question is answered for the time since the one before. */
const loop = createServer((_request, response) => {
  const told: LoopDelay = {
    p50_ms: late(delay.percentile(50)),
    p99_ms: late(delay.percentile(99)),
    max_ms: late(delay.max),
  };
  delay.reset();
  response.end(JSON.stringify(told));
});
await new Promise<void>((resolve) => loop.listen(0, '127.0.0.1', resolve));
process.once('SIGTERM', () => loop.close());
const loopUrl = `http://127.0.0.1:${(loop.address() as AddressInfo).port}`;
console.log(JSON.stringify({ members, url, loopUrl } satisfies MixedStand));
