import type { ConnectorHealth } from '@airdeck/contracts/connectors/schema';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { arrivalsOf } from './connector-rows.ts';
import { listChecks, type WorkRow, workOf } from './connector-work-repository.ts';
import type { ConnectorRow } from './connectors-repository.ts';
import type { WorkKind } from './connectors-tables.ts';

const SHOWN = 50;

export async function connectorHealth(
  tx: Tx,
  scope: TenantScope,
  row: ConnectorRow,
  now: Date,
): Promise<ConnectorHealth> {
  const work = new Map((await workOf(tx, scope, row.id)).map((one): [WorkKind, WorkRow] => [one.kind, one]));
  const schedule = (kind: WorkKind) => ({
    next_at: work.get(kind)?.due_at?.toISOString() ?? null,
    failures: work.get(kind)?.failures ?? 0,
  });
  const since = new Date(now.getTime() - 24 * 3_600_000);
  const arrivals = (await arrivalsOf(tx, scope, { connectorIds: [row.id], since })).get(row.id);
  const failing = [...work.values()].flatMap(({ failing_since }) => failing_since ?? []);
  return {
    tests: await listChecks(tx, scope, { connectorId: row.id, kinds: ['test'], limit: SHOWN }),
    fetches: await listChecks(tx, scope, { connectorId: row.id, kinds: ['events', 'metrics'], limit: SHOWN }),
    schedule: { test: schedule('test'), events: schedule('events'), metrics: schedule('metrics') },
    failing_since: failing.sort((a, b) => a.getTime() - b.getTime())[0]?.toISOString() ?? null,
    last_event_at: arrivals?.last_event_at?.toISOString() ?? null,
    metrics:
      row.metrics_at && row.metrics_values ? { at: row.metrics_at.toISOString(), values: row.metrics_values } : null,
  };
}
