import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { auditOf } from '../users/users-fixture.ts';

let server: TestServer;

beforeAll(async () => {
  server = await createTestServer({ env: { TARGET_STAGE: 'prod', PRODUCT_NAME: 'Watchtower' } });
});
afterAll(() => server?.close());

const ticketOf = (link: string | undefined) => new URL(link ?? '').searchParams.get('__clerk_ticket') ?? '';

function auth(path: string, payload: object) {
  return server.inject({ method: 'POST', url: `/auth${path}`, payload, headers: { origin: 'http://localhost:80' } });
}

describe('the set-up of an installation', () => {
  it('gives out one link that counts, also when two start at once, and a new one with every start', async () => {
    const { openSetUp } = server.composition;
    const links = await Promise.all([openSetUp(), openSetUp(), openSetUp()]);
    const answers = await Promise.all(links.map((link) => auth('/ticket', { ticket: ticketOf(link) })));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const later = await openSetUp();
    expect((await auth('/ticket', { ticket: ticketOf(later) })).json()).toEqual({
      email: '',
      fullname: '',
      tenant_name: 'Watchtower',
      role: 'Admin',
      account: 'new',
      only_connections: null,
    });
    for (const link of links) {
      expect((await auth('/ticket', { ticket: ticketOf(link) })).json()).toMatchObject({ code: 'TICKET_INVALID' });
    }
    const tenants = await server.stores.database.system((tx) =>
      tx.selectFrom('tenant').select(['name', 'is_provider']).execute(),
    );
    expect(tenants).toEqual([{ name: 'Watchtower', is_provider: true }]);
  });

  it('makes whoever has the link the first Admin, once, and then there is no link any more', async () => {
    const { openSetUp } = server.composition;
    const ticket = ticketOf(await openSetUp());
    const person = { ticket, fullname: 'First Admin', password: 'a harbour full of ships' };
    expect((await auth('/sign-up/ticket', person)).json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'body.email' }],
    });
    const signedUp = await auth('/sign-up/ticket', { ...person, email: 'First@Example.com' });
    expect(signedUp.json()).toEqual({ signedIn: true });
    // A mistyped address is no dead end: the ticket is good until it was accepted.
    const second = await auth('/sign-up/ticket', { ...person, email: 'second@example.com' });
    expect(second.json()).toEqual({ signedIn: true });
    const tokens = [];
    for (const { headers } of [signedUp, second]) {
      const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
      tokens.push((await server.inject({ url: '/auth/token', headers: { cookie } })).json<{ token: string }>().token);
    }
    const answers = await Promise.all(
      tokens.map((token) =>
        server.inject({
          method: 'POST',
          url: '/signup/invite',
          headers: { authorization: `Bearer ${token}` },
          payload: { ticket },
        }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
    const { tenant } = answers.find(({ statusCode }) => statusCode === 200)?.json<{ tenant: string }>() ?? {};
    expect(await auditOf(server, String(tenant), 'invitation.accept')).toHaveLength(1);
    expect(await openSetUp()).toBeUndefined();
  });
});
