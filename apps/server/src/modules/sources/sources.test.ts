import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../storage/test-database.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import { createAuditService } from '../audit/audit-service.ts';
import { caseFigures } from '../cases/case-figures.ts';
import { createDashboardsModule } from '../dashboards/dashboards-module.ts';
import { createSourceFinder } from './source-finder.ts';
import { newSourceToken } from './source-token.ts';
import { createSourcesModule, type SourcesModule } from './sources-module.ts';

let stores: TestDatabase;
let sources: SourcesModule;
const clock = { now: new Date('2026-11-21T12:00:00.000Z') };
const now = () => clock.now;
const by = { actor: { kind: 'system', id: null, name: 'test' } as const, requestId: null };

beforeAll(async () => {
  stores = await createTestDatabase();
  const audit = createAuditService({ now });
  const addresses = () => ({ http: 'https://airdeck.example', syslogTcp: 'syslog+tcp://airdeck.example:5514' });
  const usesOf = () => Promise.resolve({ ids: [], told: [] });
  sources = createSourcesModule({
    ...{ db: stores.database, secret: v7(), now, ids: v7, randomBytes, audit, addresses, usesOf },
  });
});
afterAll(() => stores.close());

async function newTenant(): Promise<TenantScope> {
  const id = v7();
  const plan = { is_mdr_enabled: false, is_search_enabled: true, retention_length_days: 45, search_length_days: 30 };
  const sku_info = JSON.stringify({ sku_name: 'test', ...plan });
  await stores.database.system((tx) =>
    tx.insertInto('tenant').values({ id, name: 'Example Ltd', managed_by: null, sku_info }).execute(),
  );
  return trustedTenantScope(id);
}

const create = (scope: TenantScope, source: Parameters<SourcesModule['service']['createSource']>[2]) =>
  stores.database.tenant(scope.tenantId, (tx) => sources.service.createSource(tx, scope, source, by));
const list = (scope: TenantScope) => stores.database.tenant(scope.tenantId, (tx) => sources.service.list(tx, scope));

