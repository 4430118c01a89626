import { setTimeout as wait } from 'node:timers/promises';
import { caseListQuerySchema } from '@airdeck/contracts/cases/schema';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TenantScope } from '../../tenant-scope.ts';
import {
  burstOf,
  createDetectionFixture,
  type DetectionFixture,
  guessingRule,
} from '../detection/detection-fixture.ts';

const by = { actor: { kind: 'user', id: null, name: 'boss@example.com' }, requestId: null } as const;
const leaver = 'ada.lovelace@example.com';

let fixture: DetectionFixture;
let tenant: TenantScope;

beforeAll(async () => {
  fixture = await createDetectionFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  tenant = await tenantWithPolicy();
});

async function tenantWithPolicy(): Promise<TenantScope> {
  const scope = await fixture.newTenant();
  await fixture.createPolicy(scope, guessingRule());
  for (const name of [leaver, 'grace@example.com']) await fixture.addMember(scope, name);
  return scope;
}

/** A case of this tenant, assigned to somebody. */
async function assigned(scope: TenantScope, src_ip: string, assignee: string, closed = false): Promise<string> {
  await fixture.ingest(burstOf(scope, { src_ip, count: 5 }));
  return await fixture.db.tenant(scope.tenantId, async (tx) => {
    const query = caseListQuerySchema.parse({ limit: 1, q: src_ip });
    const id = (await fixture.cases.service.list(tx, scope, query)).cases[0]?.id ?? '';
    await fixture.cases.service.update(tx, scope, { id, update: { assignee }, by });
    if (closed) await fixture.cases.service.update(tx, scope, { id, update: { alert_status: 'closed' }, by });
    return id;
  });
}

const read = (scope: TenantScope, id: string) =>
  fixture.db.tenant(scope.tenantId, (tx) => fixture.cases.service.get(tx, scope, id));

it('of a story of thousands of entries a case shows what happened last, in its order', async () => {
  const id = await assigned(tenant, '203.0.113.9', leaver);
  await fixture.db.tenant(tenant.tenantId, async (tx) => {
    const at = Date.parse('2020-01-01T00:00:00.000Z');
    const entry = {
      tenant_id: tenant.tenantId,
      case_id: id,
      username: 'system',
      kind: 'action_finished',
      data: '{}',
    } as const;
    const entries = Array.from({ length: 1_200 }, (_, n) => ({
      ...entry,
      id: v7(),
      at: new Date(at + n),
      text: `Item ${n}`,
    }));
    await tx.insertInto('case_activity').values(entries).execute();
    await fixture.cases.service.update(tx, tenant, { id, update: { comment: 'The last word' }, by });
  });
  const { activity } = await read(tenant, id);
  expect(activity.at(-1)).toMatchObject({ kind: 'commented', text: 'The last word' });
  expect(activity).toHaveLength(1_000);
  const items = activity.filter(({ text }) => text.startsWith('Item '));
  expect(items.at(-1)?.text).toBe('Item 1199');
});

