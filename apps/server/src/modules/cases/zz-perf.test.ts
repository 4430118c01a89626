import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { caseListQuerySchema } from '@airdeck/contracts/cases/schema';
import { createDetectionFixture, guessingRule, burstOf } from '../detection/detection-fixture.ts';
import { caseFigures } from './case-figures.ts';
test('perf', async () => {
  const f = await createDetectionFixture();
  const t = await f.newTenant();
  const pid = await f.createPolicy(t, guessingRule());
  const out: string[] = [];
  let s = performance.now();
  await f.db.system((tx) => sql`insert into case_record (id, tenant_id, number, alert_type, policy_id, group_key, name, description, category, severity, severity_rank, status, log_sources, meta, opened_at, time_opened, time_closed, time_updated, search_text)
   select gen_random_uuid(), ${t.tenantId}, n, 'policy', ${pid}, n::text, 'SSH password guessing', repeat('Some description. ', 20), case when n % 3 = 0 then 'authentication' else 'traffic' end,
   (array['low','medium','high','critical'])[1 + n % 4], n % 4, (array['open','acknowledged','closed'])[1 + n % 3], array[(array['sshd','okta','fortigate','windows'])[1 + n % 4]], jsonb_build_object('src_ip', '10.' || n % 250 || '.' || n % 200 || '.1'),
   now() - n * interval '1 minute', now() - n * interval '1 minute', case when n % 3 = 2 then now() end, now(), 'case-' || n || ' ssh password guessing 10.' || n % 250 || '.' || n % 200 || '.1 ' || repeat('some description. ', 20)
   from generate_series(1, 100000) n`.execute(tx));
  await f.db.system((tx) => sql`insert into case_counter values (${t.tenantId}, 100000)`.execute(tx));
  out.push(`insert ${performance.now() - s}`);
  for (const analyzed of [false, true]) {
  if (analyzed) { const pg = (await import('pg')).default; const c = new pg.Client({ connectionString: f.url }); await c.connect(); await c.query('vacuum analyze case_record'); await c.end(); }
  for (const q of [{}, { status: 'open' }, { status: 'open', severity: 'high,critical', sort: '-severity' }, { source: 'okta' }, { q: '10.77' }, { q: 'nothing-here' }, { page: 1000, limit: 25 }, { start_time: '2026-11-01T00:00:00Z' }]) {
    const times: number[] = [];
    for (let i = 0; i < 6; i++) {
      const s = performance.now();
      await f.db.tenant(t.tenantId, (tx) => f.cases.service.list(tx, t, caseListQuerySchema.parse({ limit: 25, ...q })));
      times.push(performance.now() - s);
    }
    times.sort((a, b) => a - b);
    out.push(`${analyzed} ${JSON.stringify(q)} p50 ${times[3]?.toFixed(0)} max ${times[5]?.toFixed(0)}`);
  }}
  s = performance.now();
  await f.db.tenant(t.tenantId, (tx) => caseFigures(tx, t, { start: new Date(0), end: new Date(Date.now()+1e9), limit: 25, buckets: 30 }));
  out.push(`figures ${(performance.now() - s).toFixed(0)}`);
  const addresses = Array.from({ length: 50 }, (_, i) => `198.51.100.${i}`);
  let total = 0; const begin = performance.now();
  for (let b = 0; b < 20; b++) {
    const evs = addresses.flatMap((src_ip) => burstOf(t, { count: 10, fromS: b * 30, src_ip }).map((e, i) => i === 0 ? e : { ...e, outcome: 'success' }));
    await f.ingest(evs); total += evs.length;
  }
  out.push(`ingest ${(total / (performance.now() - begin) * 1000).toFixed(0)} ev/s, 10 % matching, ${(performance.now()-begin)/20} ms per batch of 500 with 50 groups`);
  const b2 = performance.now();
  for (let b = 0; b < 10; b++) await f.ingest(burstOf(t, { count: 500, fromS: b * 30, stepS: 0.01, src_ip: '203.0.113.250' }));
  out.push(`all matching one group ${(5000 / (performance.now() - b2) * 1000).toFixed(0)} ev/s`);
  console.log(out.join('\n'));
  expect(1).toBe(1);
  await f.close();
}, 120000);
