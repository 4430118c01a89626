import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { describe, expect, it } from 'vitest';
import { actionContext, failureOf } from './sandbox-fixture.ts';
import type { TimeKeyedSource } from './time-keyed-fetch.ts';
import { fetchByTime } from './time-keyed-fetch.ts';

const START = Date.parse('2026-11-19T12:00:00.000Z');

type Record = { id: string; at: number };

/** A vendor of so many records, asked by time. `asked` holds the times it was asked from. */
function sourceOf(records: Record[], overrides: Partial<TimeKeyedSource> = {}) {
  const asked: number[] = [];
  const source: TimeKeyedSource = {
    vendor: 'Vendor',
    pageSize: 3,
    overlapMs: 100,
    keyOf: (record) => (typeof record.id === 'string' ? record.id : null),
    timeOf: (record) => Number(record.at),
    async page(from, next) {
      asked.push(from.getTime() - START);
      const offset = Number(next ?? 0);
      const found = records.filter((record) => record.at >= from.getTime()).toSorted((a, b) => a.at - b.at);
      const more = found.length > offset + 3;
      return { records: found.slice(offset, offset + 3), next: more ? String(offset + 3) : undefined };
    },
    ...overrides,
  };
  return { source, asked };
}

const record = (id: string, offsetMs: number): Record => ({ id, at: START + offsetMs });
const idsOf = (page: FetchPage) => page.records.map((one) => one.id);
const egress = { request: () => Promise.reject(new Error('not used')) };

function contextOf(cursor: JsonObject | null): FetchContext {
  const context = actionContext(egress, { config: {} });
  return {
    ...context,
    options: {},
    cursor: cursor === null ? null : (JSON.parse(JSON.stringify(cursor)) as JsonObject),
  };
}

async function round(
  source: TimeKeyedSource,
  cursor: JsonObject | null,
): Promise<{ ids: unknown[]; cursor: JsonObject }> {
  const ids: unknown[] = [];
  let at = cursor;
  for (;;) {
    const page: FetchPage = await fetchByTime(contextOf(at), source);
    ids.push(...idsOf(page));
    at = page.cursor;
    if (!page.hasMore) return { ids, cursor: at };
  }
}

describe('fetching by time', () => {
  it('loses nothing and doubles nothing where equal times lie across a page border', async () => {
    const { source } = sourceOf(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id, index) => record(id, index < 5 ? 10 : 20)),
    );
    const first = await round(source, null);
    expect(first.ids).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect((await round(source, first.cursor)).ids).toEqual([]);
  });

  it('looks back for late records, but never before its start', async () => {
    const records = [record('a', 20)];
    const { source, asked } = sourceOf(records);
    const first = await round(source, null);
    records.push(record('late', 5), record('before', -5), record('new', 500));
    const second = await round(source, first.cursor);
    expect(second.ids).toEqual(['late', 'new']);
    expect(asked.every((from) => from >= 0)).toBe(true);
    records.push(record('too late', 100));
    expect((await round(source, second.cursor)).ids).toEqual([]);
  });

  it('asks again from the same place when a page was not stored', async () => {
    const { source } = sourceOf(Array.from({ length: 5 }, (_, index) => record(String(index), index)));
    const page = await fetchByTime(contextOf(null), source);
    const again = await fetchByTime(contextOf(page.cursor), source);
    expect(idsOf(await fetchByTime(contextOf(page.cursor), source))).toEqual(idsOf(again));
    expect(idsOf(again)).toEqual(['3', '4']);
  });

  it('comes to an end at a vendor whose moment never ends', async () => {
    const tie = Array.from({ length: 10 }, (_, index) => record(String(index), 0));
    const { source } = sourceOf(tie, { page: async () => ({ records: tie.slice(0, 3), next: undefined }) });
    expect(await failureOf(round(source, null))).toMatchObject({ code: 'VENDOR_ANSWER_UNREADABLE' });
  });

  it.each<[string, JsonObject[]]>([
    ['without a time', [{ id: 'a', at: 'soon' }]],
    ['without an id', [{ at: START }]],
    ['out of order', [record('a', 30), record('b', 20), record('c', 40)]],
  ])('refuses records %s instead of losing some', async (_name, records) => {
    const { source } = sourceOf([], { page: async () => ({ records, next: undefined }) });
    expect(await failureOf(round(source, null))).toMatchObject({ code: 'VENDOR_ANSWER_UNREADABLE' });
  });

  it('goes on after the last record that cannot have moved, and takes the moved ones once', async () => {
    const records = Array.from({ length: 9 }, (_, index) => record(String(index), index * 10));
    const moved = record('2 moved', 1000);
    const plain = sourceOf(records);
    // The third one changes after the first page was chosen.
    const { source } = sourceOf(records, {
      async page(from, next) {
        const page = await plain.source.page(from, next);
        if (!records.includes(moved)) records[2] = moved;
        return {
          ...page,
          records: page.records.map((one) => (one.id === '2' ? moved : one)),
          settledMs: START + 500,
        };
      },
    });
    expect((await round(source, null)).ids).toEqual(['0', '1', '2 moved', '3', '4', '5', '6', '7', '8']);
  });

  it.each<[string, JsonObject]>([
    ['with id and time', record('huge', 10)],
    ['without either', { more: 1 }],
  ])('leaves out the outline of a record that is too large, %s, once', async (_what, outline) => {
    const { source } = sourceOf([record('a', 5)], {
      async page(_from, next) {
        if (next === undefined) return { records: [outline], next: '1', isFull: true, isOutline: true };
        return { records: [record('b', 10)], next: undefined };
      },
    });
    let cursor: JsonObject | null = null;
    const rounds: unknown[] = [];
    for (let pages = 0; pages < 6; pages++) {
      const page: FetchPage = await fetchByTime(contextOf(cursor), source);
      rounds.push(...idsOf(page), ...Array.from({ length: page.leftOut ?? 0 }, () => 'left out'));
      cursor = page.cursor;
    }
    expect(rounds).toEqual(['left out', 'b']);
  });

  it('goes on where a page says that there is more, however few records it has', async () => {
    const pages = [[record('a', 1)], [], [record('b', 2)]];
    const { source } = sourceOf([], {
      page: async (_from, next) => {
        const at = Number(next ?? 0);
        const more = at + 1 < pages.length;
        return { records: pages[at] ?? [], next: more ? String(at + 1) : undefined, isFull: more, settledMs: START };
      },
    });
    expect((await round(source, null)).ids).toEqual(['a', 'b']);
  });

  it('begins anew with a cursor it cannot read', async () => {
    const { source, asked } = sourceOf([record('a', 20)]);
    await round(source, { start: 7, from: 'x', seen: [['a'], null, 'b'], watermark: {} });
    expect(asked[0]).toBe(0);
  });
});
