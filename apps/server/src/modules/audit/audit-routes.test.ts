import {
  type AuditPage,
  auditPageSchema,
  auditRecordSchema,
  auditVerdictSchema,
} from '@airdeck/contracts/audit/schema';
import { sql } from 'kysely';
import pg from 'pg';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { AuditEntry } from './audit-log.ts';
import { findRecords } from './audit-reads.ts';

let server: TestServer;
let owner: pg.Client;
let origin: string;
let tenant: string;
let admin: Actor;

beforeAll(async () => {
  server = await createTestServer();
  origin = await server.composition.app.server.listen({ host: '127.0.0.1', port: 0 });
  owner = new pg.Client({ connectionString: server.stores.url });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await server?.close();
});
beforeEach(async () => {
  tenant = await server.createTenant();
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
});

/** Any action: what is read is not limited to what this release records. */
function entry(change: Omit<Partial<AuditEntry>, 'action'> & { action?: string } = {}): AuditEntry {
  const made = {
    tenant,
    actor: { kind: 'user', id: v7(), name: 'ana@example.com' },
    action: 'case.update',
    target: { kind: 'case', id: v7() },
    outcome: 'ok',
    request_id: null,
    ...change,
  };
  return made as AuditEntry;
}

const record = (...entries: AuditEntry[]) =>
  server.stores.database.tenant(tenant, (tx) => server.composition.audit.recordAll(tx, entries));

async function call(path: string, who = admin) {
  const answer = await server.inject({ url: `/api/tenants/${tenant}/audit${path}`, headers: who.headers });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body };
}

async function list(query: Record<string, string> = {}, who = admin): Promise<AuditPage> {
  const answer = await call(`?${new URLSearchParams(query)}`, who);
  expect(answer.status).toBe(200);
  return auditPageSchema.parse(JSON.parse(answer.text));
}

describe('the list of records', () => {
  it('comes newest first, page by page, without gap or repetition while records are added', async () => {
    await record(...Array.from({ length: 25 }, (_, n) => entry({ action: `test.number_${n}` })));
    const seen: number[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await list({ limit: '10', ...(cursor ? { cursor } : {}) });
      seen.push(...page.records.map(({ sequence }) => sequence));
      cursor = page.cursor;
      await record(entry());
    } while (cursor !== null);
    const [newest = 0] = seen;
    expect(seen).toEqual(Array.from({ length: newest }, (_, n) => newest - n));
  });

  it('is filtered by actor, action, target, outcome and time', async () => {
    const target = v7();
    const actor = v7();
    await record(
      entry({ action: 'user.set_role', actor: { kind: 'user', id: actor, name: 'Bea@Example.com' } }),
      entry({ action: 'user.remove', target: { kind: 'user', id: target } }),
      entry({ action: 'userland.other', outcome: 'refused', code: 'ROLE_TOO_LOW' }),
    );
    const found = async (query: Record<string, string>) =>
      (await list(query)).records.map(({ action }) => action).filter((action) => action.startsWith('user'));
    expect((await found({ action: 'user.' })).slice(0, 2)).toEqual(['user.remove', 'user.set_role']);
    expect(await found({ action: 'user.' })).not.toContain('userland.other');
    expect(await found({ action: 'user.set_role' })).toEqual(['user.set_role']);
    expect(await found({ actor: 'bea@' })).toEqual(['user.set_role']);
    expect(await found({ actor })).toEqual(['user.set_role']);
    expect(await found({ target })).toEqual(['user.remove']);
    expect(await found({ target: 'user' })).toContain('user.remove');
    expect(await found({ outcome: 'refused' })).toEqual(['userland.other']);
    expect(await found({ start_time: '2100-01-01T00:00:00Z' })).toEqual([]);
    expect(await found({ end_time: '2000-01-01T00:00:00Z' })).toEqual([]);
    expect(await found({ start_time: '2000-01-01T00:00:00+02:00', action: 'user.remove' })).toEqual(['user.remove']);
  });

  it.each([
    ['wildcards', { actor: '%' }],
    ['wildcards of one letter', { actor: '___@' }],
    ['a backslash', { actor: '\\' }],
    ['wildcards in the action', { action: '%' }],
    ['SQL', { action: "' or true --" }],
    ['a character the store cannot hold', { target: 'a\u0000b' }],
  ])('takes %s for text', async (_name, query) => {
    await record(entry());
    expect((await list(query)).records).toEqual([]);
  });

  it.each([
    ['cursor=abc'],
    ['cursor=-1'],
    ['cursor=1e3'],
    ['cursor=99999999999999999999'],
    ['outcome=maybe'],
    ['start_time=yesterday'],
    ['unknown=1'],
    ['limit=0'],
  ])('refuses %s', async (query) => {
    expect((await call(`?${query}`)).status).toBe(400);
  });

  it.each(['', '/export'])('refuses a time that is turned round, and names where it begins: %s', async (path) => {
    const { status, text } = await call(`${path}?start_time=2026-03-02T00:00:00Z&end_time=2026-03-01T00:00:00Z`);
    expect([status, text]).toEqual([400, expect.stringContaining('"path":"query.start_time"')]);
  });

  it('shows nothing of another tenant, and nothing to who is no Admin', async () => {
    const foreign = v7();
    await record(entry({ target: { kind: 'case', id: foreign } }));
    const other = await server.createTenant();
    const stranger = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
    expect((await call('', stranger)).status).toBe(403);
    const theirs = await server.inject({
      url: `/api/tenants/${other}/audit?target=${foreign}`,
      headers: stranger.headers,
    });
    expect(theirs.json()).toEqual({ records: [], cursor: null });
    const manager = await server.createActor({ home: tenant, roles: { [tenant]: 'SystemManager' } });
    for (const path of ['', '/verify', '/export']) expect((await call(path, manager)).status).toBe(403);
  });
});

