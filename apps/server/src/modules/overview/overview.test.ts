import { slaTargets } from '@airdeck/contracts/cases/sla';
import { tenantOverviewSchema } from '@airdeck/contracts/overview/schema';
import type { CaseSeverity } from '@airdeck/contracts/statuses';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Handlers, SignedInContext } from '../../http/handlers.ts';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import type { Database } from '../../storage/database.ts';
import { createOverviewModule } from './overview-module.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const DAY = 24 * 60;

let server: TestServer;
let quiet: string;
let busy: string;
let foreign: string;
let actor: Actor;

beforeAll(async () => {
  server = await createTestServer({ now: () => now });
  quiet = await server.createTenant({ name: 'Quiet' });
  busy = await server.createTenant({ name: 'Busy' });
  foreign = await server.createTenant({ name: 'Foreign' });
  actor = await server.createActor({ home: quiet, roles: { [quiet]: 'Admin', [busy]: 'Analyst' } });
});
afterAll(() => server?.close());

async function overview(headers: { authorization: string } = actor.headers) {
  const answer = await server.inject({ url: '/api/overview', headers });
  expect(answer.statusCode).toBe(200);
  return z.array(tenantOverviewSchema).parse(answer.json());
}

type CaseFacts = {
  severity: CaseSeverity;
  openedMinutesAgo: number;
  acknowledgedAfter?: number;
  closedAfter?: number;
  byPerson?: boolean;
  detectedAfter?: number;
};

let numbered = 0;
async function addCase(tenant: string, facts: CaseFacts): Promise<void> {
  const opened = minutesAgo(facts.openedMinutesAgo);
  const after = (minutes: number | undefined) =>
    minutes === undefined ? null : new Date(opened.getTime() + minutes * 60_000);
  await server.stores.database.system((tx) =>
    tx
      .insertInto('case_record')
      .values({
        id: v7(),
        tenant_id: tenant,
        number: ++numbered,
        alert_type: 'policy',
        name: 'Case',
        description: '',
        category: 'auth',
        severity: facts.severity,
        severity_rank: 0,
        status:
          facts.closedAfter !== undefined ? 'closed' : facts.acknowledgedAfter === undefined ? 'open' : 'acknowledged',
        log_sources: [],
        meta: '{}',
        opened_at: new Date(opened.getTime() - (facts.detectedAfter ?? 1) * 60_000),
        time_opened: opened,
        time_acknowledged: after(facts.acknowledgedAfter),
        time_closed: after(facts.closedAfter),
        closed_by_person: facts.closedAfter === undefined ? null : (facts.byPerson ?? true),
        time_updated: opened,
        respond_by: after(slaTargets[facts.severity].respondMinutes),
        resolve_by: after(slaTargets[facts.severity].resolveMinutes),
        search_text: '',
      } as never)
      .execute(),
  );
}

