import { expect, test } from 'vitest';
import { resized } from '../../components/widgets/widget-changes.ts';
import { type Widget, withSpan } from '../../components/widgets/widgets.ts';
import { memoryStorage } from '../../session/fixtures.ts';
import { ALERT_WIDGETS_KEY, defaultAlertWidgets, readAlertWidgets, writeAlertWidgets } from './alert-widgets.ts';

test('the widgets stand in the order of the specification, each with size and period', () => {
  expect(defaultAlertWidgets.map(({ type, data }) => [type, data.size, data.period])).toEqual([
    ['high_alerts', 1, 'LAST_7_DAYS'],
    ['triggered_alerts', 2, 'LAST_7_DAYS'],
    ['medium_alerts', 1, 'LAST_7_DAYS'],
    ['low_alerts', 1, 'LAST_7_DAYS'],
    ['alert_history', 2, 'LAST_7_DAYS'],
  ]);
});

test('how the widgets are arranged is kept in this browser: place, size, name, period, and which there are', () => {
  const storage = memoryStorage();
  const range = { from: '2026-11-03', to: '2026-11-09' };
  const [high, table, , low, history] = defaultAlertWidgets as [Widget, Widget, Widget, Widget, Widget];
  const arranged = [
    withSpan(low, { period: 'CUSTOM', range }),
    ...resized('alert_history', { columns: 3, rows: 4 })([history]),
    { ...high, data: { ...high.data, name: 'Tonight' } },
    table,
    { ...low, id: 'low_alerts-2' },
  ];
  writeAlertWidgets(storage, arranged);
  expect(readAlertWidgets(storage)).toEqual(arranged);
  writeAlertWidgets(storage, []);
  expect(readAlertWidgets(storage)).toEqual([]);
  writeAlertWidgets(storage, defaultAlertWidgets);
  expect(storage.getItem(ALERT_WIDGETS_KEY)).toBeNull();
});

test('what is stored wrongly of a widget falls back, and a widget only the home page has is none', () => {
  const storage = memoryStorage();
  const stored = [
    { type: 'low_alerts', data: { period: 'YEAR', name: 7, size: 9 } },
    { type: 'log_volume', data: { period: 'LAST_7_DAYS', name: 'Log volume', size: 1 } },
  ];
  storage.setItem(ALERT_WIDGETS_KEY, JSON.stringify(stored));
  expect(readAlertWidgets(storage)).toEqual(defaultAlertWidgets.filter(({ type }) => type === 'low_alerts'));
});

test.each(['', 'no', '{}', 'null', '[1]', '[{"type":"log_volume"}]'])(
  'what is stored wrongly falls back: %s',
  (text) => {
    const storage = memoryStorage();
    storage.setItem(ALERT_WIDGETS_KEY, text);
    expect(readAlertWidgets(storage)).toEqual(defaultAlertWidgets);
  },
);
