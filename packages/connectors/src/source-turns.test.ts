import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { describe, expect, it } from 'vitest';
import { actionContext } from './sandbox-fixture.ts';
import { fetchInTurns } from './source-turns.ts';

type Source = 'logs' | 'alerts' | 'findings';

const names = { logs: 'The log', alerts: 'Alerts', findings: 'Findings' };
const refused = new VendorError('VENDOR_PERMISSION_MISSING', 'It says no (HTTP 403).', { retryAfterS: 30 });

/** Sources with so many pages each; those in `failing` throw instead. */
function vendor(pages: Partial<Record<Source, number>>, failing: Partial<Record<Source, Error>> = {}) {
  const chosen = Object.keys(pages) as [Source, ...Source[]];
  const read = async (source: Source, { cursor }: FetchContext): Promise<FetchPage> => {
    const error = failing[source];
    if (error !== undefined) throw error;
    const page = (typeof cursor?.page === 'number' ? cursor.page : 0) + 1;
    const isThere = page <= (pages[source] ?? 0);
    const records = isThere ? [{ source, page }] : [];
    return { records, cursor: { page: isThere ? page : page - 1 }, hasMore: page < (pages[source] ?? 0) };
  };
  const clock = { at: new Date('2026-11-20T12:00:00.000Z') };
  const now = () => clock.at;
  const round = async (from: JsonObject | null = null, signal = new AbortController().signal) => {
    const records: unknown[] = [];
    const failures: unknown[] = [];
    let cursor = from;
    for (let calls = 0; calls < 20; calls++) {
      const context = { ...actionContext(noEgress, { config: {}, signal }), now, options: {}, cursor };
      const page = await fetchInTurns(context, { chosen, names, read });
      records.push(...page.records);
      if (page.failure !== undefined) failures.push(page.failure);
      cursor = JSON.parse(JSON.stringify(page.cursor)) as JsonObject;
      if (!page.hasMore) return { records, failures, cursor, completeAt: page.completeAt };
    }
    throw new Error('The round does not end.');
  };
  return { round, failing, clock };
}

const noEgress = { request: () => Promise.reject(new Error('nobody calls out here')) };

describe('sources that take turns', () => {
  it('are each read to their end within a round, and go on from there in the next', async () => {
    const { round } = vendor({ logs: 2, alerts: 1 });
    const first = await round();
    expect(first.records).toEqual([
      { source: 'logs', page: 1 },
      { source: 'logs', page: 2 },
      { source: 'alerts', page: 1 },
    ]);
    expect((await round(first.cursor)).records).toEqual([]);
  });

  it.each(['logs', 'alerts', 'findings'] as const)(
    'go on while %s fails, which is told by its name',
    async (source) => {
      const { round, failing } = vendor({ logs: 1, alerts: 1, findings: 1 }, { [source]: refused });
      const first = await round();
      expect(first.records).toHaveLength(2);
      expect(first.failures).toMatchObject([
        { code: 'VENDOR_PERMISSION_MISSING', message: `${names[source]}: It says no (HTTP 403).`, retryAfterS: 30 },
      ]);
      failing[source] = undefined as never;
      const second = await round(first.cursor);
      expect(second).toMatchObject({ records: [{ source, page: 1 }], failures: [] });
    },
  );

  it.each(['logs', 'alerts', 'findings'] as const)('are not complete in a round in which %s fails', async (source) => {
    const { round, failing } = vendor({ logs: 2, alerts: 1, findings: 2 }, { [source]: refused });
    const first = await round();
    expect(first.completeAt).toBeNull();
    failing[source] = undefined as never;
    expect((await round(first.cursor)).completeAt).toBe('2026-11-20T12:00:00.000Z');
  });

  it('are complete as of the one that was read first, however long others were away', async () => {
    const away = new VendorError('VENDOR_CREDENTIALS_REFUSED', 'No.');
    const { round, failing, clock } = vendor({ logs: 1, alerts: 1 }, { alerts: away });
    const kept = { turn: 1, marks: { logs: { page: 1 } }, ended: { logs: '2026-11-20T12:00:00.000Z' } };
    clock.at = new Date('2026-11-22T12:00:00.000Z');
    await expect(round(kept)).rejects.toBe(away);
    failing.alerts = undefined as never;
    const { completeAt, cursor } = await round(kept);
    expect(completeAt).toBe('2026-11-20T12:00:00.000Z');
    expect((await round(cursor)).completeAt).toBe('2026-11-22T12:00:00.000Z');
  });

  it('are not complete in a round that began with others', async () => {
    const { round } = vendor({ logs: 1, alerts: 1 });
    const ofOthers = { turn: 1, marks: {}, ended: { findings: '2026-11-20T11:00:00.000Z' } };
    expect((await round(ofOthers)).completeAt).toBeNull();
  });

  it('tell of a vendor that is away, once for each', async () => {
    const away = new EgressError('CONNECT_FAILED', 'id.example could not be reached.');
    const { failures, records } = await vendor({ logs: 1, alerts: 1 }, { logs: away, alerts: away }).round();
    expect({ failures, records }).toEqual({ failures: [away, away], records: [] });
  });

  it.each([
    ['credentials that are refused', new VendorError('VENDOR_CREDENTIALS_REFUSED', 'No.'), { logs: 1, alerts: 1 }],
    ['a mistake of ours', new TypeError('oops'), { logs: 1, alerts: 1 }],
    ['the only source', refused, { logs: 1 }],
  ])('end with %s', async (_what, error, pages) => {
    await expect(vendor(pages, { logs: error }).round()).rejects.toBe(error);
  });

  it('end when they are stopped', async () => {
    const stopped = new EgressError('ABORTED', 'The call was ended.');
    const { round } = vendor({ logs: 1, alerts: 1 }, { logs: stopped });
    await expect(round(null, AbortSignal.abort())).rejects.toBe(stopped);
  });
});
