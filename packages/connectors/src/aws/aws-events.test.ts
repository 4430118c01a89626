import type { Egress } from '@airdeck/connector-kit/egress';
import type { JsonObject } from '@airdeck/contracts/fields';
import { AWS_ACCESS_KEY_ID } from '@airdeck/simulator/sandbox/aws-data';
import { beforeEach, describe, expect, it } from 'vitest';
import { useConnector, vendorFailure } from '../connector-fixture.ts';
import { fetchPage, poll, smallAnswers } from '../fetch-fixture.ts';
import { actionContext, sandboxKeys } from '../sandbox-fixture.ts';
import { aws } from './aws.ts';

const MINUTE_MS = 60_000;

const config = (url: string): JsonObject => ({
  region: 'eu-central-1',
  access_key_id: AWS_ACCESS_KEY_ID,
  secret_access_key: sandboxKeys.aws,
  endpoint_url: url,
});

describe('events of AWS', () => {
  const connector = useConnector(aws, config);
  const { control } = connector;
  let began: number;
  beforeEach(async () => {
    await control('DELETE', 'history');
    began = Math.floor(Date.now() / 1000) * 1000;
  });

  /** A moment some minutes from now; the stand-in takes signatures of a quarter of an hour. */
  const at = (minutes: number) => new Date(began + minutes * MINUTE_MS).toISOString();
  const contextAt = (minutes: number) => ({
    ...actionContext(connector.egress(), { config: config(connector.url()) }),
    now: () => new Date(began + minutes * MINUTE_MS),
  });
  const options = (source: string): JsonObject => ({ sources: [source], lookback_hours: 2 });
  const fetched = (source: string, minutes: number, cursor: JsonObject | null = null) =>
    poll(aws, contextAt(minutes), { cursor, options: options(source) });
  const numbers = (count: number) => Array.from({ length: count }, (_none, index) => index);

  describe('findings of GuardDuty', () => {
    const ids = (records: readonly JsonObject[]) => records.map(({ id }) => String(id));

    it('come completely and once, also where one moment has more than a page', async () => {
      const findings = numbers(130).map((index) => ({ id: `f${index}`, updatedAt: at(-60 + Math.floor(index / 60)) }));
      await control('POST', 'findings', findings);
      const first = await fetched('guardduty', 0);
      expect(first.pages).toBeGreaterThan(2);
      expect(ids(first.records)).toEqual(findings.map(({ id }) => id));
      expect((await fetched('guardduty', 1, first.cursor)).records).toEqual([]);
    });

    it('come again when they change, and when they were late', async () => {
      await control('POST', 'findings', [{ id: 'one', updatedAt: at(-10) }]);
      const first = await fetched('guardduty', 0);
      await control('POST', 'findings', [
        { id: 'one', updatedAt: at(-5) },
        { id: 'late', updatedAt: at(-12) },
      ]);
      const second = await fetched('guardduty', 1, first.cursor);
      expect(ids(second.records)).toEqual(['late', 'one']);
    });

    describe('that change between the call that lists them and the one that reads them', () => {
      /** Changes findings right after the first list, as detectors do while something is going on. */
      const changing = (...changed: JsonObject[]) => {
        let left = 1;
        const egress: Egress = {
          async request(request) {
            const answer = await connector.egress().request(request);
            if (request.url.endsWith('/findings') && left > 0) {
              left -= 1;
              await control('POST', 'findings', changed);
            }
            return answer;
          },
        };
        return { ...contextAt(0), egress };
      };
      const versions = (records: readonly JsonObject[]) => records.map(({ id, updatedAt }) => `${id} ${updatedAt}`);
      const expectAll = (records: readonly JsonObject[], findings: readonly JsonObject[]) => {
        expect(new Set(ids(records))).toEqual(new Set(findings.map(({ id }) => String(id))));
        expect(new Set(versions(records)).size).toBe(records.length);
      };

      it.each<[string, number[]]>([
        ['in the middle of a page', [10]],
        ['at the end of a page', [49]],
        ['in the whole second half of a page', numbers(25).map((index) => index + 25)],
      ])('come once as they are now, and none behind them is lost: %s', async (_where, places) => {
        const findings = numbers(130).map((index) => ({ id: `f${index}`, updatedAt: at(-100 + index / 2) }));
        await control('POST', 'findings', findings);
        const context = changing(...places.map((index) => ({ id: `f${index}`, updatedAt: at(-0.1) })));
        const { records, cursor } = await poll(aws, context, { options: options('guardduty') });
        expectAll(records, findings);
        expect(records).toHaveLength(findings.length);
        expect((await fetched('guardduty', 1, cursor)).records).toEqual([]);
      });

      it('are not lost either while more than a page changes within minutes', async () => {
        const findings = numbers(130).map((index) => ({ id: `f${index}`, updatedAt: at(-2 + index / 100) }));
        await control('POST', 'findings', findings);
        const context = changing(...[10, 49].map((index) => ({ id: `f${index}`, updatedAt: at(-0.1) })));
        const first = await poll(aws, context, { options: options('guardduty') });
        const second = await fetched('guardduty', 1, first.cursor);
        expectAll([...first.records, ...second.records], findings);
        expect((await fetched('guardduty', 2, second.cursor)).records).toEqual([]);
      });

      it('are not lost either when a poll among them breaks off and goes on much later', async () => {
        const findings = numbers(130).map((index) => ({ id: `f${index}`, updatedAt: at(-2 + index / 100) }));
        await control('POST', 'findings', findings);
        const asked = { cursor: null, options: options('guardduty') };
        const first = await fetchPage(aws, contextAt(0), asked);
        await control('POST', 'findings', [
          { id: 'f10', updatedAt: at(0.5) },
          { id: 'new', updatedAt: at(12) },
        ]);
        const second = await fetched('guardduty', 13, first.cursor);
        const third = await fetched('guardduty', 14, second.cursor);
        expectAll([...first.records, ...second.records, ...third.records], [...findings, { id: 'new' }]);
      });

      it('are read from their time on when a page token has expired', async () => {
        const findings = numbers(130).map((index) => ({ id: `f${index}`, updatedAt: at(-2 + index / 100) }));
        await control('POST', 'findings', findings);
        const asked = { cursor: null, options: options('guardduty') };
        const first = await fetchPage(aws, contextAt(0), asked);
        expect(first.hasMore).toBe(true);
        await control('POST', 'expire-pages');
        const rest = await poll(aws, contextAt(0), { ...asked, cursor: first.cursor });
        expect(ids([...first.records, ...rest.records])).toEqual(findings.map(({ id }) => id));
      });
    });

    it('come on where one of a full page is gone before it is read', async () => {
      const findings = numbers(60).map((index) => ({ id: `f${index}`, updatedAt: at(-100 + index / 2) }));
      await control('POST', 'findings', findings);
      const egress: Egress = {
        async request(request) {
          const answer = await connector.egress().request(request);
          if (!request.url.endsWith('/findings/get')) return answer;
          const { findings: found } = JSON.parse(answer.text) as { findings: JsonObject[] };
          return { ...answer, text: JSON.stringify({ findings: found.filter(({ id }) => id !== 'f7') }) };
        },
      };
      const { records } = await poll(aws, { ...contextAt(0), egress }, { options: options('guardduty') });
      expect(ids(records)).toEqual(findings.map(({ id }) => id).filter((id) => id !== 'f7'));
    });

    it('come in smaller pages where they are large together, and one that is too large alone is told once', async () => {
      const findings = numbers(60).map((index) => ({ id: `f${index}`, updatedAt: at(-100 + index / 2) }));
      await control('POST', 'findings', findings);
      const large: Egress = {
        async request(request) {
          const answer = await connector.egress().request(request);
          if (!request.url.endsWith('/findings/get')) return answer;
          const { findings: found } = JSON.parse(answer.text) as { findings: JsonObject[] };
          const length = ({ id }: JsonObject) => (id === 'f7' || id === 'f37' ? 60_000 : 2_000);
          const longer = found.map((finding) => ({ ...finding, description: 'x'.repeat(length(finding)) }));
          return { ...answer, text: JSON.stringify({ findings: longer }) };
        },
      };
      const narrow = { ...contextAt(0), egress: smallAnswers(large, 40_000) };
      const asked = { options: options('guardduty') };
      const first = await poll(aws, narrow, asked);
      expect(ids(first.records)).toEqual(findings.map(({ id }) => id).filter((id) => id !== 'f7' && id !== 'f37'));
      expect(first.leftOut).toBe(2);
      expect(await poll(aws, narrow, { ...asked, cursor: first.cursor })).toMatchObject({ records: [], leftOut: 0 });
    });

    it('can be narrowed by severity', async () => {
      await control('POST', 'findings', [
        { id: 'low', updatedAt: at(-5), severity: 2 },
        { id: 'high', updatedAt: at(-4), severity: 8 },
      ]);
      const chosen = { ...options('guardduty'), min_severity: 7 };
      expect(ids((await poll(aws, contextAt(0), { options: chosen })).records)).toEqual(['high']);
    });
  });

  describe('events of CloudTrail', () => {
    const ids = (records: readonly JsonObject[]) => records.map(({ eventID }) => String(eventID));
    const trail = (count: number, minutesAgo: number) =>
      numbers(count).map((index) => ({ EventId: `e${minutesAgo}-${index}`, time: at(-minutesAgo + index / 60) }));

    const marksOf = (cursor: JsonObject | null) =>
      (cursor as { marks: { cloudtrail: JsonObject } } | null)?.marks.cloudtrail ?? {};

    it('come completely and once over pages and windows, the oldest window first', async () => {
      const [old, fresh] = [trail(120, 100), trail(70, 20)];
      await control('POST', 'trail-events', [...old, ...fresh]);
      const { records, cursor } = await fetched('cloudtrail', 0);
      const expected = [...old, ...fresh].map(({ EventId }) => EventId);
      expect(ids(records).toSorted()).toEqual(expected.toSorted());
      expect(
        ids(records)
          .slice(0, 120)
          .every((id) => id.startsWith('e100-')),
      ).toBe(true);
      expect((await fetched('cloudtrail', 1, cursor)).records).toEqual([]);
    });

    it('are found when they become visible minutes late, and then once', async () => {
      await control('POST', 'trail-events', trail(3, 20));
      let { cursor } = await fetched('cloudtrail', 0);
      await control('POST', 'trail-events', [{ EventId: 'late', time: at(-12) }]);
      const found: string[] = [];
      for (const minute of [1, 6, 7, 12]) {
        const next = await fetched('cloudtrail', minute, cursor);
        cursor = next.cursor;
        found.push(...ids(next.records));
      }
      expect(found).toEqual(['late']);
    });

    it('that are new come with the next poll, without reading everything again', async () => {
      await control('POST', 'trail-events', trail(60, 10));
      const { cursor } = await fetched('cloudtrail', 0);
      await control('POST', 'trail-events', [{ EventId: 'new', time: at(0.5) }]);
      const next = await fetched('cloudtrail', 1, cursor);
      expect(ids(next.records)).toEqual(['new']);
      expect(next.pages).toBe(1);
    });

    it('are given again by a cursor that was not stored, as after a crash', async () => {
      await control('POST', 'trail-events', trail(120, 20));
      const asked = { cursor: null, options: { ...options('cloudtrail'), lookback_hours: 1 } };
      const first = await fetchPage(aws, contextAt(0), asked);
      expect(first).toMatchObject({ hasMore: true });
      const second = () => fetchPage(aws, contextAt(0), { ...asked, cursor: first.cursor });
      const [lost, repeated] = [await second(), await second()];
      expect(ids(repeated.records)).toEqual(ids(lost.records));
      expect(new Set([...ids(first.records), ...ids(repeated.records)]).size).toBe(100);
    });

    it('are neither lost nor doubled when a page token expires', async () => {
      await control('POST', 'trail-events', trail(120, 20));
      const asked = { cursor: null, options: { ...options('cloudtrail'), lookback_hours: 1 } };
      const first = await fetchPage(aws, contextAt(0), asked);
      await control('POST', 'expire-pages');
      const rest = await poll(aws, contextAt(0), { ...asked, cursor: first.cursor });
      const all = [...ids(first.records), ...ids(rest.records)];
      expect(all).toHaveLength(120);
      expect(new Set(all).size).toBe(120);
    });

    it('go on from what an earlier release had seen, by id', async () => {
      const events = trail(70, 10);
      await control('POST', 'trail-events', events);
      const { cursor } = await fetched('cloudtrail', 0);
      const seen = Object.fromEntries(events.map(({ EventId, time }) => [EventId, Date.parse(time)]));
      const kept = { turn: 0, marks: { cloudtrail: { ...marksOf(cursor), seen } } };
      expect((await fetched('cloudtrail', 6, kept)).records).toEqual([]);
      const blind = { turn: 0, marks: { cloudtrail: { ...marksOf(cursor), seen: {} } } };
      expect((await fetched('cloudtrail', 6, blind)).records).toHaveLength(70);
    });

    it('come in smaller pages where they are large together, and one that is too large alone is told once', async () => {
      const large = trail(60, 20).map((event, index) => {
        const text = { eventID: event.EventId, text: 'x'.repeat(index % 30 === 7 ? 60_000 : 2_000) };
        return { ...event, CloudTrailEvent: JSON.stringify(text) };
      });
      await control('POST', 'trail-events', large);
      const narrow = { ...contextAt(0), egress: smallAnswers(connector.egress(), 40_000) };
      const asked = { options: { ...options('cloudtrail'), lookback_hours: 1 } };
      const first = await poll(aws, narrow, asked);
      const expected = large.map(({ EventId }) => EventId).filter((id) => id !== 'e20-7' && id !== 'e20-37');
      expect(ids(first.records).toSorted()).toEqual(expected.toSorted());
      expect(first.leftOut).toBe(2);
      const later = { ...contextAt(6), egress: narrow.egress };
      expect(await poll(aws, later, { ...asked, cursor: first.cursor })).toMatchObject({ records: [], leftOut: 0 });
    });

    it('are told apart by few bytes each, so that a busy account fits', async () => {
      await control('POST', 'trail-events', trail(500, 10));
      const { cursor } = await fetched('cloudtrail', 0);
      expect(JSON.stringify(marksOf(cursor).seen).length / 500).toBeLessThan(30);
    });

    it('are kept as the answer has them when their text is not JSON', async () => {
      await control('POST', 'trail-events', [{ EventId: 'odd', time: at(-3), CloudTrailEvent: '{cut' }]);
      expect((await fetched('cloudtrail', 0)).records).toMatchObject([{ EventId: 'odd', CloudTrailEvent: '{cut' }]);
    });

    it('go on where they were after a throttled call', async () => {
      await control('POST', 'trail-events', trail(3, 20));
      connector.disturb('rate_limited');
      expect(await vendorFailure(fetched('cloudtrail', 0))).toMatchObject({
        code: 'VENDOR_RATE_LIMITED',
        retryable: true,
      });
      expect((await fetched('cloudtrail', 0)).records).toHaveLength(3);
    });
  });

  it('of one source come also while the other one refuses', async () => {
    await control('POST', 'trail-events', [{ EventId: 'two', time: at(-10) }]);
    const both = { sources: ['cloudtrail', 'guardduty'], lookback_hours: 1 };
    connector.disturb('forbidden', { path: '/detector' });
    const { records, failures } = await poll(aws, contextAt(0), { options: both });
    expect(records).toHaveLength(1);
    expect(failures).toMatchObject([
      { code: 'VENDOR_PERMISSION_MISSING', message: expect.stringMatching(/^Findings of GuardDuty: /) },
    ]);
  });

  it('take turns within a round', async () => {
    await control('POST', 'findings', [{ id: 'one', updatedAt: at(-10) }]);
    await control('POST', 'trail-events', [{ EventId: 'two', time: at(-10) }]);
    const both = { sources: ['cloudtrail', 'guardduty'], lookback_hours: 1 };
    const { records, cursor } = await poll(aws, contextAt(0), { options: both });
    expect(records).toHaveLength(2);
    expect((await poll(aws, contextAt(1), { cursor, options: both })).records).toEqual([]);
  });
});
