import fc from 'fast-check';
import pg from 'pg';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../storage/test-database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { createAuditService } from './audit-service.ts';

/** What somebody with the database's own password may do to one chain, and whether it is found. */

const RECORDS = 24;
const RUNS = process.env.AIRDECK_FULL === undefined ? 200 : 1_000;

let stores: TestDatabase;
let owner: pg.Client;
const tenant = v7();
const audit = createAuditService({ now: () => new Date() });

beforeAll(async () => {
  stores = await createTestDatabase();
  owner = new pg.Client({ connectionString: stores.url });
  await owner.connect();
  for (let n = 1; n <= RECORDS; n++) {
    await stores.database.tenant(tenant, (tx) =>
      audit.record(tx, {
        tenant,
        actor: { kind: 'user', id: v7(), name: `user${n}@example.com` },
        action: 'case.update',
        target: { kind: 'case', id: v7() },
        outcome: n % 3 === 0 ? 'refused' : 'ok',
        data: { n, list: [n, { deep: `value ${n}` }] },
        request_id: v7(),
      }),
    );
  }
  await owner.query('create table as_written as select * from audit_record');
});
afterAll(async () => {
  await owner?.end();
  await stores?.close();
});

const place = fc.integer({ min: 1, max: RECORDS });
const word = fc.string({ minLength: 1, maxLength: 8 }).map((text) => `x${text.replaceAll('\u0000', '')}`);

/** A new value by column, different from what is there. */
const edits: Readonly<Record<string, fc.Arbitrary<string | number | null>>> = {
  actor_kind: fc.constantFrom('system', 'api_key'),
  actor_id: fc.constantFrom(null, v7()),
  actor_name: word,
  action: fc.constantFrom('case.delete', 'user.update'),
  target_kind: fc.constantFrom('user', 'tenant'),
  target_id: fc.constantFrom(null, v7()),
  code: fc.constantFrom('ROLE_TOO_LOW', 'CONFLICT'),
  request_id: fc.constantFrom(null, v7()),
  data: word.map((text) => JSON.stringify({ text })),
  at: fc.integer({ min: 1, max: 1e9 }).map((ms) => new Date(ms).toISOString()),
  // The first record follows on zeros.
  previous_hash: fc.constant('a'.repeat(64)),
  hash: fc.constant('f'.repeat(64)),
};

type Statement = { text: string; values: unknown[] };

const edited = fc
  .constantFrom(...Object.keys(edits))
  .chain((column) => fc.tuple(place, edits[column] ?? word).map(([at, value]) => ({ column, at, value })))
  .map(({ column, at, value }): Statement[] => [
    {
      text: `update audit_record set ${column} = $3 where tenant_id = $1 and sequence = $2`,
      values: [tenant, at, value],
    },
  ]);

const removed = fc.tuple(place, fc.integer({ min: 1, max: RECORDS })).map(([from, count]): Statement[] => [
  {
    text: 'delete from audit_record where tenant_id = $1 and sequence >= $2 and sequence < $2 + $3::int',
    values: [tenant, from, count],
  },
]);

/** Those behind it make room, as whoever forges would do it; away from their numbers, which are taken until all have moved. */
const inserted = fc.tuple(place, place, word).map(([copy, before, name]): Statement[] => [
  {
    text: 'update audit_record set sequence = sequence + 1001 where tenant_id = $1 and sequence >= $2',
    values: [tenant, before],
  },
  {
    text: `insert into audit_record select * from jsonb_populate_record(null::audit_record, (
      select to_jsonb(w) || jsonb_build_object('sequence', $3::int, 'actor_name', $4::text)
      from as_written w where tenant_id = $1 and sequence = $2))`,
    values: [tenant, copy, before, name],
  },
  {
    text: 'update audit_record set sequence = sequence - 1000 where tenant_id = $1 and sequence > 1000',
    values: [tenant],
  },
]);

const swapped = fc
  .tuple(place, place)
  .filter(([one, other]) => one !== other)
  .map(([one, other]): Statement[] => [
    {
      text: `update audit_record set sequence = 1000 + case when sequence = $2::int then $3::int else $2::int end
        where tenant_id = $1 and sequence in ($2::int, $3::int)`,
      values: [tenant, one, other],
    },
    {
      text: 'update audit_record set sequence = sequence - 1000 where tenant_id = $1 and sequence > 1000',
      values: [tenant],
    },
  ]);

const verify = () => stores.database.tenant(tenant, (tx) => audit.verify(tx, trustedTenantScope(tenant)));

it('finds records that were edited, taken out, put in or exchanged, wherever and however', {
  timeout: 300_000,
}, async () => {
  expect(await verify()).toMatchObject({ intact: true, records: RECORDS });
  await fc.assert(
    fc.asyncProperty(fc.oneof(edited, removed, inserted, swapped), async (statements) => {
      await owner.query('alter table audit_record disable trigger all');
      for (const { text, values } of statements) {
        await owner.query(text, values);
      }
      const verdict = await verify();
      await owner.query('delete from audit_record');
      await owner.query('insert into audit_record select * from as_written');
      expect(verdict.intact).toBe(false);
    }),
    { numRuns: RUNS },
  );
  expect(await verify()).toMatchObject({ intact: true, records: RECORDS });
});
