import type { CaseUpdate } from '@airdeck/contracts/cases/schema';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantScope } from '../../tenant-scope.ts';
import { POLICIES_CHANNEL } from '../policies/policies-channel.ts';
import { starterPolicies } from '../policies/starter-policies.ts';
import {
  burstOf,
  createDetectionFixture,
  type DetectionFixture,
  failedLogin,
  guessingRule,
} from './detection-fixture.ts';

let fixture: DetectionFixture;
let tenant: TenantScope;

beforeAll(async () => {
  fixture = await createDetectionFixture();
});
afterAll(() => fixture.close());

beforeEach(async () => {
  tenant = await fixture.newTenant();
  fixture.opened.length = 0;
  fixture.announced.length = 0;
});

const person = { actor: { kind: 'user', id: null, name: 'ada.lovelace@example.com' }, requestId: 'r' } as const;

async function update(id: string, change: CaseUpdate) {
  return await fixture.db.tenant(tenant.tenantId, (tx) =>
    fixture.cases.service.update(tx, tenant, { id, update: change, by: person }),
  );
}

async function theCase() {
  const [only, ...others] = await fixture.casesOf(tenant);
  expect(others).toEqual([]);
  if (only === undefined) throw new Error('No case was opened.');
  return only;
}

async function eventIds(id: string): Promise<string[]> {
  return (await fixture.detailOf(tenant, id)).events.map((event) => event.id).sort();
}

function idsOf(...events: StoredEvent[][]): string[] {
  return events
    .flat()
    .map((event) => event.id)
    .sort();
}

describe('a password-guessing run', () => {
  const guesser = { src_ip: '203.0.113.7' };
  const harmless = { src_ip: '198.51.100.9' };

  beforeEach(async () => {
    for (const rule of starterPolicies) await fixture.createPolicy(tenant, rule);
  });

  test('opens exactly one case for the address with 13 failures and none for the one with 3', async () => {
    const failures = burstOf(tenant, { count: 13, stepS: 4, ...guesser });
    const others = [
      ...burstOf(tenant, { count: 3, stepS: 3, fromS: 36, ...harmless }),
      failedLogin(tenant, 5, { ...guesser, event_type: 'pam', action: 'check' }),
      failedLogin(tenant, 6, { ...guesser, outcome: 'success' }),
      failedLogin(tenant, 7, { ...guesser, integration: 'okta' }),
    ];
    await fixture.ingest([...failures, ...others].toSorted((a, b) => a.time - b.time));

    const opened = await theCase();
    expect(opened).toMatchObject({
      reference: 'CASE-1',
      alert_name: 'SSH password guessing',
      alert_severity: 'high',
      alert_status: 'open',
      alert_type: 'policy',
      event_count: 13,
      log_sources: ['sshd'],
      meta_data_fields: guesser,
      opened_at: '2026-02-22T16:45:00.000Z',
      time_opened: '2026-03-01T12:00:00.000Z',
    });
    const detail = await fixture.detailOf(tenant, opened.id);
    expect(detail.events.map((event) => event.id)).toEqual(failures.map((event) => event.id));
    expect(detail.activity.map(({ kind, username, text }) => ({ kind, username, text }))).toEqual([
      {
        kind: 'opened',
        username: 'system',
        text: 'Opened by policy SSH password guessing: 13 matching events (threshold 5 within 5 min)',
      },
    ]);
    expect(fixture.announced).toContainEqual({ tenant: tenant.tenantId, kind: 'case', id: opened.id, status: 'open' });
  });

  test('gives the same case line by line as in one batch, and starts the responses once', async () => {
    const failures = burstOf(tenant, { count: 13, stepS: 4, ...guesser });
    for (const failure of failures) await fixture.ingest([failure]);

    const opened = await theCase();
    expect(await eventIds(opened.id)).toEqual(idsOf(failures));
    expect(opened).toMatchObject({ event_count: 13, opened_at: '2026-02-22T16:45:00.000Z' });
    const { activity } = await fixture.detailOf(tenant, opened.id);
    // Eight batches after the opening, one entry.
    expect(activity.map((entry) => entry.text).slice(1)).toEqual(['8 more matching events']);
    expect(fixture.opened).toHaveLength(1);
    expect(fixture.opened[0]).toMatchObject({
      caseId: opened.id,
      reference: 'CASE-1',
      policyName: 'SSH password guessing',
      severity: 'high',
      groupValues: guesser,
      event: failures[0],
    });
    const policy = await fixture.db.tenant(tenant.tenantId, (tx) =>
      fixture.policies.service.get(tx, tenant, opened.policy_id ?? ''),
    );
    expect(policy.created_alert).toBe('2026-03-01T12:00:00.000Z');
  });
});

