import { expect, test } from 'vitest';
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

test('a period is kept, and the default ones leave nothing behind', () => {
  const storage = memoryStorage();
  const range = { from: '2026-11-03', to: '2026-11-09' };
  const changed = defaultAlertWidgets.map((widget) =>
    widget.type === 'low_alerts' ? { ...widget, data: { ...widget.data, period: 'CUSTOM' as const, range } } : widget,
  );
  writeAlertWidgets(storage, changed);
  expect(readAlertWidgets(storage)).toEqual(changed);
  writeAlertWidgets(storage, defaultAlertWidgets);
  expect(storage.getItem(ALERT_WIDGETS_KEY)).toBeNull();
});

test.each(['', 'no', '{}', 'null', '[1]', '[{"type":"low_alerts","data":{"period":"YEAR","name":7,"size":9}}]'])(
  'what is stored wrongly falls back: %s',
  (text) => {
    const storage = memoryStorage();
    storage.setItem(ALERT_WIDGETS_KEY, text);
    expect(readAlertWidgets(storage)).toEqual(defaultAlertWidgets);
  },
);
