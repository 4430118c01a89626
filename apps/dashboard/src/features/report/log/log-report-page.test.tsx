import { type LogReport, logReportSchema } from '@airdeck/contracts/reports/log-report';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
// Loaded with the file, or the first test would wait for it.
import './log-report-page.tsx';

vi.setConfig({ testTimeout: 30_000 });
type Source = LogReport['sources'][number];
type Silent = LogReport['silent_sources'][number];

const known = (n: number, name: string) => ({
  ...{ id: `01920000-0000-7000-8000-0000000005${String(n).padStart(2, '0')}`, name, kind: 'syslog' as const },
  ...{ connector_id: null, deleted: false, previous_events: 0 },
});
const source = (n: number, name: string, events: number): Source => ({
  ...{ ...known(n, name), events, bytes: events * 10, events_by_day: [events] },
  last_event_at: events === 0 ? null : '2026-11-21T10:00:00.000Z',
});
const unheard = (n: number, name: string): Silent => ({
  ...{ ...known(n, name), events: 0, last_event_at: null, reason: 'never' },
});

function open(given: Partial<LogReport> = {}) {
  const report = logReportSchema.parse({
    ...{ start_time: '2026-11-21T00:00:00.000Z', end_time: '2026-11-22T00:00:00.000Z', time_zone: 'UTC' },
    ...{ total: { events: 7, bytes: 70 }, previous: { events: 7, bytes: 70 } },
    by_day: [{ day: '2026-11-21', events: 7, bytes: 70 }],
    sources: [source(1, 'Firewall', 7)],
    other_sources: { sources: 0, events: 0, bytes: 0 },
    source_counts: { sent: 1, silent: 0, never_sent: 0 },
    ...{ hosts: [], src_ips: [], talkers_complete: true, silent_sources: [] },
    retention: { days: 90, plan_days: 90, search_days: 30, oldest_event_at: null, oldest_known: true },
    ...given,
  });
  showApp('/report/graylog', {
    me: userWith({ own: 'Admin' }),
    answers: { [`GET /api/tenants/${ownTenant}/reports/log_collection`]: () => Response.json(report) },
  });
}

/** A figure and its note, as they are read. */
const figure = async (name: string) => (await screen.findByText(name, { selector: 'dt' })).parentElement?.textContent;

test('only sources with events count as having sent, not every one that is listed', async () => {
  open({ sources: [source(1, 'Firewall', 7), source(2, 'Printer', 0)] });
  expect(await figure('Sources that sent')).toBe('Sources that sent1');
});

test('a source that was set up and never sent is named, instead of an all-clear', async () => {
  open({
    sources: [source(1, 'Firewall', 7), source(2, 'Printer', 0)],
    source_counts: { sent: 1, silent: 1, never_sent: 1 },
    silent_sources: [unheard(2, 'Printer')],
  });
  expect(await figure('Silent sources')).toBe('Silent sources11 of them has never sent anything');
  const table = within(screen.getByRole('region', { name: 'Table of silent sources' }));
  expect(table.getByRole('row', { name: /^Printer.*Set up, never sent anything.*Never$/ })).toBeDefined();
  expect(screen.queryByText(/every source has sent/)).toBeNull();
});

test('silent sources beyond the list are counted, and said to be in the file', async () => {
  open({ source_counts: { sent: 1, silent: 130, never_sent: 130 }, silent_sources: [unheard(2, 'Printer')] });
  expect(await figure('Silent sources')).toContain('Silent sources130');
  expect(screen.getByText('And 129 more; the file has them all.')).toBeDefined();
});

test('that every source sends is said where it is so', async () => {
  open();
  expect(await figure('Silent sources')).toBe('Silent sources0Everything that is known sends');
  expect(screen.getByText('None: every source has sent something within a day.')).toBeDefined();
});

test('where nothing is set up, nothing is said to send', async () => {
  open({ sources: [], source_counts: { sent: 0, silent: 0, never_sent: 0 } });
  expect(await figure('Silent sources')).toBe('Silent sources0No source is set up');
  expect(screen.getByRole('link', { name: 'Set up a source' }).getAttribute('href')).toBe('/integrations/sources');
  expect(screen.queryByText(/every source has sent/)).toBeNull();
});

test('an oldest event that could not be looked for is not taken for an empty store', async () => {
  open({
    retention: { days: 90, plan_days: 90, search_days: 30, oldest_event_at: null, oldest_known: false },
  });
  expect(await figure('Kept for')).toBe('Kept for90 daysOldest event not known: too many to look through in time');
});