describe('exactly once', () => {
  beforeEach(async () => {
    await fixture.createPolicy(tenant, guessingRule());
  });

  test('a batch applied again counts nothing twice, before and after the case opened', async () => {
    const four = burstOf(tenant, { count: 4 });
    await fixture.ingest(four);
    await fixture.ingest(four);
    expect(await fixture.casesOf(tenant)).toEqual([]);

    const more = burstOf(tenant, { count: 3, fromS: 20 });
    await fixture.ingest(more);
    await fixture.ingest([...four, ...more]);
    expect(await theCase()).toMatchObject({ event_count: 7 });
    expect(fixture.opened).toHaveLength(1);
  });

  test('an event twice in one batch counts once', async () => {
    const events = burstOf(tenant, { count: 4 });
    await fixture.ingest([...events, ...events]);
    expect(await fixture.casesOf(tenant)).toEqual([]);
  });

  test('a rolled back batch leaves nothing and can be applied again', async () => {
    const matches = await fixture.detection.match(burstOf(tenant, { count: 6 }));
    const failing = fixture.db.system(async (tx) => {
      await fixture.detection.apply(tx, matches);
      throw new Error('the process dies here');
    });
    await expect(failing).rejects.toThrow('dies here');
    expect(await fixture.casesOf(tenant)).toEqual([]);
    await fixture.db.system((tx) => fixture.detection.apply(tx, matches));
    expect(await theCase()).toMatchObject({ reference: 'CASE-1', event_count: 6 });
  });

  test('processes that each see a part of the burst open one case together, which holds all of it', async () => {
    const addresses = Array.from({ length: 6 }, (_, index) => `203.0.113.${index + 1}`);
    const events = addresses.flatMap((src_ip) => burstOf(tenant, { count: 10, src_ip }));
    const parts = [0, 1, 2, 3].map((part) => events.filter((_, index) => index % 4 === part));
    const other = fixture.secondProcess();
    await Promise.all([
      ...parts.map((part, index) => fixture.ingest(part.toReversed(), index % 2 === 0 ? other : fixture.detection)),
      // The same batch delivered twice at the same time.
      fixture.ingest(parts[0] ?? [], fixture.detection),
      fixture.ingest(events.slice(0, 25), other),
    ]);
    const cases = await fixture.casesOf(tenant);
    expect(cases.map((one) => one.meta_data_fields.src_ip).sort()).toEqual(addresses);
    expect(cases.map((one) => one.event_count)).toEqual(addresses.map(() => 10));
    expect(cases.map((one) => one.reference).sort()).toEqual(addresses.map((_, index) => `CASE-${index + 1}`));
    expect(fixture.opened).toHaveLength(addresses.length);
  });
});

describe('thresholds by event time', () => {
  test('events that come late and out of order count where they belong', async () => {
    await fixture.createPolicy(tenant, guessingRule());
    const early = burstOf(tenant, { count: 2, fromS: 0 });
    const late = burstOf(tenant, { count: 2, fromS: 200 });
    const filler = failedLogin(tenant, 100);
    await fixture.ingest(late);
    await fixture.ingest(early);
    expect(await fixture.casesOf(tenant)).toEqual([]);
    await fixture.ingest([filler]);
    const opened = await theCase();
    expect(await eventIds(opened.id)).toEqual(idsOf(early, late, [filler]));
    expect(opened.opened_at).toBe('2026-02-22T16:45:00.000Z');
  });

  test('a late first event moves the beginning of the case; a replay of old logs does not', async () => {
    await fixture.createPolicy(tenant, guessingRule());
    await fixture.ingest(burstOf(tenant, { count: 5, fromS: 100 }));
    await fixture.ingest([failedLogin(tenant, 40), failedLogin(tenant, -86_400)]);
    expect(await theCase()).toMatchObject({ event_count: 7, opened_at: '2026-02-22T16:45:40.000Z' });
  });

  test('a slow drip outside the window opens nothing; the window alone goes into the case', async () => {
    await fixture.createPolicy(tenant, guessingRule());
    const drip = burstOf(tenant, { count: 4, stepS: 290 });
    await fixture.ingest(drip);
    const burst = burstOf(tenant, { count: 5, fromS: 10_000 });
    await fixture.ingest(burst);
    expect(await eventIds((await theCase()).id)).toEqual(idsOf(burst));
  });

  test('distinct values are counted where the policy asks for them', async () => {
    const threshold = { count: 3, within_s: 300, distinct_field: 'user' };
    await fixture.createPolicy(tenant, guessingRule({ threshold }));
    await fixture.ingest(burstOf(tenant, { count: 20, user: 'root' }));
    await fixture.ingest([failedLogin(tenant, 50, { user: 'ada' }), failedLogin(tenant, 51, { user: '' })]);
    expect(await fixture.casesOf(tenant)).toEqual([]);
    await fixture.ingest([failedLogin(tenant, 52, { user: 'grace' })]);
    expect(await theCase()).toMatchObject({ event_count: 23 });
  });

  test('values that begin alike are different ones, however long they are', async () => {
    const threshold = { count: 3, within_s: 300, distinct_field: 'command' };
    await fixture.createPolicy(tenant, guessingRule({ threshold }));
    const long = `powershell -enc ${'QUJD'.repeat(1_000)}`;
    const run = (at: number, ...ends: string[]) =>
      fixture.ingest(ends.map((end, n) => failedLogin(tenant, at + n, { fields: { command: `${long}${end}` } })));
    await run(0, 'a', 'b', 'a', 'b');
    expect(await fixture.casesOf(tenant)).toEqual([]);
    await run(50, 'c');
    expect(await theCase()).toMatchObject({ event_count: 5 });
  });

  test('without a threshold the first match opens; without group_by all matches are one group', async () => {
    const { threshold: _none, ...logic } = guessingRule({ group_by: [] }).logic;
    await fixture.createPolicy(tenant, { ...guessingRule(), logic });
    await fixture.ingest([failedLogin(tenant, 0), failedLogin(tenant, 1, { src_ip: '198.51.100.9' })]);
    expect(await theCase()).toMatchObject({ event_count: 2, meta_data_fields: {} });
  });
});

