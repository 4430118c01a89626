import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallLimits } from './call-limits.ts';
import { type Actor, createTestServer, type TestServer } from './test-server.ts';

/** So slow that nothing comes back within the test. */
const slowly = (burst: number) => ({ perSecond: 0.001, burst });
const callLimits: CallLimits = {
  person: slowly(30),
  tenant: slowly(50),
  address: slowly(400),
  stranger: slowly(3),
  urgent: slowly(5),
  atOnce: { perTenant: 4, besideOthers: 2, overPace: 1, waitingPerTenant: 200 },
};

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ callLimits });
});
afterAll(() => server?.close());

async function ask(actor: { headers: Actor['headers'] } | undefined, path: string, payload?: object) {
  const method = payload === undefined ? 'GET' : 'POST';
  return await server.inject({
    ...{ method, url: path, headers: actor?.headers ?? {} },
    ...(payload === undefined ? {} : { payload }),
  });
}

const refusedCalls = (tenant: string) =>
  server.stores.database.tenant(tenant, (tx) =>
    tx
      .selectFrom('audit_record')
      .select(['code', 'target_id'])
      .where('outcome', '=', 'refused')
      .orderBy('sequence')
      .execute(),
  );

/** Asks until it is refused; how often it was answered before. */
async function exhaust(actor: Actor, tenant: string): Promise<number> {
  for (let answered = 0; ; answered++) {
    const { statusCode } = await ask(actor, `/api/tenants/${tenant}/case?limit=1`);
    if (statusCode === 429) return answered;
    expect(statusCode).toBe(200);
  }
}

describe('a tenant that makes too many calls', () => {
  it('is refused and told when to come back; others are answered, and what stops things works on', async () => {
    const [noisy, quiet] = [await server.createTenant(), await server.createTenant()];
    const member = (tenant: string) => server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
    const [ann, ben, cleo, eve] = [await member(noisy), await member(noisy), await member(noisy), await member(quiet)];
    // Somebody to be kept from slowing.
    expect((await ask(eve, `/api/tenants/${quiet}/case`)).statusCode).toBe(200);
    expect(await exhaust(ann, noisy)).toBe(30);
    expect(await exhaust(ben, noisy)).toBe(20);

    const refused = await ask(cleo, `/api/tenants/${noisy}/case`);
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ code: 'RATE_LIMITED', message: expect.stringMatching(/^This tenant/) });
    expect(refused.headers['retry-after']).toMatch(/^[123]$/);

    // Refused before anything is done.
    const contact = { name: 'Kim', email: 'kim@example.com' };
    const { statusCode } = await ask(cleo, `/api/tenants/${noisy}/contacts`, contact);
    expect(statusCode).toBe(429);
    const contacts = await server.stores.database.tenant(noisy, (tx) => tx.selectFrom('contact').selectAll().execute());
    expect(contacts).toEqual([]);

    expect((await ask(eve, `/api/tenants/${quiet}/case`)).statusCode).toBe(200);
    // A person of the noisy tenant has calls of their own left elsewhere.
    expect((await ask(cleo, '/me')).statusCode).toBe(200);

    const off = await server.inject({
      ...{ method: 'PATCH', url: `/api/tenants/${noisy}/settings`, headers: cleo.headers },
      payload: { automation: { enabled: false } },
    });
    expect(off.statusCode).toBe(200);
    expect(off.json()).toMatchObject({ automation: { enabled: false } });
    const run = `/api/tenants/${noisy}/soar/playbook_activity/01a1fb94-b561-76ac-8033-bf029575ae58`;
    expect((await ask(cleo, `${run}/cancel`, {})).statusCode).toBe(404);
  });

  it('cannot be anybody who is not let in: strangers and members of others use up nothing of it', async () => {
    const [tenant, other] = [await server.createTenant(), await server.createTenant()];
    const ann = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const outsider = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
    expect((await ask(outsider, `/api/tenants/${other}/case`)).statusCode).toBe(200);
    for (let n = 0; n < 33; n++) {
      expect([403, 429]).toContain((await ask(outsider, `/api/tenants/${tenant}/case`)).statusCode);
      expect((await ask(undefined, `/api/tenants/${tenant}/case`)).statusCode).toBe(401);
    }
    expect(await exhaust(ann, tenant)).toBe(30);
  });

  it('is told in the audit log of the tenant, once a minute', async () => {
    const [tenant, other] = [await server.createTenant(), await server.createTenant()];
    const [ann, eve] = [
      await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } }),
      await server.createActor({ home: other, roles: { [other]: 'Analyst' } }),
    ];
    expect((await ask(eve, `/api/tenants/${other}/case`)).statusCode).toBe(200);
    for (let refused = 0; refused < 3; refused++) await exhaust(ann, tenant);
    await expect.poll(() => refusedCalls(tenant)).toEqual([{ code: 'RATE_LIMITED', target_id: 'cases.list' }]);
  });
});

