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
  writeAlertWidgets(storage, 'ana', arranged);
  expect(readAlertWidgets(storage, 'ana')).toEqual(arranged);
  writeAlertWidgets(storage, 'ana', []);
  expect(readAlertWidgets(storage, 'ana')).toEqual([]);
  writeAlertWidgets(storage, 'ana', defaultAlertWidgets);
  expect(storage.getItem(ALERT_WIDGETS_KEY)).toBeNull();
});

test('what is stored wrongly of a widget falls back, and a widget only the home page has is none', () => {
  const storage = memoryStorage();
  const stored = [
    { type: 'low_alerts', data: { period: 'YEAR', name: 7, size: 9 } },
    { type: 'log_volume', data: { period: 'LAST_7_DAYS', name: 'Log volume', size: 1 } },
  ];
  storage.setItem(ALERT_WIDGETS_KEY, JSON.stringify({ owner: 'ana', widgets: stored }));
  expect(readAlertWidgets(storage, 'ana')).toEqual(defaultAlertWidgets.filter(({ type }) => type === 'low_alerts'));
});

test('what one person arranged is not shown to the next one in the same browser', () => {
  const storage = memoryStorage();
  const [high, ...others] = defaultAlertWidgets as [Widget, ...Widget[]];
  writeAlertWidgets(storage, 'ana', [{ ...high, data: { ...high.data, name: 'Contoso tonight' } }]);
  expect(readAlertWidgets(storage, 'bo')).toEqual([high, ...others]);
});

test('a usual name is not stored, so that each reader has it in their language', () => {
  const storage = memoryStorage();
  writeAlertWidgets(storage, 'ana', defaultAlertWidgets.slice(1));
  expect(storage.getItem(ALERT_WIDGETS_KEY)).not.toContain('name');
});

test('of what the release before stored the periods count, whatever language its names were in', () => {
  const storage = memoryStorage();
  const stored = defaultAlertWidgets.map((widget) => ({
    ...widget,
    data: { ...widget.data, name: 'Histórico', size: 3 },
  }));
  const [high] = stored as [Widget, ...Widget[]];
  storage.setItem(ALERT_WIDGETS_KEY, JSON.stringify([withSpan(high, { period: 'LAST_30_DAYS' }), ...stored.slice(1)]));
  const [usual, ...others] = defaultAlertWidgets as [Widget, ...Widget[]];
  expect(readAlertWidgets(storage, 'ana')).toEqual([withSpan(usual, { period: 'LAST_30_DAYS' }), ...others]);
});

test.each(['', 'no', '{}', 'null', '[1]', '[{"type":"log_volume"}]', '{"owner":"ana","widgets":[1]}'])(
  'what is stored wrongly falls back: %s',
  (text) => {
    const storage = memoryStorage();
    storage.setItem(ALERT_WIDGETS_KEY, text);
    expect(readAlertWidgets(storage, 'ana')).toEqual(defaultAlertWidgets);
  },
);