describe('after a case', () => {
  test('while it is acknowledged new matches go into it; once closed only a new burst opens another', async () => {
    await fixture.createPolicy(tenant, guessingRule());
    await fixture.ingest(burstOf(tenant, { count: 5 }));
    const first = await theCase();
    await update(first.id, { alert_status: 'acknowledged' });
    await fixture.ingest(burstOf(tenant, { count: 1, fromS: 20 }));
    expect(await theCase()).toMatchObject({ event_count: 6 });

    await update(first.id, { alert_status: 'closed', close_reason: 'true_positive' });
    const again = burstOf(tenant, { count: 4, fromS: 30 });
    await fixture.ingest(again);
    // Nine failures lie in the window, but five of them are the closed case's.
    expect(await theCase()).toMatchObject({ id: first.id, event_count: 6 });
    const fifth = failedLogin(tenant, 60);
    await fixture.ingest([fifth]);
    const [, second] = await fixture.casesOf(tenant);
    expect(await eventIds(second?.id ?? '')).toEqual(idsOf(again, [fifth]));
    expect(second).toMatchObject({ reference: 'CASE-2', alert_status: 'open' });
  });

  test('a case takes events of as many integrations as there are, and names the first of them', async () => {
    await fixture.createPolicy(
      tenant,
      guessingRule({ source: { source_type: 'log', connector_definition_id: '', event_type: '' } }),
    );
    await fixture.ingest(burstOf(tenant, { count: 5 }));
    const name = (n: number) => `integration-${String(n).padStart(2, '0')}-${'x'.repeat(48)}`;
    for (let n = 0; n < 60; n++) await fixture.ingest([failedLogin(tenant, 20 + n, { integration: name(n) })]);
    const grown = await theCase();
    expect(grown).toMatchObject({ event_count: 65 });
    const { log_sources: named, search_text: text } = await fixture.db.tenant(tenant.tenantId, (tx) =>
      tx
        .selectFrom('case_record')
        .select(['log_sources', 'search_text'])
        .where('id', '=', grown.id)
        .executeTakeFirstOrThrow(),
    );
    expect(named).toHaveLength(20);
    expect(named).toEqual([...named].sort());
    expect(named).toContain(name(18));
    expect(text.split(name(18))).toHaveLength(2);
    expect(text).not.toContain(name(30));
  });

  test('suppression keeps the group quiet until its time is over, for this group only', async () => {
    await fixture.createPolicy(tenant, guessingRule({ suppress_for_s: 3600 }));
    await fixture.ingest(burstOf(tenant, { count: 5 }));
    const first = await theCase();
    await update(first.id, { alert_status: 'closed', close_reason: 'benign' });
    await fixture.ingest(burstOf(tenant, { count: 30, fromS: 1000 }));
    expect(await fixture.casesOf(tenant)).toHaveLength(1);
    await fixture.ingest(burstOf(tenant, { count: 5, fromS: 1000, src_ip: '198.51.100.9' }));
    expect(await fixture.casesOf(tenant)).toHaveLength(2);
    const afterwards = burstOf(tenant, { count: 5, fromS: 3700 });
    await fixture.ingest(afterwards);
    const third = (await fixture.casesOf(tenant)).at(-1);
    expect(await eventIds(third?.id ?? '')).toEqual(idsOf(afterwards));
  });

  test('a reopened case takes the new matches instead of a second one opening', async () => {
    await fixture.createPolicy(tenant, guessingRule());
    await fixture.ingest(burstOf(tenant, { count: 5 }));
    const { id } = await theCase();
    await update(id, { alert_status: 'closed', close_reason: 'duplicate' });
    await update(id, { alert_status: 'open' });
    await fixture.ingest(burstOf(tenant, { count: 5, fromS: 30 }));
    expect(await theCase()).toMatchObject({ id, event_count: 10, alert_status: 'open' });
  });
});

