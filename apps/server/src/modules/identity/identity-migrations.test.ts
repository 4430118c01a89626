import { randomBytes } from 'node:crypto';
import { getMigrations } from 'better-auth/db/migration';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, quietLog, type TestDatabase } from '../../storage/test-database.ts';
import { createAttemptGuard } from './attempt-guard.ts';
import { openIdentityPool } from './identity-pool.ts';
import { createPasswordHashes, presentCost } from './password-hash.ts';
import { signInOptions } from './sign-in-provider.ts';

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores?.close());

it('our migration makes every table the sign-in provider asks for', async () => {
  const pool = openIdentityPool({ url: stores.url, log: quietLog });
  const now = () => new Date();
  const options = signInOptions({
    pool,
    guard: createAttemptGuard({ pool, now }),
    hashes: createPasswordHashes({ cost: async () => presentCost, randomBytes }),
    now,
    secret: 'x'.repeat(48),
    secure: false,
    productName: 'AIRdeck',
    ids: () => '1',
    sessionIdleS: 1_800,
    log: quietLog,
  });
  const missing = await getMigrations(options, { throwOnUnsafe: false });
  await pool.end();
  expect({ ...missing, runMigrations: undefined, compileMigrations: undefined }).toMatchObject({
    toBeCreated: [],
    toBeAdded: [],
    toBeAddedIndexes: [],
    unsafeChanges: [],
    schemaProblems: [],
  });
});

it('keeps password hashes out of reach of every transaction of a tenant', async () => {
  const read = stores.database.tenant('01a1fb94-b561-76ac-8033-bf029575ae58', (tx) =>
    tx
      .selectFrom('identity.account' as never)
      .selectAll()
      .execute(),
  );
  await expect(read).rejects.toMatchObject({ code: '42501' });
});
