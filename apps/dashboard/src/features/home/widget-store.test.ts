import { expect, test } from 'vitest';
import { parseWidgets, readWidgets, WIDGETS_KEY, writeWidgets } from './widget-store.ts';
import { defaultWidgets, moved, withSpan } from './widgets.ts';

function memory(initial?: string) {
  const values = new Map(initial === undefined ? [] : [[WIDGETS_KEY, initial]]);
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

const types = (widgets: readonly { type: string }[]) => widgets.map(({ type }) => type);

test('the default set stands in the order and sizes of the specification', () => {
  expect(defaultWidgets.map(({ type, data }) => [type, data.size, data.period])).toEqual([
    ['log_volume', 1, 'LAST_7_DAYS'],
    ['manual_mttd', 1, 'LAST_7_DAYS'],
    ['manual_mttr', 1, 'LAST_7_DAYS'],
    ['events_processed', 1, 'LAST_7_DAYS'],
    ['automated_mttd', 1, 'LAST_7_DAYS'],
    ['automated_mttr', 1, 'LAST_7_DAYS'],
    ['high_alerts', 1, 'LAST_7_DAYS'],
    ['triggered_alerts', 2, 'LAST_7_DAYS'],
    ['medium_alerts', 1, 'LAST_7_DAYS'],
    ['low_alerts', 1, 'LAST_7_DAYS'],
    ['alert_history', 2, 'LAST_7_DAYS'],
  ]);
});

test('what is written is read again', () => {
  const storage = memory();
  const changed = moved(defaultWidgets, 'alert_history', 0).map((widget) =>
    widget.type === 'log_volume'
      ? withSpan(widget, { period: 'CUSTOM', range: { from: '2026-11-03', to: '2026-11-09' } })
      : widget,
  );
  writeWidgets(storage, changed);
  expect(readWidgets(storage)).toEqual(changed);
});

test('the default set is stored as nothing', () => {
  const storage = memory('[]');
  writeWidgets(storage, defaultWidgets);
  expect(storage.values.size).toBe(0);
});

test.each([undefined, 'no json', 'null', '{}', '[]', '[1, null, {"type": "unknown"}]'])(
  'the default set stands in for %j',
  (stored) => {
    expect(readWidgets(memory(stored))).toEqual(defaultWidgets);
  },
);

test('repeated and unknown widgets go, missing ones come in at their default place', () => {
  const stored = [{ type: 'low_alerts' }, { type: 'pie' }, { type: 'low_alerts' }, { type: 'log_volume' }];
  const widgets = parseWidgets(stored);
  expect(new Set(types(widgets)).size).toBe(defaultWidgets.length);
  expect(types(widgets).indexOf('low_alerts')).toBeLessThan(types(widgets).indexOf('log_volume'));
  expect(types(widgets).at(-1)).toBe('alert_history');
});

test.each([
  [{ period: 'LAST_30_DAYS' }, { period: 'LAST_30_DAYS' }],
  [{ period: 'LAST_YEAR' }, { period: 'LAST_7_DAYS' }],
  [{ period: 'CUSTOM' }, { period: 'LAST_7_DAYS' }],
  [{ period: 'CUSTOM', range: { from: '2026-02-10', to: '2026-02-01' } }, { period: 'LAST_7_DAYS' }],
  [{ period: 'CUSTOM', range: { from: '2026-02-30', to: '2026-03-01' } }, { period: 'LAST_7_DAYS' }],
  [
    { name: '  ', size: 7 },
    { name: 'Log volume', size: 1 },
  ],
  [
    { name: 'Volume', size: 2 },
    { name: 'Volume', size: 2 },
  ],
])('stored data %j is read as %j', (data, read) => {
  const [first] = parseWidgets([{ type: 'log_volume', data }]);
  expect(first?.data).toMatchObject(read);
  expect(first?.data.range).toBeUndefined();
});

test('a stored id is never taken over', () => {
  expect(parseWidgets([{ id: 'constructor', type: 'log_volume' }])[0]?.id).toBe('log_volume');
});

test.each([
  ['a', 2, 'bca'],
  ['c', 0, 'cab'],
  ['b', 9, 'acb'],
  ['x', 0, 'abc'],
])('moving %s to %i gives %s', (id, to, order) => {
  const widgets = ['a', 'b', 'c'].map(
    (each) => ({ ...defaultWidgets[0], id: each }) as (typeof defaultWidgets)[number],
  );
  expect(
    moved(widgets, id, to)
      .map((widget) => widget.id)
      .join(''),
  ).toBe(order);
});
