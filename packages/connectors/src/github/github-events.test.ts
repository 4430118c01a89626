import type { JsonObject } from '@airdeck/contracts/fields';
import { beforeEach, describe, expect, it } from 'vitest';
import { fetchAll, useConnector, vendorFailure } from '../connector-fixture.ts';
import { poll, smallAnswers } from '../fetch-fixture.ts';
import { actionContext, sandboxKeys } from '../sandbox-fixture.ts';
import { github } from './github.ts';
import { withPageSize } from './github-client.ts';

const config = (url: string) => ({ base_url: url, organization: 'example-org', token: sandboxKeys.github });
const AGO_MS = 3_600_000;

/** `count` entries, `apartMs` apart, from an hour ago on. */
function entries(prefix: string, count: number, apartMs: number, fromMs = Date.now() - AGO_MS): JsonObject[] {
  const start = Math.floor(fromMs / 1000) * 1000;
  return Array.from({ length: count }, (_, index) => ({
    '@timestamp': start + index * apartMs,
    _document_id: `${prefix}-${index}`,
    action: 'repo.create',
    actor: 'ada-abend',
  }));
}

const idsOf = (records: readonly JsonObject[]) => records.map((record) => String(record._document_id));

describe('the audit log as a source', () => {
  const connector = useConnector(github, config);
  beforeEach(() => connector.control('DELETE', 'audit-log'));
  const add = (batch: JsonObject[]) => connector.control('POST', 'audit-log', batch);

  it('delivers every entry once, oldest first, over several pages', async () => {
    await add(entries('a', 250, 1000));
    const { records, pages } = await fetchAll(connector, { cursor: null });
    expect(idsOf(records)).toEqual(entries('a', 250, 1000).map(({ _document_id }) => _document_id));
    expect(pages).toBeGreaterThan(2);
  });

  it('neither loses nor doubles entries of one second across page borders', async () => {
    await add(entries('a', 340, 1));
    const { records } = await fetchAll(connector, { cursor: null });
    expect(idsOf(records).length).toBe(340);
    expect(new Set(idsOf(records)).size).toBe(340);
  });

  it('goes on where it ended, and finds what arrived late', async () => {
    await add(entries('a', 120, 100));
    const first = await fetchAll(connector, { cursor: null });
    const lateMs = Date.now() - AGO_MS + 2000;
    await add([...entries('late', 3, 10, lateMs), ...entries('new', 5, 1000, Date.now() - 60_000)]);
    const second = await fetchAll(connector, { cursor: first.cursor });
    expect(idsOf(second.records).toSorted()).toEqual([
      ...['late-0', 'late-1', 'late-2'],
      ...['new-0', 'new-1', 'new-2', 'new-3', 'new-4'],
    ]);
    expect((await fetchAll(connector, { cursor: second.cursor })).records).toEqual([]);
  });

  it('repeats the same page after a crash before the cursor was kept', async () => {
    await add(entries('a', 150, 1000));
    const first = await connector.fetchEvents(null);
    const again = await connector.fetchEvents(first.cursor);
    const once = await connector.fetchEvents(first.cursor);
    expect(idsOf(once.records)).toEqual(idsOf(again.records));
  });

  it('starts the moment again when a page offered earlier has expired', async () => {
    await add(entries('a', 150, 1));
    let page = await connector.fetchEvents(null);
    const seen = idsOf(page.records);
    // The second page begins at the moment the first one ended in, which leads to GitHub's own continuation.
    page = await connector.fetchEvents(page.cursor);
    seen.push(...idsOf(page.records));
    expect(page.hasMore).toBe(true);
    const torn = JSON.parse(
      JSON.stringify(page.cursor).replaceAll(/after=[A-Za-z0-9_-]+/g, 'after=expired'),
    ) as JsonObject;
    expect(torn).not.toEqual(page.cursor);
    page = await connector.fetchEvents(torn);
    const rest = page.hasMore ? (await fetchAll(connector, { cursor: page.cursor })).records : [];
    const all = [...seen, ...idsOf(page.records), ...idsOf(rest)];
    expect([all.length, new Set(all).size]).toEqual([150, 150]);
  });

  it('keeps the cursor when the vendor fails in the middle', async () => {
    await add(entries('a', 150, 1000));
    const first = await connector.fetchEvents(null);
    connector.disturb('unavailable');
    expect((await vendorFailure(connector.fetchEvents(first.cursor)))?.code).toBe('VENDOR_UNAVAILABLE');
    const rest = await fetchAll(connector, { cursor: first.cursor });
    expect(first.records.length + rest.records.length).toBe(150);
  });

  it('comes in smaller pages where entries are large together, and one that is too large alone is told once', async () => {
    // Many of one second, so that pages follow GitHub's own continuation.
    const large = entries('a', 60, 20).map((entry, index) => ({
      ...entry,
      data: 'x'.repeat(index % 30 === 7 ? 60_000 : 2_000),
    }));
    await add(large);
    const context = {
      ...actionContext(smallAnswers(connector.egress(), 40_000), { config: config(connector.url()) }),
      now: () => new Date(),
    };
    const first = await poll(github, context);
    const expected = idsOf(large).filter((id) => id !== 'a-7' && id !== 'a-37');
    expect([idsOf(first.records), first.leftOut]).toEqual([expected, 2]);
    expect(await poll(github, context, { cursor: first.cursor })).toMatchObject({ records: [], leftOut: 0 });
  });

  it('fetches only what the phrase asks for', async () => {
    await add([...entries('a', 2, 1000), { ...entries('b', 1, 1)[0], actor: 'mallory-example' }]);
    const { records } = await fetchAll(connector, { cursor: null, options: { phrase: 'actor:mallory-example' } });
    expect(idsOf(records)).toEqual(['b-0']);
  });
});

