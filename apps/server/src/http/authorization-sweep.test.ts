import { refusal } from '@airdeck/contracts/access/requirements';
import { type Role, roles } from '@airdeck/contracts/access/roles';
import type { ErrorCode } from '@airdeck/contracts/error-codes';
import type { Route } from '@airdeck/contracts/route';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import type { FastifyRequest } from 'fastify';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from './app-error.ts';
import { createTestServer, fullPlan, type TestServer } from './test-server.ts';

/**
 * Every route that is served, tried by everybody. What must come out follows from the row's `access` alone, so a new
 * route is covered the moment it is in the table.
 */
const guardCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'TOKEN_MISSING',
  'TOKEN_INVALID',
  'TENANT_FORBIDDEN',
  'ROLE_TOO_LOW',
  'PLAN_NOT_ENABLED',
  'MFA_REQUIRED',
  'USER_DISABLED',
]);

const noPlan = { ...fullPlan, is_search_enabled: false, is_mdr_enabled: false };

type Visitor = {
  name: string;
  authorization: string | undefined;
  /** Undefined without an identity; otherwise what the caller is in the tenant of the path. */
  known?: { member?: { role: Role; plan: typeof fullPlan } };
  /** Named tenant instead of the usual one. */
  tenant?: string;
  refusedAs?: ErrorCode;
};

let server: TestServer;
let tenant: string;
let visitors: Visitor[];

beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
  const other = await server.createTenant();
  const poor = await server.createTenant({ skuInfo: noPlan });
  const everywhere = await server.createActor({ home: other, roles: { [tenant]: 'Admin', [other]: 'Admin' } });
  const disabled = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  const outsider = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
  const lonely = await server.createActor({ home: tenant });
  const poorAdmin = await server.createActor({ home: poor, roles: { [poor]: 'Admin' } });
  const noFactor = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' }, mfa: false });
  const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
  await server.stores.database.system((tx) =>
    server.composition.tenants.setUserStatus(tx, disabled.id, 'disabled', by),
  );
  const members = await Promise.all(
    roles.map(async (role) => ({ role, actor: await server.createActor({ home: tenant, roles: { [tenant]: role } }) })),
  );
  visitors = [
    { name: 'nobody', authorization: undefined, refusedAs: 'TOKEN_MISSING' },
    { name: 'a garbage token', authorization: 'Bearer garbage', refusedAs: 'TOKEN_INVALID' },
    { name: 'another scheme', authorization: 'Basic YTpi', refusedAs: 'TOKEN_MISSING' },
    { name: 'an unknown API key', authorization: `Bearer aird_${'x'.repeat(43)}`, refusedAs: 'TOKEN_INVALID' },
    { name: 'a disabled Admin', authorization: disabled.headers.authorization, refusedAs: 'USER_DISABLED' },
    ...members.map(({ role, actor }) => ({
      name: `a member with role ${role}`,
      authorization: actor.headers.authorization,
      known: { member: { role, plan: fullPlan } },
    })),
    { name: 'a user without membership', authorization: lonely.headers.authorization, known: {} },
    { name: "another tenant's Admin", authorization: outsider.headers.authorization, known: {} },
    {
      name: 'an Admin whose plan has nothing',
      authorization: poorAdmin.headers.authorization,
      known: { member: { role: 'Admin', plan: noPlan } },
      tenant: poor,
    },
    {
      name: 'an API key of another tenant',
      authorization: `Bearer ${await server.createApiKey(everywhere, { tenant: other, role: 'Admin' })}`,
      known: {},
    },
    {
      name: "an Admin's ReadOnly API key",
      authorization: `Bearer ${await server.createApiKey(everywhere, { tenant, role: 'ReadOnly' })}`,
      known: { member: { role: 'ReadOnly', plan: fullPlan } },
    },
    {
      name: 'an Admin without an authenticator',
      authorization: noFactor.headers.authorization,
      refusedAs: 'MFA_REQUIRED',
    },
  ];
});
afterAll(() => server?.close());

/** Undefined = let in. */
function expected(id: RouteId, route: Route, visitor: Visitor): ErrorCode | undefined {
  const { access } = route;
  switch (access.kind) {
    case 'public':
      return undefined;
    case 'source':
      return visitor.refusedAs === 'TOKEN_MISSING' ? 'TOKEN_MISSING' : 'TOKEN_INVALID';
    case 'identity':
      // Whoever a provider vouches for, before a second factor and without a membership; keys are nobody's identity.
      if (visitor.name.includes('API key')) return 'TOKEN_INVALID';
      return visitor.refusedAs === 'MFA_REQUIRED' ? undefined : visitor.refusedAs;
    case 'signed_in':
      if (visitor.refusedAs === 'MFA_REQUIRED' && id === 'me.get') return undefined;
      // A rule of its own of these routes: keys are managed by people.
      if (
        visitor.name.includes('API key') &&
        visitor.known &&
        (/^(?:api-keys|home-layout)\./.test(id) || ['me.update', 'me.delete', 'notifications.slack'].includes(id))
      )
        return 'ROLE_TOO_LOW';
      return visitor.refusedAs;
    case 'tenant':
      if (visitor.refusedAs !== undefined) return visitor.refusedAs;
      return visitor.known?.member ? refusal(access, visitor.known.member) : 'TENANT_FORBIDDEN';
  }
}

