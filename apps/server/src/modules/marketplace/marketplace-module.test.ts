import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServer } from '../../http/test-server.ts';
import { createMarketplaceFixture, type Fixture } from './marketplace-fixture.ts';

let fixture: Fixture;
const lines: string[] = [];

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  fixture = await createMarketplaceFixture({ log });
});
afterAll(() => fixture?.close());

describe('the token of a purchase', () => {
  it('stands in no log, no audit record, no row and no answer, whatever goes wrong', async () => {
    const [owner, other] = [await fixture.visitor(), await fixture.visitor()];
    const { token } = fixture.standIn.buy({ email: owner.email });
    const secret = token.slice(0, 36);
    const answers: { body: string; headers: object }[] = [];
    const tryAll = async () => {
      answers.push(await fixture.details(owner, token), await fixture.activate(other, token));
      answers.push(
        await fixture.details({ headers: {} }, token),
        await fixture.activate(owner, token, { wrong: true }),
      );
      answers.push(await fixture.details(owner, `${token}%zz`), await fixture.details(owner, `${token}\n`));
      answers.push(await fixture.activate(owner, token));
    };
    for (const failure of [
      { status: 500, body: `{"error":{"code":"${secret}","message":"${secret}"}}` },
      { status: 403, body: secret },
      { status: 200, body: `{"id":"${secret}"}` },
      { gone: 'cut' as const },
    ]) {
      fixture.standIn.fail('resolve', failure, 7);
      await tryAll();
    }
    await fixture.server.inject({ url: `/signup/azure/?token=${encodeURIComponent(token)}` });
    await fixture.server.inject({ url: `/external_providers/azure_marketplace/%ff?token=${token}` });
    await tryAll();
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    expect(answers.filter(({ body, headers }) => `${body}${JSON.stringify(headers)}`.includes(secret))).toEqual([]);
    const rows = await fixture.server.stores.database.system(async (tx) => [
      await tx.selectFrom('audit_record').selectAll().execute(),
      await tx.selectFrom('marketplace_subscription').selectAll().execute(),
      await tx.selectFrom('mail').selectAll().execute(),
    ]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(lines.filter((line) => line.includes('a client secret of the tests'))).toEqual([]);
  });

  it('lets a buyer, and nobody without one, sign up by e-mail', async () => {
    const { token } = fixture.standIn.buy({ email: 'buyer@contoso.example' });
    const signUp = (purchase_token: string) =>
      fixture.server.inject({
        method: 'POST',
        url: '/auth/sign-up/email',
        headers: { origin: 'http://localhost:80' },
        payload: {
          email: 'buyer@contoso.example',
          fullname: 'Ana',
          password: 'a harbour full of ships',
          purchase_token,
        },
      });
    expect((await signUp('made up')).json()).toMatchObject({ code: 'MARKETPLACE_TOKEN_INVALID' });
    expect((await signUp(token)).json()).toEqual({ sent: true });
    fixture.standIn.fail('resolve', { status: 500 });
    expect((await signUp('another')).json()).toMatchObject({ code: 'MARKETPLACE_UNAVAILABLE' });
    await fixture.server.composition.identity.settled();
  });
});

describe('an installation that sells nothing', () => {
  it('says so, and believes no notice', async () => {
    const server = await createTestServer();
    const home = await server.createTenant();
    const { headers } = await server.createActor({ home, roles: { [home]: 'Admin' } });
    const path = '/external_providers/azure_marketplace';
    const calls = [
      { url: `${path}/signup_details?token=x`, headers },
      { method: 'POST' as const, url: `${path}/activate?token=x`, headers, payload: {} },
      { method: 'POST' as const, url: `${path}/webhook`, payload: { id: 'a', subscriptionId: 'b', action: 'Suspend' } },
    ];
    for (const call of calls) {
      const answer = await server.inject(call);
      expect(answer.json()).toMatchObject({
        code: 'MARKETPLACE_UNAVAILABLE',
        message: 'This installation is not connected to the Azure Marketplace.',
      });
    }
    await server.close();
  });
});
