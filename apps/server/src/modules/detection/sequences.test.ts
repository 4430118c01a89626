import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantScope } from '../../tenant-scope.ts';
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
});

type Sequence = NonNullable<PolicyRule['logic']['sequence']>;

const step = (action: string): Sequence['steps'][number] => ({
  filter_criteria: [{ field: 'action', operator: 'equals', value: action }],
});

/** Somebody fails to sign in, then signs in, then makes an account: all from one address within five minutes. */
function takeover(parts: Partial<Sequence> = {}, logic: Partial<PolicyRule['logic']> = {}): PolicyRule {
  const { threshold: _none, ...rest } = guessingRule().logic;
  const sequence = { steps: [step('fail'), step('login'), step('create')], within_s: 300, ...parts };
  return { ...guessingRule(), name: 'Takeover', logic: { ...rest, filter_criteria: [], sequence, ...logic } };
}

const act = (action: string, atS: number, parts: Partial<StoredEvent> = {}) =>
  failedLogin(tenant, atS, { action, ...parts });

async function counts(): Promise<number[]> {
  return (await fixture.casesOf(tenant)).map(({ event_count: count }) => count);
}

async function close(id: string): Promise<void> {
  const update = { alert_status: 'closed', close_reason: 'benign' } as const;
  const by = { actor: { kind: 'user', id: null, name: 'ada@example.com' }, requestId: 'r' } as const;
  await fixture.db.tenant(tenant.tenantId, (tx) => fixture.cases.service.update(tx, tenant, { id, update, by }));
}

async function change(id: string, rule: PolicyRule): Promise<void> {
  const by = { actor: { kind: 'user', id: null, name: 'ada@example.com' }, requestId: 'r' } as const;
  await fixture.db.tenant(tenant.tenantId, (tx) =>
    fixture.policies.service.update(tx, tenant, { id, rule, measured: rule }, by),
  );
}

describe('a change of the rule', () => {
  test('leaves nothing that another rule matched, which would stand for steps it never was', async () => {
    const id = await fixture.createPolicy(tenant, takeover());
    await fixture.ingest([act('fail', 0), act('login', 5)], fixture.secondProcess());
    const steps = ['probe', 'fail', 'login', 'create'].map(step);
    await change(id, takeover({ steps }));
    await fixture.ingest([act('login', 20), act('create', 30)], fixture.secondProcess());
    expect(await counts()).toEqual([]);
    await fixture.ingest(['probe', 'fail', 'login', 'create'].map((each, at) => act(each, 40 + at)));
    expect(await counts()).toEqual([4]);
  });

  test('that leaves alone what matches goes on with what waits', async () => {
    const id = await fixture.createPolicy(tenant, guessingRule());
    await fixture.ingest(burstOf(tenant, { count: 3 }), fixture.secondProcess());
    await change(id, {
      ...guessingRule({ threshold: { count: 4, within_s: 600 }, suppress_for_s: 60 }),
      severity: 'low',
    });
    await fixture.ingest(burstOf(tenant, { count: 1, fromS: 100 }), fixture.secondProcess());
    expect(await counts()).toEqual([4]);
  });

  test('that leaves out a part of what matched counts none of it', async () => {
    const id = await fixture.createPolicy(tenant, guessingRule());
    await fixture.ingest(burstOf(tenant, { count: 4 }), fixture.secondProcess());
    const { filter_criteria: before } = guessingRule().logic;
    const scanner = { not: { field: 'user', operator: 'equals', value: 'root' } } as const;
    await change(id, guessingRule({ filter_criteria: [...before, scanner] }));
    await fixture.ingest(burstOf(tenant, { count: 1, fromS: 100, user: 'ana' }), fixture.secondProcess());
    expect(await counts()).toEqual([]);
  });
});