describe('somebody who leaves', () => {
  it('is taken off the open cases of that tenant, which say so and are no longer found by the name', async () => {
    const other = await tenantWithPolicy();
    const open = await assigned(tenant, '203.0.113.1', leaver);
    const closed = await assigned(tenant, '203.0.113.2', leaver, true);
    const colleagues = await assigned(tenant, '203.0.113.3', 'grace@example.com');
    const elsewhere = await assigned(other, '203.0.113.4', leaver);
    const count = await fixture.db.system((tx) =>
      fixture.cases.people.unassign(tx, leaver, [{ tenant: tenant.tenantId, by: by.actor.name }]),
    );
    expect(count).toBe(1);
    const story = await read(tenant, open);
    expect(story.assignee).toBeNull();
    expect(story.activity.at(-1)).toMatchObject({
      kind: 'assigned',
      text: 'Assignment removed',
      username: by.actor.name,
    });
    expect((await read(tenant, closed)).assignee).toBe(leaver);
    expect((await read(tenant, colleagues)).assignee).toBe('grace@example.com');
    expect((await read(other, elsewhere)).assignee).toBe(leaver);
    const found = await fixture.db.tenant(tenant.tenantId, (tx) =>
      fixture.cases.service.list(tx, tenant, caseListQuerySchema.parse({ q: leaver })),
    );
    expect(found.cases.map(({ id }) => id)).toEqual([closed]);
  });

  it('also loses the case they are given in that moment', async () => {
    const id = await assigned(tenant, '203.0.113.5', 'grace@example.com');
    const leaves = () =>
      fixture.db.system(async (tx) => {
        await fixture.removeMember(tx, tenant, leaver);
        return await fixture.cases.people.unassign(tx, leaver, [{ tenant: tenant.tenantId, by: by.actor.name }]);
      });
    const leaving = await fixture.db.tenant(tenant.tenantId, async (tx) => {
      await fixture.cases.service.update(tx, tenant, { id, update: { assignee: leaver }, by });
      const gone = leaves();
      // Time enough to leave, for somebody who would not wait.
      await Promise.race([gone, wait(500)]);
      return { gone };
    });
    expect(await leaving.gone).toBe(1);
    expect((await read(tenant, id)).assignee).toBeNull();
  });

  it('can be given none once they have begun to leave', async () => {
    const id = await assigned(tenant, '203.0.113.6', 'grace@example.com');
    const given = await fixture.db.system(async (tx) => {
      await fixture.cases.people.unassign(tx, leaver, [{ tenant: tenant.tenantId, by: by.actor.name }]);
      const giving = fixture.db.tenant(tenant.tenantId, (own) =>
        fixture.cases.service.update(own, tenant, { id, update: { assignee: leaver }, by }),
      );
      await Promise.race([giving, wait(500)]);
      await fixture.removeMember(tx, tenant, leaver);
      return {
        giving: giving.then(
          () => 'given',
          (error: unknown) => error,
        ),
      };
    });
    expect(await given.giving).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await read(tenant, id)).assignee).toBe('grace@example.com');
  });
});

describe('a closed case of somebody who could not work on it any more', () => {
  const reopen = (id: string, update: { assignee?: string } = {}) =>
    fixture.db.tenant(tenant.tenantId, (tx) =>
      fixture.cases.service.update(tx, tenant, { id, update: { alert_status: 'open', ...update }, by }),
    );
  const comment = (id: string) =>
    fixture.db.tenant(tenant.tenantId, (tx) =>
      fixture.cases.service.update(tx, tenant, { id, update: { comment: 'Seen again' }, by }),
    );
  const leave = () =>
    fixture.db.system(async (tx) => {
      await fixture.removeMember(tx, tenant, leaver);
      await fixture.cases.people.unassign(tx, leaver, [{ tenant: tenant.tenantId, by: by.actor.name }]);
    });

  it('is nobody’s once it is reopened, says so, and is no longer found by the name', async () => {
    const id = await assigned(tenant, '203.0.113.7', leaver, true);
    await leave();
    await comment(id);
    expect((await read(tenant, id)).assignee).toBe(leaver);
    await reopen(id);
    const { assignee, activity } = await read(tenant, id);
    expect(assignee).toBeNull();
    const told = activity.slice(-2).map(({ text, username }) => [text, username]);
    expect(told).toEqual([
      ['Reopened', by.actor.name],
      ['Assignment removed', by.actor.name],
    ]);
    const found = await fixture.db.tenant(tenant.tenantId, (tx) =>
      fixture.cases.service.list(tx, tenant, caseListQuerySchema.parse({ q: leaver })),
    );
    expect(found.cases).toEqual([]);
  });

  it('is not reopened for them', async () => {
    const id = await assigned(tenant, '203.0.113.8', leaver, true);
    await leave();
    await expect(reopen(id, { assignee: leaver })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await reopen(id, { assignee: 'grace@example.com' });
    expect((await read(tenant, id)).assignee).toBe('grace@example.com');
  });

  it('stays theirs where they still could', async () => {
    const id = await assigned(tenant, '203.0.113.10', leaver, true);
    await reopen(id);
    const { assignee, activity } = await read(tenant, id);
    expect(assignee).toBe(leaver);
    expect(activity.at(-1)?.text).toBe('Reopened');
  });

  it('is nobody’s when it is reopened while they leave', async () => {
    const id = await assigned(tenant, '203.0.113.11', leaver, true);
    const { reopening } = await fixture.db.system(async (tx) => {
      await fixture.cases.people.unassign(tx, leaver, [{ tenant: tenant.tenantId, by: by.actor.name }]);
      const begun = reopen(id);
      await Promise.race([begun, wait(500)]);
      await fixture.removeMember(tx, tenant, leaver);
      return { reopening: begun };
    });
    await reopening;
    expect((await read(tenant, id)).assignee).toBeNull();
  });
});
