/** Backtests of simple policies over the past week of one tenant, as the server makes them, without HTTP. */
import { strict as assert } from 'node:assert';
import type { Criterion, PolicyRule } from '@airdeck/contracts/policies/schema';
import { backtest } from '../src/modules/policies/policy-backtest.ts';
import type { EventsStore } from '../src/storage/events-store.ts';
import { trustedTenantScope } from '../src/tenant-scope.ts';
import { percentile } from './bench-load.ts';
import { BENCH_DAYS, type BenchConnection, benchTenant, fillBenchEvents, openBenchEvents } from './search-events.ts';

const DAY_MS = 86_400_000;

/** Each with the share of the bench's events it fits, one in so many. */
const policies: readonly { criteria: readonly Criterion[]; where: string }[] = [
  {
    criteria: [
      { field: 'outcome', operator: 'equals', value: 'failure' },
      { field: 'host', operator: 'equals', value: 'app-7' },
    ],
    where: "outcome = 'failure' and host = 'app-7'",
  },
  { criteria: [{ field: 'message', operator: 'contains', value: 'needle' }], where: "position(message, 'needle') > 0" },
  {
    criteria: [
      { field: 'user', operator: 'in', value: ['user17', 'user18'] },
      { not: { field: 'outcome', operator: 'equals', value: 'success' } },
    ],
    where: "user in ('user17', 'user18') and outcome != 'success'",
  },
];

export type BacktestBenchResult = { events: number; backtest_events_per_s: number; backtest_p95_ms: number };

/** Fills the store, which must be empty. Throws when a backtest is partial or counts something else than the store does. */
export async function runBacktestBench({
  connection,
  events,
  rounds,
}: {
  connection: BenchConnection;
  events: number;
  rounds: number;
}): Promise<BacktestBenchResult> {
  const { store, direct, close } = await openBenchEvents(connection);
  const end = Math.floor(Date.now() / 1000) * 1000;
  const tenant = benchTenant(0);
  try {
    await fillBenchEvents(direct, { count: events, end, tenants: [tenant] });
    const times: number[] = [];
    for (let round = -1; round < rounds; round++) {
      for (const { criteria, where } of policies) {
        const order = {
          rule: ruleOf(criteria),
          start: new Date(end - BENCH_DAYS * DAY_MS),
          end: new Date(end),
          caseOpenForS: 3600,
          reach: new Date(0),
        };
        const started = performance.now();
        const result = await backtest(
          { events: store, elapsedMs: () => performance.now() },
          trustedTenantScope(tenant),
          order,
        );
        // The first round warms up.
        if (round >= 0) times.push(performance.now() - started);
        assert.equal(result.partial, false);
        assert.equal(result.scanned_events, events);
        assert.equal(result.matched_events, await countOf(store, tenant, where));
        assert.ok(result.matched_events > 0);
      }
    }
    const total = times.reduce((sum, ms) => sum + ms, 0);
    return {
      events,
      backtest_events_per_s: Math.round((events * times.length) / (total / 1000)),
      backtest_p95_ms: percentile(times, 0.95),
    };
  } finally {
    await close();
  }
}

async function countOf(store: EventsStore, tenant: string, where: string): Promise<number> {
  const sql = `select count() as found from events where tenant = {tenant:UUID} and ${where}`;
  const [row] = await store.query<{ found: number | string }>({ tenant, sql, params: {} });
  return Number(row?.found);
}

function ruleOf(criteria: readonly Criterion[]): PolicyRule {
  return {
    name: 'Bench',
    description: '',
    type: 'custom',
    severity: 'low',
    logic: {
      rule_type: 'filter_and_group',
      filter_criteria: [...criteria],
      group_by: ['user'],
      source: { source_type: 'log', connector_definition_id: '', event_type: '' },
    },
  };
}
