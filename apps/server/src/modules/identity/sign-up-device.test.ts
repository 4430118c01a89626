import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { sqlClient } from '../../storage/database.ts';
import { call, invitationTo, usersOf } from '../users/users-fixture.ts';
import { createTestBrowser } from './test-browser.ts';

const PASSWORD = 'a harbour full of ships';

let server: TestServer;
let tenant: string;
let admin: Actor;

beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
});
afterAll(() => server?.close());

/** Somebody who accepted an invitation in a browser of that address. */
async function joined(email: string, remoteAddress: string) {
  await call(server, admin, usersOf(tenant).invite({ email, fullname: 'Ana Souza', role: 'Analyst' }));
  const { ticket } = await invitationTo(server, email);
  const browser = createTestBrowser(server, remoteAddress);
  expect(await browser.post('/sign-up/ticket', { ticket, fullname: 'Ana Souza', password: PASSWORD })).toMatchObject({
    body: { signedIn: true },
  });
  const headers = await browser.bearer();
  if (headers === undefined) throw new Error('Not signed in.');
  const accepted = await call(server, { headers }, { method: 'POST', url: '/signup/invite', payload: { ticket } });
  expect(accepted.status).toBe(200);
}

/** What people were told about accounts, whether it has reached them yet or not. */
async function told(): Promise<string[]> {
  const { rows } = await server.stores.database.system((tx) =>
    sqlClient(tx).query<{ text: string }>(
      `select text from notification_event where kind = 'account_security'
       union all select text from notification where kind = 'account_security'`,
    ),
  );
  return rows.map(({ text }) => text);
}

it('the device of the sign-up is a known one, so that the first foreign sign-in is told', async () => {
  const email = 'ana@harbour.example';
  await joined(email, '192.0.2.7');
  const [own, foreign] = [createTestBrowser(server, '192.0.2.9'), createTestBrowser(server, '198.51.100.4')];
  expect((await own.post('/sign-in/email', { email, password: PASSWORD })).status).toBe(200);
  expect(await told()).toEqual([]);
  expect((await foreign.post('/sign-in/email', { email, password: PASSWORD })).status).toBe(200);
  expect(await told()).toEqual([expect.stringContaining('198.51.100.4')]);
});

it('also when nobody signed in from it again', async () => {
  const before = (await told()).length;
  await joined('rui@harbour.example', '192.0.2.7');
  const foreign = createTestBrowser(server, '198.51.100.4');
  await foreign.post('/sign-in/email', { email: 'rui@harbour.example', password: PASSWORD });
  expect((await told()).length).toBe(before + 1);
});
