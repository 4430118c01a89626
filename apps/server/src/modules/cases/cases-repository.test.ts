import type { StoredEvent } from '@airdeck/contracts/events/event';
import { limits } from '@airdeck/contracts/limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantScope } from '../../tenant-scope.ts';
import {
  burstOf,
  createDetectionFixture,
  type DetectionFixture,
  failedLogin,
  guessingRule,
} from '../detection/detection-fixture.ts';

/** With eight values each, more than the 65,535 a statement may have as parameters. */
const MANY = 9_000;

let fixture: DetectionFixture;
let tenant: TenantScope;

beforeAll(async () => {
  fixture = await createDetectionFixture();
});
afterAll(() => fixture.close());

beforeEach(async () => {
  tenant = await fixture.newTenant();
});

async function manyCases(assignee: string | null): Promise<string[]> {
  const { rows } = await fixture.db.system((tx) =>
    sql<{ id: string }>`
      insert into case_record (id, tenant_id, number, name, description, alert_type, severity, severity_rank, category, status,
        log_sources, meta, opened_at, time_opened, time_updated, assignee, search_text)
      select gen_random_uuid(), ${tenant.tenantId}, n, 'One of many', '', 'manual', 'high', 2, '', 'open', '{}', '{}',
        now(), now(), now(), ${assignee}, '' from generate_series(1, ${MANY}) n
      returning id`.execute(tx),
  );
  return rows.map(({ id }) => id);
}

async function storiesOf(kind: string): Promise<{ entries: number; cases: number; one: unknown }> {
  const { rows } = await fixture.db.system((tx) =>
    sql<{ entries: number; cases: number; one: unknown }>`
      select count(*)::int as entries, count(distinct case_id)::int as cases, min(text || data::text) as one
      from case_activity where tenant_id = ${tenant.tenantId} and kind = ${kind}`.execute(tx),
  );
  if (rows[0] === undefined) throw new Error('Nothing was counted.');
  return rows[0];
}

describe('stories of more cases than a statement has parameters for', () => {
  test('all tell of a delivery that brings each of them an event', async () => {
    const cases = await manyCases(null);
    const additions = cases.map((caseId, n) => ({ tenant: tenant.tenantId, caseId, events: [failedLogin(tenant, n)] }));
    await fixture.db.system((tx) => fixture.cases.openings.addEvents(tx, additions, { initial: false }));
    expect(await storiesOf('events_added')).toEqual({
      ...{ entries: MANY, cases: MANY, one: '1 more matching event{"count": 1}' },
    });
  });

  test('all tell that whoever they were assigned to left', async () => {
    await manyCases('ada@example.com');
    const from = [{ tenant: tenant.tenantId, by: 'boss@example.com' }];
    const count = await fixture.db.system((tx) => fixture.cases.people.unassign(tx, 'ada@example.com', from));
    expect(count).toBe(MANY);
    expect(await storiesOf('assigned')).toMatchObject({ entries: MANY, cases: MANY });
  });
});

describe('a case that events keep joining', () => {
  const kept = async (id: string) => {
    const { rows } = await fixture.db.system((tx) =>
      sql<{ event_id: string }>`select event_id from case_event where case_id = ${id}`.execute(tx),
    );
    return new Set(rows.map((row) => row.event_id));
  };
  const theCase = async () => {
    const [only] = await fixture.casesOf(tenant);
    if (only === undefined) throw new Error('No case was opened.');
    return only;
  };
  /** As if it had so many events by now. */
  const countsTo = (id: string, count: number) =>
    fixture.db.system((tx) => sql`update case_record set event_count = ${count} where id = ${id}`.execute(tx));
  const idsOf = (events: readonly StoredEvent[]) => new Set(events.map(({ id }) => id));

  beforeEach(async () => {
    await fixture.createPolicy(
      tenant,
      guessingRule({ source: { source_type: 'log', connector_definition_id: '', event_type: '' } }),
    );
  });

  test('keeps the first of them up to the limit and counts the rest, with their times and sources', async () => {
    const first = burstOf(tenant, { count: 5, fromS: 100 });
    await fixture.ingest(first);
    const { id } = await theCase();
    await countsTo(id, limits.caseEventsKept - 2);
    const more = burstOf(tenant, { count: 4, fromS: 200 });
    await fixture.ingest(more.toReversed());
    expect(await kept(id)).toEqual(idsOf([...first, ...more.slice(0, 2)]));
    await fixture.ingest([failedLogin(tenant, 40, { integration: 'okta' })]);
    expect(await kept(id)).toHaveLength(7);
    expect(await theCase()).toMatchObject({
      ...{ id, event_count: limits.caseEventsKept + 3, opened_at: '2026-02-22T16:45:40.000Z' },
      log_sources: ['okta', 'sshd'],
    });
    expect((await fixture.detailOf(tenant, id)).activity.at(-1)?.text).toBe('5 more matching events');
  });

  test('counts none of them twice, whether it keeps it or not', async () => {
    const first = burstOf(tenant, { count: 5 });
    await fixture.ingest(first);
    const { id } = await theCase();
    await countsTo(id, limits.caseEventsKept);
    const more = burstOf(tenant, { count: 3, fromS: 20 });
    await fixture.ingest(more);
    await fixture.ingest([...first, ...more]);
    // Those it keeps stand for themselves also after the matches are forgotten.
    await fixture.db.system((tx) => sql`delete from policy_match where tenant_id = ${tenant.tenantId}`.execute(tx));
    await fixture.ingest(first);
    expect(await kept(id)).toEqual(idsOf(first));
    expect(await theCase()).toMatchObject({ event_count: limits.caseEventsKept + 3 });
  });

  test('never has more than can be counted, which would stop all events of its tenant', async () => {
    await fixture.ingest(burstOf(tenant, { count: 5 }));
    const { id } = await theCase();
    const most = 2 ** 31 - 1;
    await countsTo(id, most - 1);
    await fixture.ingest(burstOf(tenant, { count: 3, fromS: 20 }));
    expect(await theCase()).toMatchObject({ id, event_count: most });
  });

  test('keeps its own events, however many another of the same delivery has', async () => {
    await fixture.ingest([...burstOf(tenant, { count: 5 }), ...burstOf(tenant, { count: 5, src_ip: '198.51.100.9' })]);
    const [one, other] = await fixture.casesOf(tenant);
    await countsTo(one?.id ?? '', limits.caseEventsKept);
    await fixture.ingest([
      ...burstOf(tenant, { count: 3, fromS: 20 }),
      ...burstOf(tenant, { count: 3, fromS: 20, src_ip: '198.51.100.9' }),
    ]);
    expect([(await kept(one?.id ?? '')).size, (await kept(other?.id ?? '')).size]).toEqual([5, 8]);
    expect((await fixture.casesOf(tenant)).map((row) => row.event_count).toSorted((a, b) => a - b)).toEqual([
      8,
      limits.caseEventsKept + 3,
    ]);
  });
});