describe('a sequence', () => {
  test('opens one case when its last step happens, which takes what lies between and what follows', async () => {
    await fixture.createPolicy(tenant, takeover());
    await fixture.ingest([act('fail', 0), act('fail', 10)]);
    await fixture.ingest([act('login', 20), act('other', 25)]);
    expect(await counts()).toEqual([]);
    await fixture.ingest([act('create', 30)]);
    const [opened] = await fixture.casesOf(tenant);
    // The last failure before the sign-in begins it: the tightest way through the steps.
    expect(opened).toMatchObject({ event_count: 3, opened_at: '2026-02-22T16:45:10.000Z' });
    const { activity } = await fixture.detailOf(tenant, opened?.id ?? '');
    expect(activity[0]?.text).toBe(
      'Opened by policy Takeover: 3 matching events (all 3 steps in their order within 5 min)',
    );
    await fixture.ingest([act('login', 40)]);
    expect(await counts()).toEqual([4]);
  });

  test('of another order, too slow, or of two groups opens nothing', async () => {
    await fixture.createPolicy(tenant, takeover());
    await fixture.ingest([act('create', 0), act('login', 10), act('fail', 20)]);
    await fixture.ingest([act('fail', 1_000), act('login', 1_200), act('create', 1_301)]);
    const other = { src_ip: '198.51.100.9' };
    await fixture.ingest([act('fail', 5_000), act('login', 5_010, other), act('create', 5_020)]);
    expect(await counts()).toEqual([]);
  });

  test('in any order opens once every step has happened', async () => {
    await fixture.createPolicy(tenant, takeover({ any_order: true }));
    await fixture.ingest([act('create', 0), act('fail', 20)]);
    expect(await counts()).toEqual([]);
    await fixture.ingest([act('login', 10)]);
    expect(await counts()).toEqual([3]);
  });

  test('is judged by event time, whichever step arrives last and however late', async () => {
    await fixture.createPolicy(tenant, takeover());
    const week = 6 * 86_400;
    await fixture.ingest([act('create', -week + 20)]);
    await fixture.ingest([act('fail', -week)]);
    await fixture.ingest([act('fail', 0), act('login', 600)]);
    expect(await counts()).toEqual([]);
    await fixture.ingest([act('login', -week + 10)]);
    const [opened] = await fixture.casesOf(tenant);
    expect(opened?.opened_at).toBe('2026-02-16T16:45:00.000Z');
  });

  test('steps of one moment count as in order; one event that fits two steps does not follow itself', async () => {
    await fixture.createPolicy(tenant, takeover());
    await fixture.ingest([act('create', 0), act('login', 0), act('fail', 0)]);
    expect(await counts()).toEqual([3]);
    const own = await fixture.newTenant();
    await fixture.createPolicy(own, takeover({ steps: [step('fail'), step('fail')] }));
    const twice = [failedLogin(own, 0, { action: 'fail' })];
    await fixture.ingest([...twice, ...twice]);
    await fixture.ingest(twice);
    expect(await fixture.casesOf(own)).toEqual([]);
    await fixture.ingest([failedLogin(own, 1, { action: 'fail' })]);
    expect(await fixture.casesOf(own)).toHaveLength(1);
  });

  test('steps of different sources meet in one group, under the names each source has for it', async () => {
    const okta = { source_type: 'log' as const, connector_definition_id: 'okta', event_type: '' };
    const rule = takeover({ steps: [step('fail'), { ...step('grant'), source: okta, group_by: ['client_ip'] }] });
    await fixture.createPolicy(tenant, rule);
    await fixture.ingest([act('fail', 0), act('grant', 5)]);
    expect(await counts()).toEqual([]);
    const fields = { client_ip: '203.0.113.7' };
    await fixture.ingest([act('grant', 10, { integration: 'okta', src_ip: '192.0.2.1', fields })]);
    const [opened] = await fixture.casesOf(tenant);
    expect(opened).toMatchObject({ event_count: 2, meta_data_fields: { src_ip: '203.0.113.7' } });
    expect(opened?.log_sources).toEqual(['okta', 'sshd']);
  });
});

describe('exactly once', () => {
  test('a process that dies between two steps loses nothing, and the batch may come again', async () => {
    await fixture.createPolicy(tenant, takeover());
    const [first, second, third] = [act('fail', 0), act('login', 10), act('create', 20)];
    await fixture.ingest([first]);
    const matches = await fixture.detection.match([second]);
    const dying = fixture.db.system(async (tx) => {
      await fixture.detection.apply(tx, matches);
      throw new Error('the process dies here');
    });
    await expect(dying).rejects.toThrow('dies here');
    const successor = fixture.secondProcess();
    await fixture.ingest([third], successor);
    expect(await counts()).toEqual([]);
    await fixture.ingest([second], successor);
    await fixture.ingest([first, second, third], successor);
    expect(await counts()).toEqual([3]);
  });

  test('nodes that each see one step at once open one case together', async () => {
    await fixture.createPolicy(tenant, takeover());
    const addresses = Array.from({ length: 5 }, (_, index) => `203.0.113.${index + 1}`);
    const stepsOf = (action: string, atS: number) => addresses.map((src_ip) => act(action, atS, { src_ip }));
    const other = fixture.secondProcess();
    await Promise.all([
      fixture.ingest(stepsOf('create', 20).toReversed(), other),
      fixture.ingest(stepsOf('fail', 0)),
      fixture.ingest(stepsOf('login', 10), fixture.secondProcess()),
    ]);
    expect(await counts()).toEqual(addresses.map(() => 3));
  });

  test('steps of a closed case do not begin another one, and a suppression keeps the next one away', async () => {
    await fixture.createPolicy(tenant, takeover({}, { suppress_for_s: 600 }));
    await fixture.ingest([act('fail', 0), act('login', 10), act('create', 20)]);
    const [opened] = await fixture.casesOf(tenant);
    await close(opened?.id ?? '');
    await fixture.ingest([act('create', 30)]);
    await fixture.ingest([act('fail', 100), act('login', 110), act('create', 120)]);
    expect(await counts()).toEqual([3]);
    await fixture.ingest([act('fail', 700), act('login', 710), act('create', 720)]);
    expect(await counts()).toEqual([3, 3]);
  });
});
