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
  it('are answered by an index, below row-level security too', async () => {
    await owner.query(
      `insert into audit_record (tenant_id, sequence, at, actor_kind, actor_name, action, target_kind, target_id, outcome, code,
         data, previous_hash, hash)
       select $1::uuid, 1000 + n, now() - n * interval '1 minute', 'user', 'ana@example.com', 'noun_' || n % 500 || '.verb', 'case',
         md5((n % 20000)::text), case when n % 5000 = 0 then 'refused' else 'ok' end, null, '{}', '', ''
       from generate_series(1, 100000) n`,
      [tenant],
    );
    await owner.query('analyze audit_record');
    const scope = trustedTenantScope(tenant);
    const newest = { order: 'newest', limit: 51 } as const;
    const planOf = (filter: Parameters<typeof findRecords>[2], page: Parameters<typeof findRecords>[3] = newest) =>
      server.stores.database.tenant(tenant, async (tx) => {
        const explained = tx.withPlugin({
          transformQuery: ({ node }) => {
            if (node.kind !== 'RawNode') return node;
            const [head = '', ...rest] = node.sqlFragments;
            return { ...node, sqlFragments: [`explain (costs off) ${head}`, ...rest] };
          },
          transformResult: async ({ result }) => result,
        });
        const rows = (await findRecords(explained, scope, filter, page)) as unknown as { 'QUERY PLAN': string }[];
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
    expect(await planOf({})).toMatch(/Index Scan Backward using audit_record_pkey/);
    expect(await planOf({}, { ...newest, before: 50_000 })).toMatch(/Index Scan Backward using audit_record_pkey/);
    expect(await planOf({ action: 'noun_77.' })).toMatch(/audit_record_by_action/);
    expect(await planOf({ target: 'c4ca4238a0b923820dcc509a6f75849b' })).toMatch(/audit_record_by_target/);
    expect(await planOf({ outcome: 'refused' })).toMatch(/audit_record_refused/);
    const hour = { start_time: new Date(Date.now() - 3 * 86_400_000).toISOString() };
    expect(await planOf({ ...hour, end_time: new Date(Date.now() - 3 * 86_300_000).toISOString() })).toMatch(
      /audit_record_(by_time|pkey)/,
    );
    for (const filter of [{}, { action: 'noun_77.' }, { outcome: 'refused' }] as const) {
      expect(await planOf(filter)).not.toMatch(/Seq Scan/);
    }
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
