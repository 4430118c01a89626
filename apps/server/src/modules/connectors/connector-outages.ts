/**
 * Tells that a connector is down, and that it works again.
 *
 * Down is a connector that worked once, whose vendor refuses or cannot be reached, in two attempts in a row or for some
 * minutes: one bad answer is no outage, and metrics alone are none. An outage is a row, written in the transaction that
 * tells it and taken away in the one that tells its end, so each is told once whatever number of processes look and wherever
 * one of them dies. A connector that is paused or gone ends its outage without a word.
 */
import type { JobHandler } from '@airdeck/engine/interfaces';
import { sql } from 'kysely';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { Notices } from '../notifications/notifications-port.ts';

const DOWN_AFTER_MS = 5 * 60_000;
const FAILURES_IN_A_ROW = 2;
const AT_ONCE = 200;

export const OUTAGES_JOB = { kind: 'connectors.outages', expression: '*/30 * * * * *' } as const;

type Dependencies = {
  db: Pick<Database, 'system'>;
  notices: Pick<Notices, 'tell'>;
  now: () => Date;
};

type Outage = { tenant: string; connectorId: string; name: string; since: Date };

export function createOutagesJob(deps: Dependencies): JobHandler {
  return {
    timeoutMs: 60_000,
    async run() {
      await deps.db.system((tx) => endPaused(tx));
      await deps.db.system((tx) => tellEnds(deps, tx));
      await deps.db.system((tx) => tellBeginnings(deps, tx));
    },
  };
}

async function endPaused(tx: Tx): Promise<void> {
  await sql`
    delete from connector_outage o using connector c
    where c.id = o.connector_id and (not c.enabled or c.state = 'paused')`.execute(tx);
}

/** Nothing of it but metrics fails any more, and its vendor has answered since. */
async function tellEnds(deps: Dependencies, tx: Tx): Promise<void> {
  const { rows } = await sql<Outage>`
    delete from connector_outage o using connector c
    where c.id = o.connector_id and c.last_successful_connection > o.since and c.state = 'active'
      and not exists (select from connector_work w where w.connector_id = c.id and w.kind <> 'metrics'
        and w.failing_since is not null)
    returning o.tenant_id as tenant, o.connector_id as "connectorId", c.name, o.since`.execute(tx);
  for (const outage of rows) {
    await deps.notices.tell(tx, { kind: 'connector_down', ...outage, reason: null });
  }
}

async function tellBeginnings(deps: Dependencies, tx: Tx): Promise<void> {
  const at = deps.now();
  const { rows } = await sql<Outage & { reason: string | null }>`
    with down as (
      select c.tenant_id, c.id, c.name, min(w.failing_since) as since
      from connector c join connector_work w on w.connector_id = c.id and w.kind <> 'metrics'
      where c.enabled and c.state = 'error' and c.last_successful_connection is not null and w.failing_since is not null
        and not exists (select from connector_outage o where o.connector_id = c.id)
      group by c.id
      having max(w.failures) >= ${FAILURES_IN_A_ROW}
        or min(w.failing_since) <= ${new Date(at.getTime() - DOWN_AFTER_MS)}
      order by since limit ${AT_ONCE}
    ), noted as (
      insert into connector_outage (connector_id, tenant_id, since, told_at)
      select id, tenant_id, since, ${at}::timestamptz from down
      on conflict do nothing returning connector_id
    )
    select d.tenant_id as tenant, d.id as "connectorId", d.name, d.since, (
      select k.message from connector_check k where k.connector_id = d.id and k.kind <> 'metrics' and k.status = 'error'
      order by k.at desc, k.id desc limit 1
    ) as reason
    from down d join noted n on n.connector_id = d.id`.execute(tx);
  for (const { reason, ...outage } of rows) {
    await deps.notices.tell(tx, { kind: 'connector_down', ...outage, reason: reason ?? '' });
  }
}