describe('security alerts as a source', () => {
  const connector = useConnector(github, config);
  const options = { sources: ['secret_scanning', 'dependabot'] };
  const alerts = (from: number, count: number, updated: (index: number) => string): JsonObject[] =>
    Array.from({ length: count }, (_, index) => ({
      number: from + index,
      secret: 'planted-literal',
      created_at: '2026-11-01T00:00:00Z',
      updated_at: updated(index),
      repository: { full_name: 'example-org/app' },
    }));
  const minutesAgo = (minutes: number) =>
    new Date(Date.now() - minutes * 60_000).toISOString().replace(/\.\d{3}Z$/, 'Z');
  const add = (batch: JsonObject[]) => connector.control('POST', 'alerts/secret-scanning', batch);
  const secretNumbers = (records: readonly JsonObject[]) =>
    records.map(({ number }) => Number(number)).filter((number) => number >= 100);

  it('walks several pages down to where it was, and takes turns with the other sources', async () => {
    await add(alerts(100, 250, (index) => minutesAgo(60 - Math.floor(index / 5))));
    const first = await fetchAll(connector, { cursor: null, options });
    expect(secretNumbers(first.records).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 250 }, (_, i) => 100 + i),
    );
    expect(first.records.filter(({ security_advisory }) => security_advisory !== undefined)).toHaveLength(1);
    expect(JSON.stringify(first.records)).not.toMatch(/planted-literal|must-not-travel/);
    expect((await fetchAll(connector, { cursor: first.cursor, options })).records).toEqual([]);
  });

  it('finds an alert of the same second as the newest known, and a known one that changed', async () => {
    const at = minutesAgo(10);
    await add(alerts(100, 2, () => at));
    const first = await fetchAll(connector, { cursor: null, options });
    await add(alerts(102, 1, () => at));
    const second = await fetchAll(connector, { cursor: first.cursor, options });
    expect(secretNumbers(second.records)).toEqual([102]);
    await add(alerts(100, 1, () => minutesAgo(1)));
    const third = await fetchAll(connector, { cursor: second.cursor, options });
    expect(secretNumbers(third.records)).toEqual([100]);
  });

  it('come in smaller pages where they are large together, and one that is too large alone is told once', async () => {
    const large = alerts(100, 60, (index) => minutesAgo(60 - index)).map((alert, index) => ({
      ...alert,
      html_url: 'x'.repeat(index % 30 === 7 ? 60_000 : 2_000),
    }));
    await add(large);
    const context = {
      ...actionContext(smallAnswers(connector.egress(), 40_000), { config: config(connector.url()) }),
      now: () => new Date(),
    };
    const own = { sources: ['secret_scanning'] };
    const first = await poll(github, context, { options: own });
    const expected = Array.from({ length: 60 }, (_, index) => 100 + index).filter((n) => n !== 107 && n !== 137);
    expect(secretNumbers(first.records).toSorted((a, b) => a - b)).toEqual(expected);
    expect(first.leftOut).toBe(2);
    const again = await poll(github, context, { options: own, cursor: first.cursor });
    expect(again).toMatchObject({ records: [], leftOut: 0 });
  });

  it.each([
    ['sort=updated&per_page=100&after=Y3Vy', 25, 'sort=updated&per_page=25&after=Y3Vy'],
    ['per_page=100&page=2', 25, 'per_page=25&page=5'],
    // Pages of six would not begin where the one before ended.
    ['per_page=100&page=2', 6, 'per_page=5&page=21'],
    ['page=26&per_page=5', 100, 'page=6&per_page=25'],
    ['after=Y3Vy', 25, 'after=Y3Vy'],
  ])('go on with %s by pages of %s: %s', (given, size, expected) => {
    expect(withPageSize(given, size)).toBe(expected);
  });

  it('loses nothing when it is cut off in the middle of a sweep', async () => {
    await add(alerts(100, 150, () => minutesAgo(30)));
    const first = await connector.fetchEvents(null, options);
    expect(first.hasMore).toBe(true);
    await add(alerts(300, 1, () => minutesAgo(1)));
    const rest = await fetchAll(connector, { cursor: first.cursor, options });
    const next = await fetchAll(connector, { cursor: rest.cursor, options });
    const all = [...first.records, ...rest.records, ...next.records];
    expect(new Set(secretNumbers(all))).toEqual(new Set([...Array.from({ length: 150 }, (_, i) => 100 + i), 300]));
  });
});
