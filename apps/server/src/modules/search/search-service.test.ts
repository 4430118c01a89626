import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { TenantScope } from '../../tenant-scope.ts';
import {
  createSearchFixture,
  DAY_MS,
  HOUR_MS,
  NOW,
  rangeOf,
  type SearchFixture,
  searchBody,
} from './search-fixture.ts';

let fixture: SearchFixture;
let tenant: TenantScope;
const signal = new AbortController().signal;

beforeAll(async () => {
  fixture = await createSearchFixture();
});
afterAll(() => fixture?.close());
beforeEach(() => {
  tenant = fixture.newTenant();
});

const run = (parts: Parameters<typeof searchBody>[0] = {}, scope = tenant) =>
  fixture.service.run({ scope, signal }, searchBody(parts));
const found = async (parts: Parameters<typeof searchBody>[0] = {}) =>
  (await run(parts)).events.map(({ message }) => message).sort();

/** What the answer says is wrong. */
async function refusal(parts: Parameters<typeof searchBody>[0]) {
  const error = await run(parts).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error as { code: string; message: string; details: { path: string; start?: number; end?: number }[] };
}

describe('pages', () => {
  it.each(['newest', 'oldest'] as const)(
    'show every event once, %s first, also those of one millisecond',
    async (sort) => {
      const rows = await fixture.store(
        tenant.tenantId,
        Array.from({ length: 230 }, (_, n) => ({
          // Bursts of forty in one millisecond, then hours without any.
          time: NOW - 1 - Math.floor(n / 40) * 5 * HOUR_MS,
          integration: n % 3 === 0 ? 'okta' : 'sshd',
        })),
      );
      const seen: { id: string; time: string }[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        const answer = await run({ limit: 50, sort, ...(cursor === undefined ? {} : { cursor }) });
        expect(answer.total).toEqual({ value: 230, relation: 'eq' });
        seen.push(...answer.events);
        cursor = answer.cursor ?? undefined;
        pages += 1;
      } while (cursor !== undefined);
      expect(pages).toBe(5);
      expect(seen.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort());
      const times = seen.map(({ time }) => time);
      expect(times).toEqual(sort === 'oldest' ? [...times].sort() : [...times].sort().reverse());
    },
  );

  it('are not moved by events that arrive in between', async () => {
    await fixture.store(
      tenant.tenantId,
      Array.from({ length: 6 }, (_, n) => ({ time: NOW - HOUR_MS - n, message: `old ${n}` })),
    );
    const first = await run({ limit: 3 });
    await fixture.store(tenant.tenantId, [{ time: NOW - 1, message: 'new' }]);
    const second = await run({ limit: 3, cursor: first.cursor ?? '' });
    expect(second.events.map(({ message }) => message)).toEqual(['old 3', 'old 4', 'old 5']);
  });

  it('refuse a cursor of another search, and what is none', async () => {
    await fixture.store(tenant.tenantId, [{}, {}]);
    const { cursor } = await run({ limit: 1 });
    if (cursor === null) throw new Error('There is a second page.');
    const details = [{ path: 'body.cursor', message: expect.any(String) }];
    for (const other of [{ query: 'root' }, { sort: 'oldest' as const }]) {
      await expect(run({ limit: 1, ...other, cursor })).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details });
    }
    for (const none of ['', 'x', 'e30', Buffer.from('{"of":1}').toString('base64url')]) {
      await expect(run({ cursor: none })).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details });
    }
  });

  it('of another tenant stay empty with a cursor from this one', async () => {
    await fixture.store(tenant.tenantId, [{}, {}]);
    const { cursor } = await run({ limit: 1 });
    const other = await run({ limit: 1, cursor: cursor ?? '' }, fixture.newTenant());
    expect(other.events).toEqual([]);
  });
});

