import type { SsoDomain, SsoDomainCheck } from '@airdeck/contracts/settings/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { sqlClient } from '../../storage/database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { auditOf, by, call } from '../users/users-fixture.ts';
import { reviewDomains } from './domain-review.ts';
import { createDomainsService } from './domains-service.ts';
import { createNames, type Names } from './names-fixture.ts';
import { DOMAIN_REVIEW_JOB } from './sso-module.ts';

const DAY_MS = 24 * 3_600_000;

let server: TestServer;
let names: Names;
/** An hour ahead, so that what is proved meanwhile is due a day later. */
let clock = Date.now() + 3_600_000;
let made = 0;

const now = () => new Date(clock);

beforeAll(async () => {
  names = createNames();
  server = await createTestServer({ resolveTxt: names.resolveTxt });
});
afterAll(() => server?.close());

/** As the job of a process of its own would. */
async function review(signal = new AbortController().signal): Promise<void> {
  const { database: db } = server.stores;
  const { audit, notices } = server.composition;
  await reviewDomains({ db, audit, notices, resolveTxt: names.resolveTxt, now }, signal);
}

async function dayLater(days = 1): Promise<void> {
  for (let day = 0; day < days; day++) {
    clock += DAY_MS;
    await review();
  }
}

/** As an Admin's own look would be at the time of the reviews. */
async function checkByHand(tenant: string, domain: string) {
  const { database: db } = server.stores;
  const { audit, notices } = server.composition;
  const domains = createDomainsService({
    ...{ db, audit, notices, now, resolveTxt: names.resolveTxt },
    ...{ mayCheck: () => true, randomBytes: (size) => Buffer.alloc(size) },
  });
  return await domains.check(trustedTenantScope(tenant), domain, by);
}

/** A tenant whose domain is proved. */
async function place(domain = `r${++made}.example`) {
  const tenant = await server.createTenant();
  const admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  const url = `/api/tenants/${tenant}/settings/sso`;
  const payload = { kind: 'oidc', label: 'ID', issuer: 'https://id.example', client_id: 'x', domains: [domain] };
  expect((await call(server, admin, { method: 'POST', url, payload })).status).toBe(201);
  const list = async () => (await call<SsoDomain[]>(server, admin, { url: `${url}_domains` })).body;
  const { record } = (await list()).find((each) => each.domain === domain) ?? {};
  if (record === undefined) throw new Error('not listed');
  const check = () =>
    call<SsoDomainCheck>(server, admin, { method: 'POST', url: `${url}_domains/check`, payload: { domain } });
  const set = () => names.records.set(record.name, [[record.value]]);
  set();
  return {
    ...{ tenant, domain, list, check, set },
    unset: () => names.records.delete(record.name),
    fail: () => {
      names.records.delete(record.name);
      names.failures.set(record.name, 'ESERVFAIL');
    },
    asked: () => names.asked.filter((name) => name === record.name).length,
    events: async () => {
      const kinds = ['prove', 'miss', 'return', 'lapse'];
      const found = await Promise.all(kinds.map((kind) => auditOf(server, tenant, `sso_domain.${kind}`)));
      return Object.fromEntries(kinds.flatMap((kind, at) => (found[at]?.length ? [[kind, found[at].length]] : [])));
    },
    /** What its Admins were told, or will be: the test server sends at its own pace. */
    told: async () => {
      const { rows } = await server.stores.database.system((tx) =>
        sqlClient(tx).query<{ title: string }>(
          `select title, created_at from notification_event where tenant_id = $1 and kind = 'domain_unproved'
           union select title, created_at from notification where tenant_id = $1 and kind = 'domain_unproved'
           order by created_at`,
          [tenant],
        ),
      );
      return rows.map(({ title }) => title);
    },
  };
}

async function offered(domain: string): Promise<number> {
  const answer = await server.inject({
    url: `/auth/connections?email=ana@${domain}`,
    headers: { origin: 'http://localhost:80' },
  });
  return answer.json<{ connections: unknown[] }>().connections.length;
}