describe('policies that change', () => {
  test('a policy switched off between matching and applying opens nothing', async () => {
    const id = await fixture.createPolicy(tenant, guessingRule());
    const matches = await fixture.detection.match(burstOf(tenant, { count: 5 }));
    expect(matches).toHaveLength(5);
    await fixture.db.tenant(tenant.tenantId, (tx) =>
      fixture.policies.service.update(tx, tenant, { id, enabled: false, rule: undefined }, person),
    );
    await fixture.db.system((tx) => fixture.detection.apply(tx, matches));
    expect(await fixture.casesOf(tenant)).toEqual([]);
  });

  test('another process compiles a changed policy anew when it is announced', async () => {
    const other = fixture.secondProcess();
    await other.start();
    let announcements = 0;
    const stopListening = await fixture.db.listen(POLICIES_CHANNEL, (changed) => {
      if (changed === tenant.tenantId) announcements += 1;
    });
    const id = await fixture.createPolicy(tenant, guessingRule());
    await expect.poll(() => announcements).toBe(1);
    expect(await other.match([failedLogin(tenant, 0)])).toHaveLength(1);
    await fixture.db.tenant(tenant.tenantId, (tx) =>
      fixture.policies.service.update(tx, tenant, { id, enabled: false, rule: undefined }, person),
    );
    await expect.poll(() => announcements).toBe(2);
    expect(await other.match([failedLogin(tenant, 0)])).toEqual([]);
    await stopListening();
    await other.stop();
  });

  test('a process that missed the announcement notices within five seconds', async () => {
    const deaf = fixture.secondProcess();
    const id = await fixture.createPolicy(tenant, guessingRule());
    const start = fixture.clock.now;
    expect(await deaf.match([failedLogin(tenant, 0)])).toHaveLength(1);
    await fixture.db.tenant(tenant.tenantId, (tx) =>
      fixture.policies.service.update(tx, tenant, { id, enabled: false, rule: undefined }, person),
    );
    expect(await deaf.match([failedLogin(tenant, 0)])).toHaveLength(1);
    fixture.clock.now = new Date(start.getTime() + 5_000);
    expect(await deaf.match([failedLogin(tenant, 0)])).toEqual([]);
    fixture.clock.now = start;
  });

  test('events of one tenant are never held against the policies of another', async () => {
    await fixture.createPolicy(tenant, guessingRule());
    const other = await fixture.newTenant();
    expect(await fixture.detection.match(burstOf(other, { count: 5 }))).toEqual([]);
    await fixture.ingest([...burstOf(other, { count: 5 }), ...burstOf(tenant, { count: 4 })]);
    expect(await fixture.casesOf(other)).toEqual([]);
    expect(await fixture.casesOf(tenant)).toEqual([]);
  });
});

test('values that the database cannot hold as they are do not stop a batch', async () => {
  await fixture.createPolicy(tenant, guessingRule({ group_by: ['user'] }));
  const user = `${'\0'}root\ud800${'x'.repeat(10_000)}`;
  const events = burstOf(tenant, { count: 5, user, message: 'a\0b', fields: { 'k\0': ['\udc00', { deep: '\0' }] } });
  await fixture.ingest(events);
  await fixture.ingest(events);
  const opened = await theCase();
  const detail = await fixture.detailOf(tenant, opened.id);
  expect(detail.event_count).toBe(5);
  expect(detail.events[0]).toMatchObject({
    message: 'a\ufffdb',
    fields: { 'k\ufffd': ['\ufffd', { deep: '\ufffd' }] },
  });
});

test('old matches are purged, recent ones and the events of cases stay', async () => {
  await fixture.createPolicy(tenant, guessingRule());
  await fixture.ingest(burstOf(tenant, { count: 5 }));
  await fixture.ingest(burstOf(tenant, { count: 2, src_ip: '198.51.100.9' }));
  const start = fixture.clock.now;
  // Recorded by the database's own clock, so the purge is asked from both sides of it.
  fixture.clock.now = new Date();
  expect(await fixture.detection.purge()).toBe(0);
  fixture.clock.now = new Date(Date.now() + 9 * 86_400_000);
  expect(await fixture.detection.purge()).toBeGreaterThanOrEqual(7);
  fixture.clock.now = start;
  expect((await fixture.detailOf(tenant, (await theCase()).id)).events).toHaveLength(5);
});
