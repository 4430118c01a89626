import { expect, it } from 'vitest';
import type { LogVolume } from '../log-report/log-report-service.ts';
import { automationPeriod, volumeFacts } from './gather-facts.ts';
import { octoberFacts } from './pdf/facts-fixture.ts';
import { reportTables } from './report-tables.ts';

const source = (at: number, events: number): LogVolume['sources'][number] => ({
  ...{ id: `source ${at}`, name: `Source ${at}`, kind: 'syslog', connector_id: null, deleted: false },
  ...{ events, bytes: 10 * events, previous_events: 0, last_event_at: null, events_by_day: [events] },
});
const volumeOf = (events: readonly number[], beyond: { events: number; sent: number }): LogVolume => {
  const total = { events: 100, bytes: 1_000 };
  return {
    ...{ total, previous: { events: 0, bytes: 0 }, by_day: [] },
    sources: events.map((count, at) => source(at, count)),
    other_sources: { sources: 900, events: beyond.events, bytes: 0 },
    source_counts: { sent: events.filter((count) => count > 0).length + beyond.sent, silent: 900, never_sent: 0 },
    silent_sources: [],
  };
};

it('the other sources of the volume are those that sent something, however many there are', () => {
  const facts = volumeFacts(volumeOf([20, 10, 9, 8, 7, 6, 5, 4, 3, 2, 0, 0], { events: 0, sent: 0 }));
  expect(facts.sources).toHaveLength(8);
  expect(facts.other).toEqual({ sources: 2, events: 5, bytes: 50 });
  const many = volumeFacts(volumeOf([20, 10, 9, 8, 7, 6, 5, 4, 3, 2], { events: 7, sent: 6 }));
  expect(many.other).toEqual({ sources: 8, events: 12, bytes: 50 });
});

it('says how many sources are silent beyond those it names', () => {
  const silent = Array.from({ length: 25 }, (_, at) => ({ ...source(at, 0), reason: 'day' as const }));
  const counts = { sent: 1, silent: 25, never_sent: 0 };
  const facts = volumeFacts({
    ...volumeOf([20], { events: 0, sent: 0 }),
    silent_sources: silent,
    source_counts: counts,
  });
  expect([facts.silent.length, facts.silent_more]).toEqual([20, 5]);
});

it('has what other sources sent in its file as on its page', () => {
  const volume = volumeFacts(volumeOf([20, 10, 9, 8, 7, 6, 5, 4, 3, 2], { events: 7, sent: 6 }));
  const { rows } = reportTables.sources(octoberFacts({ volume }));
  expect([...rows].at(-1)).toEqual(['8 other sources', 12, 50, null]);
});

it('a volume whose sources are all named has no others', () => {
  expect(volumeFacts(volumeOf([20, 10, 0], { events: 0, sent: 0 })).other.sources).toBe(0);
});

it('says from when on runs are counted, where some of the period were deleted', () => {
  const report = {
    ...{ playbook_count: 3, action_count: 7, time_saved_minutes: 35, kept_from: '2026-10-12T00:00:00.000Z' },
    playbook_results: { success: 2, error: 1, cancelled: 0, waiting: 0, running: 0, pending: 0 },
  };
  const figures = { runs: 3, actions: 7, failed_runs: 1, minutes_saved: 35 };
  const october = automationPeriod(report, { start: new Date('2026-10-01') });
  expect(october).toEqual({ ...figures, kept_from: '2026-10-12T00:00:00.000Z' });
  expect(automationPeriod(report, { start: new Date('2026-11-01') })).toEqual(figures);
});
