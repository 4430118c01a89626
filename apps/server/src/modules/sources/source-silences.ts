/**
 * Tells that an event source fell silent, and that it is heard again.
 *
 * A source that sent in nearly every hour of the day before its last event is silent after two hours, any other after a
 * day. What a connector fetches is silent only in the first case: a vendor with nothing to say is no fault, and one that
 * cannot be reached is told as such.
 *
 * A silence is a row, written in the transaction that tells it and taken away in the one that tells its end, so each is
 * told once. What was silent when somebody looked for the first time is noted without being told. After a time in which
 * nobody looked, as nobody was there to receive, every source has an hour to be heard again.
 */
import { logReportLimits } from '@airdeck/contracts/reports/log-report';
import type { JobHandler } from '@airdeck/engine/interfaces';
import { sql } from 'kysely';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { Notices } from '../notifications/notifications-port.ts';

const HOUR_MS = 3_600_000;
/** Of the day up to the last event. */
const STEADY_HOURS = 20;
const STEADY_SILENT_AFTER_MS = 2 * HOUR_MS;
const SILENT_AFTER_MS = logReportLimits.silentAfterH * HOUR_MS;
const GAP_MS = 10 * 60_000;
const GRACE_MS = HOUR_MS;
const AT_ONCE = 200;

export const SILENCES_JOB = { kind: 'sources.silences', expression: '23 * * * * *' } as const;

type Dependencies = {
  db: Pick<Database, 'system'>;
  notices: Pick<Notices, 'tell'>;
  now: () => Date;
};

type Silence = { tenant: string; name: string; lastEventAt: Date; connectorId: string | null };

export function createSilencesJob(deps: Dependencies): JobHandler {
  return {
    timeoutMs: 60_000,
    async run() {
      const at = deps.now();
      const watch = await deps.db.system((tx) => look(tx, at));
      await deps.db.system((tx) => tellEnds(deps, tx));
      if (watch === 'grace') return;
      for (;;) {
        const found = await deps.db.system((tx) => tellBeginnings(deps, tx, { at, told: watch === 'watching' }));
        if (found < AT_ONCE) return;
      }
    },
  };
}

type Watch = 'first' | 'grace' | 'watching';

async function look(tx: Tx, at: Date): Promise<Watch> {
  const known = await tx.selectFrom('source_watch').select(['since', 'looked_at']).forUpdate().executeTakeFirst();
  const isGap = known === undefined || at.getTime() - known.looked_at.getTime() > GAP_MS;
  const since = isGap ? at : known.since;
  await tx
    .insertInto('source_watch')
    .values({ since, looked_at: at })
    .onConflict((conflict) => conflict.column('single').doUpdateSet({ since, looked_at: at }))
    .execute();
  if (known === undefined) return 'first';
  return at.getTime() - since.getTime() < GRACE_MS ? 'grace' : 'watching';
}

/** Hours are those events were received in, so the newest one has the last event. */
async function tellEnds(deps: Dependencies, tx: Tx): Promise<void> {
  await sql`
    delete from source_silence x using event_source s where s.id = x.source_id and s.deleted_at is not null`.execute(
    tx,
  );
  const { rows } = await sql<Silence & { told: boolean }>`
    delete from source_silence x using event_source s left join connector c on c.id = s.connector_id
    where s.id = x.source_id and x.last_event_at < (
      select a.last_event_at from source_arrival_hour a where a.source_id = x.source_id order by a.hour desc limit 1
    )
    returning x.tenant_id as tenant, coalesce(c.name, s.name) as name, x.last_event_at as "lastEventAt", s.connector_id as "connectorId", x.told`.execute(
    tx,
  );
  for (const { told, ...silence } of rows) {
    if (told) await deps.notices.tell(tx, { kind: 'source_silent', ...silence, isHeard: true });
  }
}

/** How many were noted. Newest hours first and no more than are needed: whatever the plan, no source's history is read. */
async function tellBeginnings(deps: Dependencies, tx: Tx, { at, told }: { at: Date; told: boolean }): Promise<number> {
  const before = (ms: number) => new Date(at.getTime() - ms);
  const { rows } = await sql<Silence>`
    with quiet as (
      select s.tenant_id, s.id, coalesce(c.name, s.name) as name, s.connector_id, last.at
      from event_source s
      cross join lateral (
        select a.last_event_at as at, a.hour from source_arrival_hour a
        where a.source_id = s.id order by a.hour desc limit 1
      ) last
      cross join lateral (
        select count(*) >= ${STEADY_HOURS} as steady from (
          select a.hour from source_arrival_hour a where a.source_id = s.id order by a.hour desc limit 24
        ) a where a.hour > last.hour - interval '24 hours'
      ) pace
      left join connector c on c.id = s.connector_id
      where s.deleted_at is null
        and (last.at <= ${before(SILENT_AFTER_MS)} or (pace.steady and last.at <= ${before(STEADY_SILENT_AFTER_MS)}))
        and (s.connector_id is null or (
          pace.steady and c.enabled and c.events_enabled
          and not exists (select from connector_outage o where o.connector_id = c.id)
        ))
        and not exists (select from source_silence x where x.source_id = s.id)
      order by last.at limit ${AT_ONCE}
    ), noted as (
      insert into source_silence (source_id, tenant_id, last_event_at, told, noted_at)
      select id, tenant_id, at, ${told}::boolean, ${at}::timestamptz from quiet
      on conflict do nothing returning source_id
    )
    select q.tenant_id as tenant, q.name, q.at as "lastEventAt", q.connector_id as "connectorId"
    from quiet q join noted n on n.source_id = q.id`.execute(tx);
  if (told)
    for (const silence of rows) await deps.notices.tell(tx, { kind: 'source_silent', ...silence, isHeard: false });
  return rows.length;
}