test('a search of one connector finds what came through it, alone and with the query', async () => {
  const [of, other] = [randomUUID(), randomUUID()];
  await fixture.store(tenant.tenantId, [
    { message: 'one', connector_id: of, user: 'root' },
    { message: 'two', connector_id: of, user: 'bob' },
    { message: 'three', connector_id: other, user: 'root' },
    { message: 'four', connector_id: '', user: 'root' },
  ]);
  expect(await found({ connector_id: of })).toEqual(['one', 'two']);
  expect(await found({ connector_id: of, query: 'user:root' })).toEqual(['one']);
  expect(await found({ connector_id: randomUUID() })).toEqual([]);
  expect((await run({ connector_id: of })).total).toEqual({ value: 2, relation: 'eq' });
});

describe('an event', () => {
  it('comes with everything that was stored of it', async () => {
    const fields = { EventID: 4625, winlog: { logon: { type: '3' } }, tags: ['a', 'b'], 'user agent': 'curl' };
    const [row] = await fixture.store(tenant.tenantId, [
      { fields, raw: 'line \u{1f600} "quoted"', connector_id: 'c-1' },
    ]);
    const { events } = await run();
    expect(events).toMatchObject([
      { id: row?.id, time: '2026-11-21T11:00:00.000Z', connector_id: 'c-1', fields, raw: 'line \u{1f600} "quoted"' },
    ]);
  });

  it('is found by its id, with or without its time, and by nobody else', async () => {
    const [row] = await fixture.store(tenant.tenantId, [{ message: 'needle' }]);
    const id = row?.id ?? '';
    const time = new Date(row?.time ?? 0).toISOString();
    for (const known of [time, undefined]) {
      expect(await fixture.service.event({ scope: tenant, signal }, { id, time: known })).toMatchObject({
        message: 'needle',
      });
      const other = fixture.service.event({ scope: fixture.newTenant(), signal }, { id, time: known });
      await expect(other).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    const unknown = fixture.service.event({ scope: tenant, signal }, { id: randomUUID(), time });
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the histogram', () => {
  it('has aligned buckets whose counts make the total', async () => {
    await fixture.store(
      tenant.tenantId,
      Array.from({ length: 48 }, (_, n) => ({ time: NOW - 1 - n * HOUR_MS })),
    );
    const { histogram, bucket_ms, total } = await run();
    expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(48);
    expect(total).toEqual({ value: 48, relation: 'eq' });
    expect(bucket_ms).toBe(HOUR_MS / 2);
    expect(histogram.every(({ t }) => Date.parse(t) % bucket_ms === 0)).toBe(true);
  });

  it.each([
    ['a second', 1_000],
    ['a day', DAY_MS],
    ['thirty days', 30 * DAY_MS],
    ['a hundred years', 100 * 365 * DAY_MS],
  ])('of %s has at most 120 buckets', async (_, lengthMs) => {
    const { bucket_ms, time_range } = await run({ time_range: rangeOf(NOW - lengthMs, NOW) });
    const searched = Date.parse(time_range.end) - Date.parse(time_range.start);
    expect(searched / bucket_ms).toBeLessThanOrEqual(119);
  });
});

describe('the plan', () => {
  it('ends a search that reaches too far back, and says so', async () => {
    await fixture.store(tenant.tenantId, [
      { time: NOW - 29 * DAY_MS, message: 'within' },
      { time: NOW - 31 * DAY_MS, message: 'beyond' },
    ]);
    const answer = await run({ time_range: rangeOf(NOW - 100 * 365 * DAY_MS, NOW + 365 * DAY_MS) });
    expect(answer.events.map(({ message }) => message)).toEqual(['within']);
    expect(answer.time_range).toEqual({
      ...rangeOf(NOW - 30 * DAY_MS, NOW + DAY_MS),
      clipped: true,
      search_length_days: 30,
    });
    expect((await run()).time_range).toMatchObject({ clipped: false });
  });

  it('leaves nothing of a range that lies before its reach', async () => {
    await fixture.store(tenant.tenantId, [{ time: NOW - 40 * DAY_MS }]);
    const answer = await run({ time_range: rangeOf(NOW - 50 * DAY_MS, NOW - 35 * DAY_MS) });
    expect(answer).toMatchObject({ events: [], total: { value: 0 }, cursor: null, time_range: { clipped: true } });
  });

  it('cannot be stretched by a cursor', async () => {
    await fixture.store(tenant.tenantId, [
      { message: 'a' },
      { message: 'b' },
      { time: NOW - 31 * DAY_MS, message: 'beyond' },
    ]);
    const asked = { limit: 1, time_range: rangeOf(NOW - 90 * DAY_MS, NOW) };
    const { cursor } = await run(asked);
    const forged = JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString());
    forged.now = NOW - 5 * DAY_MS;
    const next = await run({ ...asked, limit: 100, cursor: Buffer.from(JSON.stringify(forged)).toString('base64url') });
    expect(next.events.map(({ message }) => message)).not.toContain('beyond');
  });
});

describe('filters', () => {
  beforeEach(async () => {
    await fixture.store(tenant.tenantId, [
      { message: 'one', user: 'root', src_ip: '192.0.2.7', integration: 'sshd', fields: { port: 22, path: 'C:\\a*b' } },
      {
        message: 'two',
        user: 'Alice',
        src_ip: '192.0.2.9',
        integration: 'okta',
        event_type: 'system_log',
        fields: { port: 443 },
      },
      {
        message: 'three',
        user: '',
        src_ip: '',
        integration: 'okta',
        event_type: 'users',
        fields: { tags: ['x', 'y'] },
      },
    ]);
  });

  it.each([
    ['is, in any case', { field: 'user', op: 'is', value: 'ALICE' }, ['two']],
    ['is not', { field: 'user', op: 'is_not', value: 'root' }, ['three', 'two']],
    ['is, for a number', { field: 'port', op: 'is', value: 443 }, ['two']],
    ['is, for an address in a network', { field: 'src_ip', op: 'is', value: '192.0.2.0/29' }, ['one']],
    ['is empty', { field: 'user', op: 'is', value: '' }, ['three']],
    ['is one of', { field: 'user', op: 'one_of', value: ['root', 'alice'] }, ['one', 'two']],
    ['is none of', { field: 'user', op: 'not_one_of', value: ['root', 'alice'] }, ['three']],
    ['exists', { field: 'port', op: 'exists' }, ['one', 'two']],
    ['does not exist', { field: 'user', op: 'not_exists' }, ['three']],
    ['contains, literally', { field: 'path', op: 'contains', value: 'A*' }, ['one']],
    ['does not contain', { field: 'path', op: 'not_contains', value: '*' }, ['three', 'two']],
    ['begins with', { field: 'user', op: 'starts_with', value: 'al' }, ['two']],
    ['ends with', { field: 'user', op: 'ends_with', value: 'ot' }, ['one']],
    ['is greater', { field: 'port', op: 'gt', value: 22 }, ['two']],
    ['is at most', { field: 'port', op: 'lte', value: 22 }, ['one']],
    ['is in a list', { field: 'tags', op: 'is', value: 'y' }, ['three']],
    ['what would be syntax in a query', { field: 'user', op: 'is', value: 'root OR user:*' }, []],
  ] as const)('%s', async (_, filter, expected) => {
    expect(await found({ filters: [filter as never] })).toEqual(expected);
  });

  it('hold together, and with the query and the integrations', async () => {
    const okta = { integrations: ['okta'] };
    expect(await found(okta)).toEqual(['three', 'two']);
    expect(await found({ integrations: ['okta:users', 'sshd'] })).toEqual(['one', 'three']);
    expect(await found({ ...okta, filters: [{ field: 'user', op: 'exists' }] })).toEqual(['two']);
    expect(await found({ ...okta, query: 'port:22 OR tags:x' })).toEqual(['three']);
    expect(
      await found({ query: 'user:root OR user:alice', filters: [{ field: 'port', op: 'gt', value: 100 }] }),
    ).toEqual(['two']);
  });

  it.each([
    ['a value that is missing', { field: 'user', op: 'is' }],
    ['an empty part of a name', { field: 'a..b', op: 'exists' }],
    ['a name with a backtick', { field: 'a`b', op: 'exists' }],
    ['nothing to contain', { field: 'user', op: 'contains', value: '' }],
    ['a list for one value', { field: 'user', op: 'is', value: ['a', 'b'] }],
    ['a range of texts', { field: 'message', op: 'gt', value: 1 }],
    ['a time that is none', { field: 'time', op: 'gt', value: 'yesterday' }],
  ] as const)('%s is refused with the place of the filter', async (_, filter) => {
    const filters = [{ field: 'user', op: 'exists' }, filter] as never[];
    expect(await refusal({ filters })).toMatchObject({ code: 'QUERY_INVALID', details: [{ path: 'body.filters.1' }] });
  });
});

describe('a query that cannot run', () => {
  it('is answered with place, reason, suggestion and, where there is one, the query put right', async () => {
    expect(await refusal({ query: 'host:web-1 AND user:"root' })).toMatchObject({
      code: 'QUERY_INVALID',
      message: 'This quote is never closed.',
      details: [
        { path: 'body.query', start: 20, end: 25, suggestion: expect.any(String), fix: 'host:web-1 AND user:"root"' },
      ],
    });
  });

  it.each([
    ['of 100 kB', 'a '.repeat(50_000)],
    ['of 10,000 clauses', Array.from({ length: 10_000 }, (_, n) => `a:${n}`).join(' OR ')],
    ['of 600 clauses', Array.from({ length: 600 }, (_, n) => `a${n}`).join(' ')],
    ['with brackets 2,000 deep', `${'('.repeat(2_000)}a${')'.repeat(2_000)}`],
    ['with an open bracket', '(a'],
    ['with a closing bracket', 'a)'],
    ['with an open range', 'port:[1 TO'],
    ['with nothing behind the colon', 'port:'],
    ['with look-around', 'user:/(?=a)b/'],
    ['with a reference back', 'user:/(a)\\1/'],
    ['with a backtick in a name', '"a`b":1'],
    ['with an empty part of a name', 'a..b:1'],
  ])('%s is refused', async (_, query) => {
    expect(await refusal({ query })).toMatchObject({ code: 'QUERY_INVALID', details: [{ path: 'body.query' }] });
  });

  it.each([
    ['an expression that is catastrophic elsewhere', 'raw:/(a+)+$/'],
    ['another one', 'user:/(.*a){20}/'],
    ['a name with quotes and SQL', `"x') or 1=1 -- \\" ; drop table events":1`],
    ['a name of unicode', 'größe:1 OR "日本 語.😀":2'],
    ['a name with dots', 'a.b.c.d:1'],
    ['NULs', 'user:"a\0b" "\0"'],
    ['names of the engine', 'system.tables:1 OR "merge(currentDatabase(), events)":1'],
  ])('is not one with %s', async (_, query) => {
    await fixture.store(tenant.tenantId, [{ message: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' }]);
    expect((await run({ query })).events.length).toBeLessThanOrEqual(1);
  });
});

describe('the list of fields', () => {
  const fields = (parts: Parameters<typeof searchBody>[0] = {}) => {
    const { limit: _limit, live: _live, cursor: _cursor, ...selection } = searchBody(parts);
    return fixture.service.fields({ scope: tenant, signal }, selection);
  };

  it('counts fields and values of what the search finds', async () => {
    await fixture.store(tenant.tenantId, [
      { user: 'root', host: '', fields: { port: 22, winlog: { id: 1 }, tags: ['a'] } },
      { user: 'root', host: '', fields: { port: 22, user: 'original', "it's `odd`": 1 } },
      { user: 'alice', host: '', fields: { port: 443 } },
      { user: 'bob', integration: 'okta', fields: { port: 1 } },
    ]);
    const answer = await fields({ integrations: ['sshd'] });
    const byName = new Map(answer.fields.map((field) => [field.name, field]));
    expect(answer.sample).toEqual({ events: 3, complete: true });
    expect(byName.get('user')).toEqual({
      ...{ name: 'user', kind: 'column', count: 3 },
      top: [
        { value: 'root', count: 2 },
        { value: 'alice', count: 1 },
      ],
    });
    expect(byName.get('port')).toMatchObject({
      kind: 'field',
      count: 3,
      top: [
        { value: '22', count: 2 },
        { value: '443', count: 1 },
      ],
    });
    expect(byName.get('winlog.id')).toMatchObject({ count: 1, top: [{ value: '1', count: 1 }] });
    expect(byName.get('tags')).toMatchObject({ count: 1, top: [] });
    expect(byName.get('fields.user')).toMatchObject({ kind: 'field', count: 1 });
    expect(byName.has('host')).toBe(false);
  });

  it('names every field as a query asks for it, also in an object called fields', async () => {
    await fixture.store(tenant.tenantId, [{ fields: { fields: { env: 'prod', host: 'a' }, env: 'test', host: 'b' } }]);
    const answer = await fields();
    const originals = answer.fields.filter(({ kind }) => kind === 'field');
    expect(originals.map(({ name, top }) => [name, top[0]?.value]).sort()).toEqual([
      ['env', 'test'],
      ['fields.fields.env', 'prod'],
      ['fields.fields.host', 'a'],
      ['fields.host', 'b'],
    ]);
    for (const { name, top } of originals) {
      const asked = { field: name, op: 'is', value: top[0]?.value } as const;
      expect((await run({ filters: [asked] })).events, name).toHaveLength(1);
    }
  });

  it('is empty where nothing is found', async () => {
    expect(await fields()).toMatchObject({ fields: [], sample: { events: 0, complete: true } });
  });

  it('is of the newest events only, and says so', async () => {
    const old = Array.from({ length: 5_100 }, (_, n) => ({ time: NOW - 2 * HOUR_MS - n, user: 'old' }));
    await fixture.store(tenant.tenantId, [...old, { time: NOW - 1, user: 'new' }]);
    const answer = await fields();
    expect(answer.sample).toEqual({ events: 5_000, complete: false });
    const user = answer.fields.find(({ name }) => name === 'user');
    expect(user).toMatchObject({
      count: 5_000,
      top: [
        { value: 'old', count: 4_999 },
        { value: 'new', count: 1 },
      ],
    });
  });
});

test('values are completed by what they begin with, in any case, most frequent first', async () => {
  await fixture.store(tenant.tenantId, [
    { user: 'Alice' },
    { user: 'alan' },
    { user: 'alan' },
    { user: 'bob', fields: { port: 'AL' } },
  ]);
  const values = (field: string, prefix: string) =>
    fixture.service.values({ scope: tenant, signal }, { field, prefix, limit: 20, start: undefined, end: undefined });
  expect((await values('user', 'AL')).values).toEqual([
    { value: 'alan', count: 2 },
    { value: 'Alice', count: 1 },
  ]);
  expect((await values('port', '')).values).toEqual([{ value: 'AL', count: 1 }]);
  expect((await values('user', "' or 1=1 --")).values).toEqual([]);
  expect((await values('message', 'F')).values).toEqual([]);
  await expect(values('a..b', '')).rejects.toMatchObject({ code: 'QUERY_INVALID' });
});

test('integrations and event types to choose from are those that have sent', async () => {
  await fixture.store(tenant.tenantId, [
    {},
    {},
    { integration: 'okta', event_type: 'system_log' },
    { time: NOW - 40 * DAY_MS, integration: 'old' },
  ]);
  expect(await fixture.service.scopes({ scope: tenant, signal })).toEqual([
    { integration: 'okta', event_type: 'system_log', events: 1, last_event_at: '2026-11-21T11:00:00.000Z' },
    { integration: 'sshd', event_type: 'authentication', events: 2, last_event_at: '2026-11-21T11:00:00.000Z' },
  ]);
});

test('a client that goes away ends its search', async () => {
  const gone = new AbortController();
  gone.abort(new Error('gone'));
  await expect(fixture.service.run({ scope: tenant, signal: gone.signal }, searchBody())).rejects.toThrow('gone');
});