describe('filters among a hundred thousand records', () => {
  const minute = (n: number) => new Date(Date.UTC(2026, 2, 1) + n * 60_000).toISOString();
  const newest = { order: 'newest', limit: 51 } as const;
  type Filter = Parameters<typeof findRecords>[2];
  type Page = Parameters<typeof findRecords>[3];

  /** Record n, with the sequence 1000 + n, is of minute n; `clock` is an SQL expression of minutes by which its own was off. */
  async function fill(clock = '0'): Promise<void> {
    await owner.query(
      `insert into audit_record (tenant_id, sequence, at, actor_kind, actor_name, action, target_kind, target_id, outcome, code,
         data, previous_hash, hash)
       select $1::uuid, 1000 + n, $2::timestamptz + (n + ${clock}) * interval '1 minute', 'user', 'ana@example.com',
         'noun_' || n % 500 || '.verb', 'case', md5((n % 20000)::text), case when n % 5000 = 0 then 'refused' else 'ok' end, null,
         '{}', '', ''
       from generate_series(1, 100000) n`,
      [tenant, minute(0)],
    );
    await owner.query('analyze audit_record');
  }

  const explained = <Plan>(how: string, filter: Filter, page: Page): Promise<Plan[]> =>
    server.stores.database.tenant(tenant, async (tx) => {
      const explaining = tx.withPlugin({
        transformQuery: ({ node }) => {
          if (node.kind !== 'RawNode') return node;
          const [head = '', ...rest] = node.sqlFragments;
          return { ...node, sqlFragments: [`explain (${how}) ${head}`, ...rest] };
        },
        transformResult: async ({ result }) => result,
      });
      const rows = await findRecords(explaining, trustedTenantScope(tenant), filter, page);
      return (rows as unknown as { 'QUERY PLAN': Plan }[]).map((row) => row['QUERY PLAN']);
    });
  const planOf = async (filter: Filter, page: Page = newest) =>
    (await explained<string>('costs off', filter, page)).join('\n');

  type Node = {
    'Relation Name'?: string;
    'Actual Rows': number;
    'Rows Removed by Filter'?: number;
    'Actual Loops': number;
    Plans?: Node[];
  };
  function rowsRead(node: Node): number {
    const isRead = node['Relation Name'] !== undefined;
    const own = isRead ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0;
    return own + (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
  }
  const rowsReadBy = async (filter: Filter, page: Page) => {
    const [[{ Plan: plan } = {}] = []] = await explained<{ Plan?: Node }[]>('analyze, format json', filter, page);
    if (plan === undefined) throw new Error('There is no plan.');
    return rowsRead(plan);
  };

  const sequences = (filter: Filter, page: Page = newest) =>
    server.stores.database.tenant(tenant, async (tx) =>
      (await findRecords(tx, trustedTenantScope(tenant), filter, page)).map(({ sequence }) => sequence),
    );

  it('are answered by an index, below row-level security too', async () => {
    await fill();
    expect(await planOf({})).toMatch(/Index Scan Backward using audit_record_pkey/);
    expect(await planOf({}, { ...newest, before: 50_000 })).toMatch(/Index Scan Backward using audit_record_pkey/);
    expect(await planOf({ action: 'noun_77.' })).toMatch(/audit_record_by_action/);
    expect(await planOf({ target: 'c4ca4238a0b923820dcc509a6f75849b' })).toMatch(/audit_record_by_target/);
    expect(await planOf({ outcome: 'refused' })).toMatch(/audit_record_refused/);
    const most = { start_time: minute(5_000), end_time: minute(95_000) };
    expect(await planOf({ ...most, action: 'noun_77.' })).toMatch(/audit_record_by_action/);
    expect(await planOf({ ...most, target: 'c4ca4238a0b923820dcc509a6f75849b' })).toMatch(/audit_record_by_target/);
    expect(await planOf({ ...most, outcome: 'refused' })).toMatch(/audit_record_refused/);
    for (const filter of [{}, { action: 'noun_77.' }, { outcome: 'refused' }] as const) {
      expect(await planOf(filter)).not.toMatch(/Seq Scan/);
    }
  });

  it('of a past time read little more than a page and the day beside that time, on the first page and the last', async () => {
    await fill();
    const day = 1_440;
    for (const days of [1, 7, 14]) {
      const [first, end] = [50_000, 50_000 + days * day];
      const filter = { start_time: minute(first), end_time: minute(end) };
      const oldest = { order: 'oldest', limit: 500 } as const;
      const pages: Page[] = [
        newest,
        { ...newest, before: 1_000 + first + 20 },
        { ...oldest, after: 0, before: 101_001 },
        { ...oldest, after: 1_000 + end - 20, before: 101_001 },
      ];
      for (const page of pages) expect(await rowsReadBy(filter, page)).toBeLessThan(2 * day);
      expect(await sequences(filter, { ...newest, limit: 100_000 })).toHaveLength(days * day);
    }
    for (const filter of [{ end_time: minute(day) }, { start_time: minute(100_000 - day) }]) {
      for (const order of ['newest', 'oldest'] as const) {
        expect(await rowsReadBy(filter, { order, limit: 51 })).toBeLessThan(2 * day);
      }
    }
  });

  it('of a time find what was written by a clock that was an hour off', async () => {
    await fill('case n when 49000 then 59.5 when 51000 then -59.5 else 0 end');
    for (const [n, at] of [
      [49_000, 49_059],
      [51_000, 50_940],
    ] as const) {
      const filter = { start_time: minute(at), end_time: minute(at + 2) };
      for (const order of ['newest', 'oldest'] as const) {
        const found = await sequences(filter, { order, limit: 51 });
        expect(new Set(found)).toEqual(new Set([n, at, at + 1].map((number) => 1_000 + number)));
      }
    }
  });

  it('of a time find all of it beside a record whose clock was wholly wrong', async () => {
    // The first is the last one before the day that comes before minute 50,000, the other the first one after the day that follows.
    await fill('case n when 90000 then -90000 + 48559.5 when 10000 then -10000 + 51449.5 else 0 end');
    const filter = { start_time: minute(50_000), end_time: minute(50_010) };
    expect(await sequences(filter)).toEqual(Array.from({ length: 10 }, (_, n) => 51_009 - n));
    // Tenants begin with records of today, far later than the rest: nothing that was ever written lies before the first.
    expect(await sequences({ start_time: minute(0), end_time: minute(3) })).toEqual([1_002, 1_001]);
    expect(await sequences({ start_time: minute(99_999) })).toEqual(expect.arrayContaining([101_000, 100_999]));
  });
});

describe('the check of the chain', () => {
  it('says that it holds, and where it does not', async () => {
    await record(...Array.from({ length: 1200 }, () => entry()));
    const intact = auditVerdictSchema.parse(JSON.parse((await call('/verify')).text));
    expect(intact).toMatchObject({ intact: true, broken: null });
    expect(intact.records).toBeGreaterThan(1200);
    await owner.query('alter table audit_record disable trigger all');
    await owner.query(`update audit_record set actor_name = 'eve' where tenant_id = $1 and sequence = 700`, [tenant]);
    await owner.query('alter table audit_record enable trigger all');
    const broken = auditVerdictSchema.parse(JSON.parse((await call('/verify')).text));
    expect(broken).toMatchObject({ intact: false, head: null, broken: { sequence: 700, reason: 'changed' } });
  });

  it('takes no record that is added meanwhile for a forgery', async () => {
    await record(...Array.from({ length: 1500 }, () => entry()));
    const verdicts = [];
    const writing = (async () => {
      for (let n = 0; n < 60; n++) await record(entry());
    })();
    for (let n = 0; n < 3; n++) verdicts.push(JSON.parse((await call('/verify')).text));
    await writing;
    expect(verdicts.every((verdict) => auditVerdictSchema.parse(verdict).intact)).toBe(true);
  });

  it('notices a record that was put after the end', async () => {
    await record(entry());
    await owner.query(
      `insert into audit_record select tenant_id, sequence + 1, at, actor_kind, actor_id, actor_name, action, target_kind,
         target_id, outcome, code, data, request_id, hash, hash from audit_record
       where tenant_id = $1 order by sequence desc limit 1`,
      [tenant],
    );
    expect(JSON.parse((await call('/verify')).text)).toMatchObject({ intact: false });
  });

  it('walks once at a time for one tenant, and not at all for the others of the crowd', async () => {
    await record(...Array.from({ length: 3000 }, () => entry()));
    const answers = await Promise.all(Array.from({ length: 6 }, () => call('/verify')));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect(answers.find(({ status }) => status === 429)?.headers['retry-after']).toBeDefined();
    expect((await call('/verify')).status).toBe(200);
  });
});

describe('the export', () => {
  it('writes CSV that no spreadsheet computes and every reader parses', async () => {
    await record(
      entry({
        actor: { kind: 'user', id: null, name: '=HYPERLINK("https://evil.example","x")' },
        action: 'evil.formula',
      }),
      ...['+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1'].map((name) =>
        entry({ actor: { kind: 'user', id: null, name }, action: 'evil.formula' }),
      ),
      entry({ actor: { kind: 'user', id: null, name: 'a "quoted", name\r\nwith a line' }, action: 'evil.text' }),
    );
    const { status, headers, text } = await call('/export?action=evil.');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="audit-[0-9a-f-]{36}-\d{4}-\d\d-\d\d\.csv"$/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(text.startsWith('\uFEFF')).toBe(true);
    const [head, ...rows] = parseCsv(text.slice(1));
    expect(head).toEqual([
      ...['sequence', 'at', 'actor_kind', 'actor_id', 'actor_name', 'action', 'target_kind', 'target_id'],
      ...['outcome', 'code', 'data', 'request_id', 'hash'],
    ]);
    expect(rows.map((row) => row[4])).toEqual([
      `'=HYPERLINK("https://evil.example","x")`,
      ...["'+1", "'-1", "'@SUM(A1)", "'\tx", "'\rx", "'\nx", "'＝1"],
      'a "quoted", name\r\nwith a line',
    ]);
    expect(rows.every((row) => row.length === 13)).toBe(true);
  });

  it('writes every record up to its own, oldest first, over many pages, as NDJSON', async () => {
    await record(...Array.from({ length: 1700 }, () => entry()));
    const { headers, text } = await call('/export?format=ndjson');
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => auditRecordSchema.parse(JSON.parse(line)));
    expect(lines.map(({ sequence }) => sequence)).toEqual(lines.map((_, n) => n + 1));
    expect(lines.at(-1)).toMatchObject({
      action: 'audit.export',
      actor: { name: admin.email },
      data: { format: 'ndjson' },
    });
  });

  it('does not leave when it cannot be recorded', async () => {
    await owner.query(`create or replace function refuse_all() returns trigger language plpgsql as $$
      begin raise exception 'disk full' using errcode = '53100'; end $$`);
    await owner.query(
      'create trigger refuse_all before insert on audit_record for each row execute function refuse_all()',
    );
    const refused = await call('/export');
    await owner.query('drop trigger refuse_all on audit_record');
    expect(refused.status).toBeGreaterThanOrEqual(500);
    expect(refused.text).not.toContain('ana@example.com');
    expect((await call('/export')).status).toBe(200);
  });

  it('stops reading when the client goes away, and lets the next one begin', async () => {
    await owner.query(
      `insert into audit_record (tenant_id, sequence, at, actor_kind, actor_name, action, target_kind, outcome, data,
         previous_hash, hash)
       select $1::uuid, 1000 + n, now(), 'user', repeat('x', 1000), 'bulk.row', 'case', 'ok', '{}', '', ''
       from generate_series(1, 60000) n`,
      [tenant],
    );
    await owner.query('update audit_chain set sequence = 61000 where tenant_id = $1', [tenant]);
    const leave = new AbortController();
    const answer = await fetch(`${origin}/api/tenants/${tenant}/audit/export`, {
      headers: admin.headers,
      signal: leave.signal,
    });
    const reader = answer.body?.getReader();
    await reader?.read();
    // One that does not read on keeps its place; the walk waits for it instead of filling memory.
    expect((await call('/export')).status).toBe(429);
    leave.abort();
    await expect
      .poll(async () => {
        const next = new AbortController();
        const again = await fetch(`${origin}/api/tenants/${tenant}/audit/export?action=none`, {
          headers: admin.headers,
          signal: next.signal,
        });
        await again.text();
        return again.status;
      })
      .toBe(200);
  });

  it("holds only the tenant's own records", async () => {
    await record(entry());
    const other = await server.createTenant();
    const stranger = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
    const theirs = await server.inject({
      url: `/api/tenants/${other}/audit/export?format=ndjson`,
      headers: stranger.headers,
    });
    const { count } = await server.stores.database.tenant(other, (tx) =>
      tx.selectFrom('audit_record').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
    );
    expect(theirs.body.trimEnd().split('\n')).toHaveLength(count);
    expect(theirs.body).not.toContain('ana@example.com');
  });
});

/** RFC 4180, so that a wrong quote fails the test. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) throw new Error('This is not CSV.');
    row.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'));
    if (match[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