it('is a job of every installation, by the hour', async () => {
  const { rows } = await server.stores.database.system((tx) =>
    sqlClient(tx).query('select kind, expression from engine.cron where name = $1', [DOMAIN_REVIEW_JOB.kind]),
  );
  expect(rows).toEqual([DOMAIN_REVIEW_JOB]);
});

describe('a proved domain', () => {
  it('is looked for once a day, and nothing is written about what is in order', async () => {
    const { check, asked, events, list } = await place();
    await check();
    const before = asked();
    await review();
    expect(asked()).toBe(before);
    await dayLater(2);
    await review();
    expect(asked()).toBe(before + 2);
    expect(await list()).toMatchObject([{ proved_at: expect.any(String), missing: null }]);
    expect(await events()).toEqual({ prove: 1 });
  });

  it('counts for a week without its record, then no more; its Admins hear of both, each once', async () => {
    const { domain, check, unset, list, events, told } = await place();
    await check();
    unset();
    await dayLater();
    const [missed] = await list();
    const since = Date.parse(missed?.missing?.since ?? '');
    expect(Date.parse(missed?.missing?.counts_until ?? '') - since).toBe(7 * DAY_MS);
    await dayLater(6);
    expect(await offered(domain)).toBe(1);
    expect(await events()).toEqual({ prove: 1, miss: 1 });
    expect(await told()).toEqual([`The record that proves ${domain} is gone`]);
    await dayLater();
    expect(await offered(domain)).toBe(0);
    expect(await list()).toMatchObject([{ proved_at: null, missing: null }]);
    await dayLater();
    expect(await events()).toEqual({ prove: 1, miss: 1, lapse: 1 });
    expect(await told()).toEqual([`The record that proves ${domain} is gone`, `${domain} is no longer proved`]);
  });

  it('is not kept by an Admin who has it looked for more often than it is reviewed', async () => {
    const { tenant, domain, check, unset, list, events, told } = await place();
    await check();
    unset();
    await dayLater();
    for (let hours = 0; hours <= 8 * 24; hours += 23) {
      clock += 23 * 3_600_000;
      expect(await checkByHand(tenant, domain)).toMatchObject({ ok: false });
      await review();
    }
    expect(await offered(domain)).toBe(0);
    expect(await list()).toMatchObject([{ proved_at: null, missing: null }]);
    expect(await events()).toEqual({ prove: 1, miss: 1, lapse: 1 });
    expect(await told()).toEqual([`The record that proves ${domain} is gone`, `${domain} is no longer proved`]);
  });

  it('begins its week anew once the record was there again', async () => {
    const { check, set, unset, events, list } = await place();
    await check();
    unset();
    await dayLater(6);
    set();
    await dayLater();
    unset();
    await dayLater(6);
    expect(await list()).toMatchObject([{ proved_at: expect.any(String) }]);
    expect(await events()).toEqual({ prove: 1, miss: 2, return: 1 });
  });

  it('is in order as soon as somebody has it looked for, and keeps the day it was proved', async () => {
    const { check, set, unset, list } = await place();
    await check();
    const [proved] = await list();
    unset();
    await dayLater();
    expect((await check()).body).toMatchObject({ ok: false, domain: { missing: expect.anything() } });
    set();
    expect((await check()).body).toMatchObject({ ok: true, domain: { proved_at: proved?.proved_at, missing: null } });
  });

  it('is not lost by name servers that are silenced', async () => {
    const { check, fail, list, events } = await place();
    await check();
    fail();
    await dayLater(9);
    expect(await list()).toMatchObject([{ proved_at: expect.any(String), missing: null }]);
    expect(await events()).toEqual({ prove: 1 });
  });

  it('that lapsed can be had by another tenant', async () => {
    const first = await place();
    await first.check();
    const second = await place(first.domain);
    expect((await second.check()).status).toBe(409);
    await dayLater(8);
    expect((await second.check()).body.ok).toBe(true);
    expect(await first.list()).toMatchObject([{ proved_at: null }]);
  });

  it('is looked for by one of two processes that do it at once, and told once', async () => {
    const { check, unset, events, told } = await place();
    await check();
    unset();
    clock += DAY_MS;
    await Promise.all([review(), review(), review()]);
    expect(await events()).toEqual({ prove: 1, miss: 1 });
    expect(await told()).toHaveLength(1);
  });
});
