import { type CaseList, caseListQuerySchema } from '@airdeck/contracts/cases/schema';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { sqlClient } from '../../storage/database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { Change } from '../stream/changes.ts';
import { createCaseLists } from './case-lists.ts';

let one: TestServer;
let two: TestServer;
let tenant: string;
let admin: Actor;

beforeAll(async () => {
  const identitySecret = 'a-secret-that-both-processes-share-0123456789';
  one = await createTestServer({ identitySecret });
  const started = new Date();
  two = await createTestServer({ besides: { stores: one.stores, identitySecret }, now: () => started });
});
afterAll(async () => {
  await two?.close();
  await one?.close();
});
beforeEach(async () => {
  tenant = await one.createTenant();
  admin = await one.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
});

async function list(server: TestServer, path = '', headers: Record<string, string> = {}) {
  const answer = await server.inject({
    url: `/api/tenants/${tenant}/case${path}`,
    headers: { ...admin.headers, ...headers },
  });
  return { status: answer.statusCode, tag: answer.headers.etag as string, body: answer.body };
}

const names = (body: string) => (JSON.parse(body) as CaseList).cases.map(({ alert_name }) => alert_name);

/** A case as detection leaves one, without the events that would lead to it. */
async function insertCase(name: string): Promise<string> {
  const id = v7();
  await one.stores.database.tenant(tenant, (tx) =>
    sqlClient(tx).query(
      `insert into case_record (id, tenant_id, number, alert_type, name, description, category, severity, severity_rank, status,
         log_sources, meta, opened_at, time_opened, time_updated, search_text)
       values ($1, $2, 1, 'policy', $3, '', 'access', 'high', 2, 'open', '{}', '{}', now(), now(), now(), lower($3))`,
      [id, tenant, name],
    ),
  );
  return id;
}

async function acknowledge(server: TestServer, id: string): Promise<void> {
  const answer = await server.inject({
    method: 'POST',
    url: `/api/tenants/${tenant}/case/${id}`,
    headers: admin.headers,
    payload: { alert_status: 'acknowledged' },
  });
  expect(answer.statusCode).toBe(200);
}

const statuses = (body: string) => (JSON.parse(body) as CaseList).cases.map(({ alert_status }) => alert_status);

describe('a page of cases that is kept', () => {
  it('is the same text with the same tag, and 304 for who has it', async () => {
    await insertCase('Kept');
    const first = await list(one);
    expect(names(first.body)).toEqual(['Kept']);
    expect(await list(one)).toEqual(first);
    expect(await list(one, '', { 'if-none-match': first.tag })).toMatchObject({ status: 304, body: '' });
  });

  it('is gone with the answer to the change that was made in the same process', async () => {
    const id = await insertCase('Mine');
    expect(statuses((await list(one)).body)).toEqual(['open']);
    await acknowledge(one, id);
    const { body } = await list(one);
    expect(statuses(body)).toEqual(['acknowledged']);
    expect((JSON.parse(body) as CaseList).facets.status).toContainEqual({ value: 'acknowledged', count: 1 });
  });

  it('is gone when another process says that it changed a case', async () => {
    const id = await insertCase('Theirs');
    expect(statuses((await list(two)).body)).toEqual(['open']);
    await acknowledge(one, id);
    // The clock of the second process stands still: nothing but the announcement ends what it keeps.
    await expect.poll(async () => statuses((await list(two)).body)).toEqual(['acknowledged']);
    const { facets } = JSON.parse((await list(two)).body) as CaseList;
    expect(facets.status).toContainEqual({ value: 'acknowledged', count: 1 });
  });

  it('is never the one of another tenant or another question', async () => {
    await insertCase('Ours');
    const other = await one.createTenant();
    const stranger = await one.createActor({ home: other, roles: { [other]: 'Admin' } });
    expect(names((await list(one)).body)).toEqual(['Ours']);
    const theirs = await one.inject({ url: `/api/tenants/${other}/case`, headers: stranger.headers });
    expect(names(theirs.body)).toEqual([]);
    const foreign = await one.inject({ url: `/api/tenants/${tenant}/case`, headers: stranger.headers });
    expect(foreign.statusCode).toBe(403);
    expect(names((await list(one, '?status=closed')).body)).toEqual([]);
    expect(names((await list(one, '?page=2')).body)).toEqual([]);
  });
});

describe('pages that are kept of several tenants', () => {
  it('go with a change of their own tenant, and with one that was made for all', async () => {
    const { database } = one.stores;
    const other = await one.createTenant();
    const reads: string[] = [];
    let hear: (change: Change) => void = () => undefined;
    const lists = createCaseLists({
      db: database,
      now: () => new Date(0),
      feed: {
        async listen({ changed }) {
          hear = changed;
          return async () => undefined;
        },
      },
      list: async (_tx, { tenantId }) => {
        reads.push(tenantId);
        return { cases: [], total: 0, facets: { status: [], severity: [], source: [], category: [] } };
      },
      clearCounts: (tenantId) => reads.push(`counts of ${tenantId}`),
    });
    await lists.start();
    const query = caseListQuerySchema.parse({});
    const readBoth = async () => {
      for (const tenantId of [tenant, other]) await lists.read(trustedTenantScope(tenantId), query);
      return reads.splice(0);
    };
    try {
      expect(await readBoth()).toEqual([tenant, other]);
      expect(await readBoth()).toEqual([]);
      await insertCase('Committed here');
      expect(await readBoth()).toEqual([tenant]);
      hear({ kind: 'case', tenant, id: v7() });
      expect(await readBoth()).toEqual([`counts of ${tenant}`, tenant]);
      await database.system((tx) => sqlClient(tx).query('update case_record set name = name where false'));
      expect(await readBoth()).toEqual([tenant, other]);
    } finally {
      await lists.stop();
    }
  });
});