describe('the overview', () => {
  it('shows each tenant of the caller with its figures, the most urgent first, and no other', async () => {
    await addCase(busy, { severity: 'critical', openedMinutesAgo: 16 });
    await addCase(busy, { severity: 'critical', openedMinutesAgo: 14 });
    await addCase(busy, { severity: 'critical', openedMinutesAgo: 50, acknowledgedAfter: 40 });
    await addCase(busy, { severity: 'high', openedMinutesAgo: 23 * 60, acknowledgedAfter: 30 });
    await addCase(busy, { severity: 'high', openedMinutesAgo: 25 * 60, acknowledgedAfter: 30 });
    await addCase(busy, { severity: 'low', openedMinutesAgo: 3 * DAY, acknowledgedAfter: 60, closedAfter: 120 });
    await addCase(busy, { severity: 'low', openedMinutesAgo: 30 * DAY, acknowledgedAfter: 9999, closedAfter: 9999 });
    await addCase(foreign, { severity: 'critical', openedMinutesAgo: 5 * DAY });
    await addConnector(busy, 'active');
    await addConnector(busy, 'error');
    await addConnector(busy, 'active', false);
    await addArrivals(busy, [minutesAgo(300), minutesAgo(7)]);
    await addArrivals(foreign, [now]);

    const [first, second, ...others] = await overview();
    expect(others).toEqual([]);
    expect(first).toEqual({
      id: busy,
      name: 'Busy',
      managed_by: null,
      is_provider: false,
      role: 'Analyst',
      sku_name: 'Enterprise',
      open_cases: { low: 0, medium: 0, high: 2, critical: 3 },
      // One critical case nobody acknowledged in a quarter of an hour, one that somebody did too late, one high one open for
      // more than a day.
      sla_breaches: 3,
      connectors: { active: 1, paused: 1, error: 1, pending: 0 },
      last_event_at: minutesAgo(7).toISOString(),
      automation_enabled: true,
      mttd_by_type: { manual_mttd: 40 * 60, automated_mttd: 60 },
      mttr_by_type: { manual_mttr: 120 * 60, automated_mttr: null },
    });
    expect(second).toMatchObject({
      id: quiet,
      role: 'Admin',
      open_cases: { low: 0, medium: 0, high: 0, critical: 0 },
      sla_breaches: 0,
      last_event_at: null,
      mttd_by_type: { manual_mttd: null, automated_mttd: null },
    });
  });

  it("agrees with the tenant's own home page", async () => {
    const home = await server.inject({ url: `/api/tenants/${busy}/dashboards`, headers: actor.headers });
    const [first] = await overview();
    if (home.statusCode === 200) {
      const { mttr_by_type, mttd_by_type } = home.json();
      expect({ mttr_by_type: first?.mttr_by_type, mttd_by_type: first?.mttd_by_type }).toEqual({
        mttr_by_type,
        mttd_by_type,
      });
    } else throw new Error(`The home page answered ${home.statusCode}.`);
  });

  it('says where automation is switched off', async () => {
    await server.inject({
      method: 'PATCH',
      url: `/api/tenants/${quiet}/settings`,
      headers: { ...actor.headers, 'content-type': 'application/json' },
      payload: JSON.stringify({ automation: { enabled: false } }),
    });
    const tenants = await overview();
    expect(tenants.find(({ id }) => id === quiet)?.automation_enabled).toBe(false);
    expect(tenants.find(({ id }) => id === busy)?.automation_enabled).toBe(true);
  });

  it('opens to an API key its one tenant with its own role, and to who is a member nowhere nothing', async () => {
    const key = await server.createApiKey(actor, { tenant: busy, role: 'ReadOnly' });
    const seen = await overview({ authorization: `Bearer ${key}` });
    expect(seen.map(({ id, role }) => ({ id, role }))).toEqual([{ id: busy, role: 'ReadOnly' }]);
    const lonely = await server.createActor({ home: foreign });
    expect(await overview(lonely.headers)).toEqual([]);
  });

  it('forgets a tenant with the membership', async () => {
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    const guest = await server.createActor({ home: quiet, roles: { [quiet]: 'ReadOnly', [foreign]: 'ReadOnly' } });
    expect((await overview(guest.headers)).map(({ id }) => id)).toEqual([foreign, quiet]);
    await server.stores.database.system((tx) =>
      server.composition.tenants.removeMembership(tx, { tenant: foreign, user: guest.id }, by),
    );
    expect((await overview(guest.headers)).map(({ id }) => id)).toEqual([quiet]);
  });

  it('asks the store as often for a thousand tenants as for one', async () => {
    const wide = await server.createActor({ home: quiet, roles: { [quiet]: 'Admin' } });
    const before = await queriesFor(wide);
    await server.stores.database.system(async (tx) => {
      for (let n = 0; n < 1000; n++) {
        const id = v7();
        await tx
          .insertInto('tenant')
          .values({ id, name: `Wide ${n}`, managed_by: null, sku_info: JSON.stringify({ sku_name: 'Small' }) })
          .execute();
        await tx.insertInto('membership').values({ tenant_id: id, user_id: wide.id, role: 'ReadOnly' }).execute();
      }
    });
    const after = await queriesFor(wide);
    expect(after.tenants).toBe(before.tenants + 1000);
    expect(after.queries).toBe(before.queries);
  });
});

/** The same handler, on a database that counts what is asked of it. */
async function queriesFor(who: Actor): Promise<{ tenants: number; queries: number }> {
  let queries = 0;
  const db: Pick<Database, 'system'> = {
    system: (work) =>
      server.stores.database.system((tx) =>
        work(
          tx.withPlugin({
            transformQuery: ({ node }) => {
              queries++;
              return node;
            },
            transformResult: async ({ result }) => result,
          }),
        ),
      ),
  };
  const handlers: Handlers<'overview.list'> = createOverviewModule({ db, now: () => now }).handlers;
  const caller = { userId: who.id, username: who.email, fullname: '', homeTenant: quiet, via: 'session' } as const;
  const request = { params: undefined, query: undefined, body: undefined } as never;
  const tenants = await handlers['overview.list'](request, { caller } as SignedInContext);
  return { tenants: (tenants as unknown[]).length, queries };
}

async function addConnector(tenant: string, state: 'active' | 'error', enabled = true): Promise<void> {
  await server.stores.database.system((tx) =>
    tx
      .insertInto('connector')
      .values({
        id: v7(),
        tenant_id: tenant,
        definition_id: 'fortigate',
        name: 'Firewall',
        enabled,
        is_default: false,
        state,
        config: '{}',
        last_successful_connection: null,
      })
      .execute(),
  );
}

async function addArrivals(tenant: string, times: readonly Date[]): Promise<void> {
  const id = v7();
  await server.stores.database.system(async (tx) => {
    await tx
      .insertInto('event_source')
      .values({
        id,
        tenant_id: tenant,
        name: 'Servers',
        kind: 'syslog',
        token_hash: Buffer.from(id),
        token_hint: '',
        created_at: now,
      })
      .execute();
    for (const at of times) {
      const hour = new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000);
      const row = { tenant_id: tenant, source_id: id, hour, events: 1, last_event_at: at };
      await tx.insertInto('source_arrival_hour').values(row).execute();
    }
  });
}
