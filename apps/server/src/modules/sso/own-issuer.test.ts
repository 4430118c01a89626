/** The operator's issuer may be on this machine. What it opens there is for the installation's own sign-in only. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { call } from '../users/users-fixture.ts';
import { CLIENT, createIssuerFixture, type IssuerFixture } from './issuer-fixture.ts';

let issuers: IssuerFixture;
let server: TestServer;

beforeAll(async () => {
  issuers = await createIssuerFixture(['one', 'two'], 'http://localhost:4000/auth/external/callback');
  server = await createTestServer({
    env: { SSO_ISSUER: issuers.issuer('one'), SSO_CLIENT_ID: CLIENT.id, SSO_CLIENT_SECRET: CLIENT.secret },
  });
});
afterAll(async () => {
  await server?.close();
  await issuers?.stop();
});

it('signs people in through it', async () => {
  const answer = await server.inject({
    ...{ method: 'POST', url: '/auth/external/start', headers: { origin: 'http://localhost:80' } },
    payload: { connection: 'sso', purpose: { for: 'sign_in' } },
  });
  expect({ status: answer.statusCode, ...answer.json() }).toMatchObject({
    status: 200,
    url: expect.stringContaining(issuers.issuer('one')),
  });
});

it.each(['one', 'two'])('lets no tenant reach it through a connection of theirs, at /%s', async (name) => {
  const tenant = await server.createTenant();
  const admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  const url = `/api/tenants/${tenant}/settings/sso`;
  const payload = { kind: 'oidc', label: 'Mine', issuer: issuers.issuer(name), client_id: CLIENT.id };
  const { body } = await call(server, admin, { method: 'POST', url, payload });
  const tested = await call(server, admin, { method: 'POST', url: `${url}/${String(body.id)}/test` });
  expect(tested).toMatchObject({ status: 200, body: { ok: false, message: expect.stringContaining('not allowed') } });
});

it('lets nobody else call it: not the reachability check either', async () => {
  const tenant = await server.createTenant();
  const admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  const checked = await call(server, admin, {
    ...{ method: 'POST', url: `/api/tenants/${tenant}/onboarding/reachability_check` },
    payload: { url: issuers.issuer('one') },
  });
  expect(checked).toMatchObject({ status: 200, body: { reachable: false } });
});
