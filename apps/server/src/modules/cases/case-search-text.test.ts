import type { StoredEvent } from '@airdeck/contracts/events/event';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantScope } from '../../tenant-scope.ts';
import {
  burstOf,
  createDetectionFixture,
  type DetectionFixture,
  failedLogin,
  guessingRule,
} from '../detection/detection-fixture.ts';
import { caseValues } from './case-search-text.ts';

let fixture: DetectionFixture;
let tenant: TenantScope;

beforeAll(async () => {
  fixture = await createDetectionFixture();
});
afterAll(() => fixture.close());

beforeEach(async () => {
  tenant = await fixture.newTenant();
});

describe('a search for cases with a value', () => {
  const found = async (q: string) => {
    const query = { limit: 100, page: 1, sort: 'time_opened', q } as const;
    const { cases } = await fixture.db.tenant(tenant.tenantId, (tx) => fixture.cases.service.list(tx, tenant, query));
    return cases.map(({ id }) => id);
  };
  const textOf = async (id: string) => {
    const { search_text: text } = await fixture.db.tenant(tenant.tenantId, (tx) =>
      tx.selectFrom('case_record').select('search_text').where('id', '=', id).executeTakeFirstOrThrow(),
    );
    return text;
  };
  const opened = async (parts: Partial<StoredEvent>) => {
    await fixture.createPolicy(tenant, guessingRule());
    await fixture.ingest(burstOf(tenant, { count: 5, ...parts }));
    const [only] = await fixture.casesOf(tenant);
    if (only === undefined) throw new Error('No case was opened.');
    return only.id;
  };
  const hash = 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855';
  const values = ['Ana.Lima@example.com', 'web-7.example.com', '203.0.113.7', '198.51.100.20', hash];
  const parts = {
    ...{ user: 'Ana.Lima@example.com', host: 'web-7.example.com', dst_ip: '198.51.100.20' },
    fields: { file: { hash: { sha256: hash } } },
  };

  test('finds those whose events name the user, the host, an address or a hash', async () => {
    const id = await opened(parts);
    for (const value of values) expect(await found(value), value).toEqual([id]);
    expect(await found('nobody@example.com')).toEqual([]);
    await fixture.ingest([failedLogin(tenant, 30, { user: 'late.joiner' })]);
    expect(await found('late.joiner')).toEqual([id]);
  });

  test('finds them also after somebody changed the case, or left it', async () => {
    const id = await opened(parts);
    const by = { actor: { kind: 'user', id: 'u-1', name: 'ana@example.com' }, requestId: null } as const;
    await fixture.db.tenant(tenant.tenantId, (tx) =>
      fixture.cases.service.update(tx, tenant, { id, update: { tags: ['seen'] }, by }),
    );
    for (const value of [...values, 'seen']) expect(await found(value), value).toEqual([id]);
    const text = await textOf(id);
    await fixture.db.system((tx) =>
      sql`update case_record set assignee = 'ada@example.com' where id = ${id}`.execute(tx),
    );
    const from = [{ tenant: tenant.tenantId, by: 'boss@example.com' }];
    await fixture.db.system((tx) => fixture.cases.people.unassign(tx, 'ada@example.com', from));
    expect(await textOf(id)).toBe(text);
  });

  test('is answered by a text that does not grow without end: each value once, and of very many the first', async () => {
    const id = await opened({ user: 'user-0' });
    const burst = (fromS: number, userOf: (n: number) => string) =>
      Array.from({ length: 300 }, (_, n) => failedLogin(tenant, fromS + n, { user: userOf(n) }));
    await fixture.ingest(burst(20, (n) => `user-${n}`));
    await fixture.ingest(burst(400, (n) => `user-${n % 7}`));
    await fixture.ingest(burst(800, (n) => `user-${300 + n}`));
    const named = (await textOf(id)).split('\n').filter((line) => /^user-\d+$/.test(line));
    expect(named.length).toBeGreaterThan(90);
    expect(named.length).toBeLessThanOrEqual(caseValues.max);
    expect(new Set(named).size).toBe(named.length);
    expect(await found('user-9')).toEqual([id]);
  });

  test('is answered by a text of bounded length, however long the values are', async () => {
    const id = await opened({ user: 'root' });
    const before = await textOf(id);
    const long = Array.from({ length: 90 }, (_, n) => failedLogin(tenant, 20 + n, { user: `${n}${'x'.repeat(250)}` }));
    await fixture.ingest(long);
    const text = await textOf(id);
    expect(text.length).toBeGreaterThan(before.length + caseValues.maxCharacters / 2);
    expect(text.length).toBeLessThanOrEqual(before.length + caseValues.maxCharacters);
  });
});
