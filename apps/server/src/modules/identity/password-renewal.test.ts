import { randomBytes } from 'node:crypto';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { createTestDatabase } from '../../storage/test-database.ts';
import { createPasswordCost } from './password-cost.ts';
import { passwordCostMigrations } from './password-cost-migrations.ts';
import { createPasswordHashes, olderCost } from './password-hash.ts';
import { createPasswordStore } from './password-store.ts';
import { createTestBrowser } from './test-browser.ts';

/** More work than that of the older hashes, and a fraction of their memory. */
const passwordCost = { n: 2 ** 12, r: 8, p: 9 };

let server: TestServer;
let home: string;
let owner: pg.Pool;

beforeAll(async () => {
  server = await createTestServer({ passwordCost });
  home = await server.createTenant();
  owner = new pg.Pool({ connectionString: server.stores.url });
});
afterAll(async () => {
  await owner?.end();
  await server?.close();
});

const hashOf = async ({ id }: Actor) =>
  (
    await owner.query<{ password: string; version: number; userId: string }>(
      `select a."password", u."passwordVersion" as version, u."id" as "userId"
       from identity."account" a join identity."user" u on u."id" = a."userId" where u."externalId" = $1`,
      [id],
    )
  ).rows[0];

/** Somebody whose password was hashed by a release until 1.14.2. */
async function olderAccount(): Promise<Actor> {
  const actor = await server.createActor({ home, roles: { [home]: 'Analyst' }, mfa: false });
  await owner.query('update identity."account" set "password" = $2 where "userId" = $1', [
    (await hashOf(actor))?.userId,
    await hashPassword(actor.password),
  ]);
  return actor;
}

const signIn = (actor: Actor, password = actor.password) =>
  createTestBrowser(server).post('/sign-in/email', { email: actor.email, password });

it('hashes an older password anew at the next sign-in that is right, and ends nothing by it', async () => {
  const actor = await olderAccount();
  const before = await hashOf(actor);
  expect((await signIn(actor, 'not the password')).status).toBe(401);
  expect(await hashOf(actor)).toEqual(before);
  const first = createTestBrowser(server);
  expect((await first.signIn(actor)).body).toEqual({ signedIn: true });
  const after = await hashOf(actor);
  expect(after?.password).toMatch(/^\$scrypt\$ln=12,r=8,p=9\$/);
  expect(after?.version).toBe(before?.version);
  expect((await signIn(actor)).body).toEqual({ signedIn: true });
  expect(await first.bearer()).toBeDefined();
  expect(await hashOf(actor)).toEqual(after);
});

it('does so before the second factor is asked for, which many accounts have', async () => {
  const actor = await server.createActor({ home, roles: { [home]: 'Analyst' } });
  await owner.query('update identity."account" set "password" = $2 where "userId" = $1', [
    (await hashOf(actor))?.userId,
    await hashPassword(actor.password),
  ]);
  expect((await signIn(actor)).body).toMatchObject({ twoFactorRedirect: true });
  expect((await hashOf(actor))?.password).toMatch(/^\$scrypt\$/);
});

it('leaves a password alone that was set while the one before was looked at', async () => {
  const actor = await olderAccount();
  const { userId = '', version = 0 } = (await hashOf(actor)) ?? {};
  const store = createPasswordStore({
    pool: owner,
    hashes: createPasswordHashes({ cost: async () => passwordCost, randomBytes }),
    limit: (work) => work(),
    now: () => new Date(),
  });
  // By a process of the release before: its hash is an older one as well.
  const newer = await hashPassword('another harbour, other ships');
  await owner.query('update identity."account" set "password" = $2 where "userId" = $1', [userId, newer]);
  await owner.query('update identity."user" set "passwordVersion" = "passwordVersion" + 1 where "id" = $1', [userId]);
  await store.renew({ identityUserId: userId, version }, actor.password);
  expect((await hashOf(actor))?.password).toBe(newer);
});

it('an installation that has passwords makes hashes the release before verifies, for a day; a new one does not', async () => {
  const stores = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: stores.url });
  const at = async (hours: number) => {
    const now = () => new Date(Date.now() + hours * 3_600_000);
    return await createPasswordCost({ pool, now, cost: passwordCost })();
  };
  expect(await at(0)).toBe(passwordCost);
  await pool.query('drop table identity.password_hashing');
  await pool.query(
    `insert into identity."user" ("id", "name", "email", "emailVerified", "externalId") values ('1', '', 'a@b.example', true, '1')`,
  );
  await pool.query(
    `insert into identity."account" ("id", "accountId", "providerId", "userId", "password", "updatedAt")
     values ('1', '1', 'credential', '1', 'x', now())`,
  );
  const statements: string[] = [];
  passwordCostMigrations[0]?.up((text: string) => statements.push(text));
  for (const statement of statements) await pool.query(statement);
  expect(await at(0)).toBe(olderCost);
  expect(await at(25)).toBe(passwordCost);
  const hashes = createPasswordHashes({ cost: () => at(0), randomBytes });
  const hash = await hashes.make('a harbour full of ships');
  expect(await verifyPassword({ hash, password: 'a harbour full of ships' })).toBe(true);
  await pool.end();
  await stores.close();
});
