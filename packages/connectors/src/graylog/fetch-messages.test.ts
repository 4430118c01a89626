import type { JsonObject } from '@airdeck/contracts/fields';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fetchPage, poll, smallAnswers } from '../fetch-fixture.ts';
import { actionContext, failureOf, sandboxKeys, startVendorFixture } from '../sandbox-fixture.ts';
import { graylog } from './graylog.ts';

describe('log messages of Graylog against the sandbox', () => {
  let fixture: Awaited<ReturnType<typeof startVendorFixture>>;
  let nowMs: number;
  beforeAll(async () => {
    fixture = await startVendorFixture();
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    fixture.sandbox.reset();
    nowMs = Date.now();
  });

  const context = () => ({
    ...actionContext(fixture.egress, {
      config: { base_url: `${fixture.sandbox.url}/graylog`, api_token: sandboxKeys.graylog },
    }),
    now: () => new Date(nowMs),
  });
  const at = (seconds: number) => new Date(Math.trunc(nowMs / 1000) * 1000 + seconds * 1000).toISOString();
  const messages = (from: number, count: number, timestamp: string, extra: JsonObject = {}) =>
    Array.from({ length: count }, (_, index) => ({ _id: `m-${from + index}`, timestamp, ...extra }));
  const add = async (list: readonly JsonObject[]) => {
    for (let start = 0; start < list.length; start += 2000) {
      await fetch(`${fixture.sandbox.url}/graylog/sandbox/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(list.slice(start, start + 2000)),
      });
    }
  };
  const idsOf = (records: readonly JsonObject[]) => records.map((record) => String(record._id));

  it('reads all of them once: page borders, equal times, restarts and what comes later', async () => {
    // 1,230 of one moment: more than two pages, told apart by the offset alone.
    await add([...messages(0, 1230, at(-600)), ...messages(1230, 640, at(-599)), ...messages(1870, 3, at(-100))]);
    const first = await poll(graylog, context());
    expect(new Set(idsOf(first.records)).size).toBe(first.records.length);
    expect(first.records).toHaveLength(60 + 1873);
    expect((await poll(graylog, context(), first)).records).toEqual([]);

    await add([...messages(2000, 2, at(-100)), ...messages(2002, 1, at(-50))]);
    nowMs += 60_000;
    const second = await poll(graylog, context(), first);
    // The newest one seen is a minute old: what is taken in later with an earlier time is not looked for.
    expect(idsOf(second.records)).toEqual(['m-2002']);
    expect((await poll(graylog, context(), second)).records).toEqual([]);
  });

  it('finds messages of the very moment the last round ended at', async () => {
    await add(messages(0, 2, at(-40)));
    const first = await poll(graylog, context());
    expect(idsOf(first.records).slice(-2)).toEqual(['m-0', 'm-1']);
    await add(messages(2, 2, at(-40)));
    expect(idsOf((await poll(graylog, context(), first)).records)).toEqual(['m-2', 'm-3']);
  });

  it('waits for late messages before it goes past their time', async () => {
    await add(messages(0, 1, at(-10)));
    const first = await poll(graylog, context(), { options: { settle_s: 30 } });
    expect(idsOf(first.records)).not.toContain('m-0');
    await add(messages(1, 1, at(-20)));
    nowMs += 40_000;
    const second = await poll(graylog, context(), { cursor: first.cursor, options: { settle_s: 30 } });
    expect(idsOf(second.records)).toEqual(['m-1', 'm-0']);
  });

  it('begins where it is told to, also with nothing at all', async () => {
    const none = await poll(graylog, context(), { options: { lookback_hours: 0 } });
    expect(none.records).toEqual([]);
    await add(messages(0, 1, at(1)));
    nowMs += 60_000;
    expect(idsOf((await poll(graylog, context(), none)).records)).toEqual(['m-0']);
  });

  it('keeps to the query and stream it was given', async () => {
    const stream = '0123456789abcdef01234567';
    await add([
      ...messages(0, 2, at(-60), { streams: [stream], user: 'ada' }),
      ...messages(2, 2, at(-60), { user: 'ada' }),
    ]);
    const options = { query: 'user:ada', stream_id: stream };
    expect(idsOf((await poll(graylog, context(), { options })).records)).toEqual(['m-0', 'm-1']);
  });

  it('catches up after a day, and goes on where a failure interrupted it', async () => {
    await add(Array.from({ length: 1800 }, (_, index) => ({ _id: `m-${index}`, timestamp: at(index - 80_000) })));
    const page = await fetchPage(graylog, context());
    expect(page.hasMore).toBe(true);
    fixture.sandbox.disturb({ vendor: 'graylog', kind: 'unavailable' });
    expect(await failureOf(fetchPage(graylog, context(), { cursor: page.cursor }))).toMatchObject({
      code: 'VENDOR_UNAVAILABLE',
    });
    const rest = await poll(graylog, context(), { cursor: page.cursor });
    const all = [...idsOf(page.records), ...idsOf(rest.records)];
    expect(all).toHaveLength(1860);
    expect(new Set(all).size).toBe(1860);
  });

  it('comes in smaller pages where a page is too large for one answer', async () => {
    const large = { user: 'ada', full_message: 'x'.repeat(10_000) };
    await add([...messages(0, 30, at(-600), large), ...messages(30, 20, at(-599), large)]);
    const small = { ...context(), egress: smallAnswers(fixture.egress, 200_000) };
    const options = { query: 'user:ada' };
    const { records, cursor } = await poll(graylog, small, { options });
    expect(idsOf(records)).toEqual(messages(0, 50, '').map(({ _id }) => _id));
    expect((await poll(graylog, small, { cursor, options })).records).toEqual([]);
  });

  it('goes on behind messages that are too large alone, which are told once', async () => {
    const [small, huge] = [{ user: 'ada' }, { user: 'ada', full_message: 'x'.repeat(100_000) }];
    await add([
      ...messages(0, 5, at(-600), small),
      ...messages(5, 1, at(-600), huge),
      ...messages(6, 5, at(-600), small),
      ...messages(11, 2, at(-590), huge),
      ...messages(13, 1, at(-590), small),
      ...messages(14, 1, at(-580), huge),
    ]);
    const narrow = { ...context(), egress: smallAnswers(fixture.egress, 50_000) };
    const options = { query: 'user:ada' };
    const first = await poll(graylog, narrow, { options });
    expect(idsOf(first.records)).toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 13].map((n) => `m-${n}`));
    expect(first.leftOut).toBe(4);
    // The last one is at the very moment that is read again.
    expect(await poll(graylog, narrow, { cursor: first.cursor, options })).toMatchObject({ records: [], leftOut: 0 });
    await add(messages(20, 2, at(-500), small));
    const next = await poll(graylog, narrow, { cursor: first.cursor, options });
    expect([idsOf(next.records), next.leftOut]).toEqual([['m-20', 'm-21'], 0]);
  });

  it('says so instead of leaving messages out when one moment has more than the server hands out', async () => {
    await add(messages(0, 10_001, at(-600)));
    expect(await failureOf(poll(graylog, context(), { options: { query: 'source:gl-1.example.net' } }))).toMatchObject({
      code: 'VENDOR_ANSWER_UNREADABLE',
      message: expect.stringContaining('more records of one moment'),
    });
  });
});