describe('event sources', () => {
  it('show the token once and keep only its hash', async () => {
    const scope = await newTenant();
    const { token, ...created } = await create(scope, { name: 'Web', kind: 'ndjson' });
    expect(token).toMatch(/^src_[A-Za-z0-9_-]{43}$/);
    expect(await list(scope)).toEqual([created]);
    expect(created).toMatchObject({ token_hint: token.slice(-4), last_event_at: null, events_24h: 0 });
    expect(created.url).toBe(`https://airdeck.example/api/${scope.tenantId}/event/ingest/${created.id}`);
    const rows = await stores.database.system((tx) => tx.selectFrom('event_source').selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain(token);
    const audit = await stores.database.tenant(scope.tenantId, (tx) =>
      tx.selectFrom('audit_record').selectAll().execute(),
    );
    expect(audit).toHaveLength(1);
    expect(JSON.stringify(audit)).not.toContain(token);
  });

  it('are unknown to every other tenant', async () => {
    const [own, other] = [await newTenant(), await newTenant()];
    await create(own, { name: 'Web', kind: 'ndjson' });
    expect(await list(other)).toEqual([]);
    const seen = await stores.database.tenant(other.tenantId, (tx) =>
      tx.selectFrom('event_source').selectAll().execute(),
    );
    expect(seen).toEqual([]);
  });

  it('are found by token, with what the door needs', async () => {
    const scope = await newTenant();
    const { id, token } = await create(scope, { name: 'Web', kind: 'ndjson' });
    expect(await sources.finder.byToken(token)).toEqual({
      id,
      tenantId: scope.tenantId,
      name: 'Web',
      kind: 'ndjson',
      retentionDays: 45,
    });
    expect(await sources.finder.byToken(token.toLowerCase())).toBeUndefined();
    expect(await sources.finder.byToken("src_' or 1=1 --")).toBeUndefined();
  });

  it('take syslog lines by sender address first, and by default otherwise', async () => {
    const scope = await newTenant();
    const fallback = await create(scope, { name: 'Any', kind: 'syslog', syslogDefault: true });
    const firewall = await create(scope, { name: 'Firewall', kind: 'syslog', senderAddresses: ['192.0.2.1'] });
    expect((await sources.finder.bySender('192.0.2.1'))?.id).toBe(firewall.id);
    expect((await sources.finder.bySender('192.0.2.2'))?.id).toBe(fallback.id);
    await expect(create(scope, { name: 'Second', kind: 'syslog', syslogDefault: true })).rejects.toThrow();
    expect(firewall.url).toBe('syslog+tcp://airdeck.example:5514');
  });
});

describe('a sender that cannot name its source', () => {
  it('belongs to the one the operator configured for its address, as long as that takes syslog', async () => {
    const scope = await newTenant();
    const [appliance, web] = [
      await create(scope, { name: 'Appliance', kind: 'syslog' }),
      await create(scope, { name: 'Web', kind: 'ndjson' }),
    ];
    const senders = new Map([
      ['198.51.100.7', appliance.id],
      ['198.51.100.8', web.id],
    ]);
    const finder = createSourceFinder({ db: stores.database, now, senders });
    expect((await finder.bySender('198.51.100.7'))?.id).toBe(appliance.id);
    expect((await finder.bySender('198.51.100.8'))?.id).not.toBe(web.id);
  });
});

describe('a source that was withdrawn', () => {
  it.each([
    ['goes on', 2_000],
    ['was set back by an hour', -3_600_000],
  ])('takes nothing any more within two seconds, when the clock %s', async (_how, byMs) => {
    const scope = await newTenant();
    const { id, token } = await create(scope, { name: 'Web', kind: 'ndjson' });
    let at = now().getTime();
    const finder = createSourceFinder({ db: stores.database, now: () => new Date(at) });
    expect((await finder.byToken(token))?.id).toBe(id);
    await stores.database.system((tx) => tx.deleteFrom('event_source').where('id', '=', id).execute());
    expect((await finder.byToken(token))?.id).toBe(id);
    at += byMs;
    expect(await finder.byToken(token)).toBeUndefined();
  });
});

describe('tokens and addresses nobody has', () => {
  const defaultSyslogSource = () =>
    stores.database.system(async (tx) => {
      const ids = tx.selectFrom('event_source').select('id').where('syslog_default', '=', true);
      return (await ids.executeTakeFirst())?.id;
    });
  const address = (n: number) => `203.0.${n >> 8}.${n & 255}`;

  it.each([
    ['tokens', () => newSourceToken(randomBytes), 'byToken'],
    ['addresses', address, 'bySender'],
  ] as const)('%s are asked together, and push nobody who sends out of memory', async (_what, stranger, by) => {
    const scope = await newTenant();
    const fallback = by === 'bySender' ? await defaultSyslogSource() : undefined;
    const sender = '198.51.100.77';
    const { id, token } = await create(scope, { name: 'Router', kind: 'syslog', senderAddresses: [sender] });
    let transactions = 0;
    const system: typeof stores.database.system = (work) => {
      transactions += 1;
      return stores.database.system(work);
    };
    const finder = createSourceFinder({ db: { system }, now });
    const known = () => (by === 'byToken' ? finder.byToken(token) : finder.bySender(sender));
    const flood = (from: number) =>
      Promise.all(Array.from({ length: 1_200 }, (_, n) => finder[by](stranger(from + n))));
    const strangers = flood(0);
    const found = known();
    expect(new Set((await strangers).map((source) => source?.id))).toEqual(new Set([fallback]));
    expect((await found)?.id).toBe(id);
    expect(transactions).toBeLessThan(7);
    for (let times = 1; times <= 5; times += 1) await flood(times * 1_200);
    const before = transactions;
    expect((await known())?.id).toBe(id);
    expect(transactions).toBe(before);
  });
});

describe('volume', () => {
  const hour = Date.parse('2026-11-21T10:00:00.000Z');
  const addition = (scope: TenantScope, sourceId: string, events: number) => ({
    tenantId: scope.tenantId,
    sourceId,
    receivedAt: hour + 60_000,
    byHour: new Map([[hour, { events, bytes: events * 100 }]]),
  });

  it('adds up over parallel writers and stays inside the tenant', async () => {
    const [own, other] = [await newTenant(), await newTenant()];
    const [a, b] = [await create(own, { name: 'A', kind: 'ndjson' }), await create(own, { name: 'B', kind: 'ndjson' })];
    const add = (turn: number) =>
      stores.database.system((tx) => {
        const both = [addition(own, a.id, 1), addition(own, b.id, 2)];
        return sources.volume.add(tx, turn % 2 === 0 ? both : both.reverse());
      });
    await Promise.all(Array.from({ length: 20 }, (_, turn) => add(turn)));
    expect((await list(own)).map((s) => [s.events_24h, s.last_event_at])).toEqual([
      [20, '2026-11-21T10:01:00.000Z'],
      [40, '2026-11-21T10:01:00.000Z'],
    ]);
    const { handlers } = createDashboardsModule({ db: stores.database, now, volume: sources.volume, caseFigures });
    const read = async (scope: TenantScope) =>
      await handlers['dashboards.get']({ params: { tenant: scope.tenantId }, query: { limit: 25 }, body: undefined }, {
        scope,
      } as Parameters<(typeof handlers)['dashboards.get']>[1]);
    expect(await read(own)).toMatchObject({
      log_count: 60,
      log_size: 6_000,
      alert_counts: { high: 0, medium: 0, low: 0 },
    });
    expect((await read(own)).log_history.at(-1)).toEqual({ t: '2026-11-21T06:00:00.000Z', count: 60 });
    expect(await read(other)).toMatchObject({ log_count: 0, log_size: 0 });
  });
});