function addressOf(route: Route, tenantId: string): string {
  return route.path.replace('{tenant}', tenantId).replace(/\{\w+\}/g, () => v7());
}

/** Sends a body no schema takes, so that whoever is let in changes nothing. */
async function call(route: Route, visitor: Visitor, tenantId: string) {
  const answer = await server.inject({
    method: route.method,
    url: addressOf(route, tenantId),
    headers: visitor.authorization === undefined ? {} : { authorization: visitor.authorization },
    ...(route.method === 'GET' ? {} : { payload: { no_schema_takes_this: true } }),
    payloadAsStream: true,
  });
  const streams = String(answer.headers['content-type']).startsWith('text/event-stream');
  const chunks: Buffer[] = [];
  if (streams) answer.stream().destroy();
  else for await (const chunk of answer.stream()) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return { status: answer.statusCode, headers: answer.headers, text };
}

function guardCodeOf(text: string): string | undefined {
  const { code } = text.startsWith('{') ? (JSON.parse(text) as { code?: unknown }) : {};
  return typeof code === 'string' && guardCodes.has(code) ? code : undefined;
}

describe('authorization', () => {
  it('serves every row of the route table', () => {
    expect([...server.composition.app.routes].sort()).toEqual(Object.keys(routeTable).sort());
  });

  it('lets everybody into exactly what the table says, on every route', async () => {
    const { routes } = server.composition.app;
    expect(routes.length).toBeGreaterThan(5);
    const surprises: string[] = [];
    for (const id of routes) {
      const route: Route = routeTable[id];
      for (const visitor of visitors) {
        const { status, text } = await call(route, visitor, visitor.tenant ?? tenant);
        const wanted = expected(id, route, visitor);
        const got = guardCodeOf(text);
        if (got !== wanted || status >= 500)
          surprises.push(`${id}, ${visitor.name}: ${got ?? status}, not ${wanted ?? 'let in'}`);
      }
    }
    expect(surprises).toEqual([]);
  });

  it('decides every row of the table by its access, whatever its handler would do', async () => {
    const surprises: string[] = [];
    for (const [id, route] of Object.entries(routeTable) as [RouteId, Route][]) {
      // Who may send events is decided by the door itself, from the source's own token.
      if (route.access.kind === 'source') continue;
      for (const visitor of visitors) {
        const request = {
          id: v7(),
          headers: visitor.authorization === undefined ? {} : { authorization: visitor.authorization },
          params: { tenant: visitor.tenant ?? tenant },
        } as unknown as FastifyRequest;
        const got = await server.composition.app.authorization.decide({ id, access: route.access }, request).then(
          () => undefined,
          (error: unknown) => (error instanceof AppError ? error.code : 'CRASH'),
        );
        const wanted = expected(id, route, visitor);
        if (got !== wanted) surprises.push(`${id}, ${visitor.name}: ${got ?? 'let in'}, not ${wanted ?? 'let in'}`);
      }
    }
    expect(surprises).toEqual([]);
  });

  it('answers for a foreign tenant byte by byte as for one that does not exist, on every route', async () => {
    const outsider = visitors.find((visitor) => visitor.name === "another tenant's Admin");
    if (outsider === undefined) throw new Error('The visitor is missing.');
    for (const id of server.composition.app.routes) {
      const route: Route = routeTable[id];
      if (route.access.kind !== 'tenant') continue;
      const answers = [];
      for (const tenantId of [tenant, v7(), 'not-an-id']) {
        const { status, headers, text } = await call(route, outsider, tenantId);
        const { 'x-request-id': _id, date: _date, ...rest } = headers;
        answers.push({ status, rest, text: text.replace(/"request_id":"[^"]+"/, '') });
      }
      expect(answers[0], id).toMatchObject({ status: 403 });
      expect(answers[1], id).toEqual(answers[0]);
      expect(answers[2], id).toEqual(answers[0]);
    }
  });

  it('takes a role away with the next request', async () => {
    const actor = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const ask = async () => (await server.inject({ url: `/api/tenants/${tenant}`, headers: actor.headers })).statusCode;
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    expect(await ask()).toBe(200);
    await server.stores.database.system((tx) =>
      server.composition.tenants.removeMembership(tx, { tenant, user: actor.id }, by),
    );
    expect(await ask()).toBe(403);
  });

  it('audits refused attempts, and does not let one caller fill the audit', async () => {
    const mine = await server.createTenant();
    const actor = await server.createActor({ home: mine, roles: { [mine]: 'ReadOnly' } });
    for (let n = 0; n < 30; n++) {
      expect((await server.inject({ url: `/api/tenants/${tenant}`, headers: actor.headers })).statusCode).toBe(403);
    }
    await server.composition.refusals.tellCounts({ all: true });
    const records = await server.stores.database.system((tx) =>
      tx
        .selectFrom('audit_record')
        .selectAll()
        .where('tenant_id', '=', mine)
        .where('outcome', '=', 'refused')
        .orderBy('sequence')
        .execute(),
    );
    const refused = {
      actor_kind: 'user',
      actor_id: actor.id,
      action: 'route.call',
      target_id: 'tenants.get',
      code: 'TENANT_FORBIDDEN',
    };
    expect(records).toMatchObject([
      { ...refused, data: {} },
      { ...refused, data: { repeated: 29 } },
    ]);
  });
});