describe('somebody who is refused again and again', () => {
  const refusals = async (who: { headers: Actor['headers'] }, path: () => string) => {
    const codes: string[] = [];
    for (let n = 0; n < 33; n++) codes.push((await ask(who, path())).json<{ code: string }>().code);
    return codes;
  };

  it('has too few calls left for more of it, and none of the tenants they ask for pays', async () => {
    const [tenant, other] = [await server.createTenant(), await server.createTenant()];
    const member = (of: string) => server.createActor({ home: of, roles: { [of]: 'ReadOnly' } });
    const [ann, eve, ben] = [await member(tenant), await member(other), await member(tenant)];
    expect((await ask(eve, `/api/tenants/${other}/case`)).statusCode).toBe(200);
    const unknown = () => `/api/tenants/${randomUUID()}/case`;
    expect(await refusals(ann, unknown)).toEqual([
      ...Array<string>(30).fill('TENANT_FORBIDDEN'),
      ...Array<string>(3).fill('RATE_LIMITED'),
    ]);
    expect(await refusedCalls(tenant)).toEqual([
      { code: 'TENANT_FORBIDDEN', target_id: 'cases.list' },
      { code: 'RATE_LIMITED', target_id: 'cases.list' },
    ]);
    expect((await ask(ann, `/api/tenants/${tenant}/case`)).statusCode).toBe(429);
    expect(await exhaust(ben, tenant)).toBe(30);
  });

  it('also where they have no account any more', async () => {
    const [tenant, other] = [await server.createTenant(), await server.createTenant()];
    const [ann, eve] = [
      await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } }),
      await server.createActor({ home: other, roles: { [other]: 'Analyst' } }),
    ];
    expect((await ask(eve, `/api/tenants/${other}/case`)).statusCode).toBe(200);
    await server.stores.database.system((tx) =>
      server.composition.tenants.setUserStatus(tx, ann.id, 'disabled', {
        ...{ actor: { kind: 'system', id: null, name: 'Test' }, requestId: null },
      }),
    );
    expect(await refusals(ann, () => `/api/tenants/${randomUUID()}/case`)).toEqual([
      ...Array<string>(30).fill('USER_DISABLED'),
      ...Array<string>(3).fill('RATE_LIMITED'),
    ]);
  });
});

describe('somebody who asks again at once', () => {
  it('waits longer for each refusal, and may leave before it comes', async () => {
    const [tenant, other] = [await server.createTenant(), await server.createTenant()];
    const [ann, eve] = [
      await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } }),
      await server.createActor({ home: other, roles: { [other]: 'Analyst' } }),
    ];
    const { app, listeningPort } = server.composition;
    await app.server.listen({ host: '127.0.0.1', port: 0 });
    const call = ({ headers }: Actor, of: string, signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${listeningPort()}/api/tenants/${of}/case`, { headers, signal: signal ?? null });
    expect((await call(eve, other)).status).toBe(200);
    await exhaust(ann, tenant);
    await call(ann, tenant);
    const order: string[] = [];
    const asked = performance.now();
    let waitedMs = 0;
    const late = call(ann, tenant).then(({ status }) => {
      waitedMs = performance.now() - asked;
      order.push(`ann ${status}`);
    });
    const left = call(ann, tenant, AbortSignal.timeout(200)).catch((error: Error) => order.push(error.name));
    await call(eve, other).then(({ status }) => order.push(`eve ${status}`));
    await Promise.all([late, left]);
    // Whoever leaves does so after a fifth of a second.
    expect(order.toSorted()).toEqual(['TimeoutError', 'ann 429', 'eve 200']);
    expect(waitedMs).toBeGreaterThan(200);
    expect((await call(eve, other)).status).toBe(200);
  });
});

describe('an address of strangers', () => {
  it('is refused beyond its limit, and health, configuration and people who are known are not', async () => {
    const tenant = await server.createTenant();
    const ann = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) statuses.push((await ask(undefined, '/api/openapi.json')).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    for (const path of ['/health/live', '/health/ready', '/config.json']) {
      expect((await ask(undefined, path)).statusCode).toBe(200);
    }
    expect((await ask(ann, '/me')).statusCode).toBe(200);
  });
});
