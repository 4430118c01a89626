import { expect, test } from 'vitest';
import { defaultWidgets, moved, widgetTypes, withSpan } from '../../components/widgets/widgets.ts';
import { firstStepsOf, kept, parseHidden, parseWidgets, readLayout, WIDGETS_KEY, writeLayout } from './widget-store.ts';

const OWNER = '01a1fb94-b561-76ac-8033-bf029575ae58';

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

test('what is written is read again, by its owner only', () => {
  const storage = memory();
  const widgets = moved(defaultWidgets, 'alert_history', 0)
    .filter(({ type }) => type !== 'low_alerts')
    .map((widget) =>
      widget.type === 'log_volume'
        ? withSpan(
            { ...widget, data: { ...widget.data, size: 3, rows: 1 } },
            { period: 'CUSTOM', range: { from: '2026-11-03', to: '2026-11-09' } },
          )
        : widget,
    );
  const layout = { widgets, hidden: [firstStepsOf('one tenant')], version: 4, changed: true };
  writeLayout(storage, OWNER, layout);
  expect(readLayout(storage, OWNER)).toEqual(layout);
  expect(readLayout(storage, 'somebody else')).toEqual({
    ...{ widgets: defaultWidgets, hidden: [] },
    ...{ version: 0, changed: false },
  });
});

test('the default set is kept as nothing', () => {
  const layout = { widgets: defaultWidgets, hidden: [], version: 2, changed: false };
  expect(kept(layout)).toEqual({ widgets: null, known: [] });
  const storage = memory();
  writeLayout(storage, OWNER, layout);
  expect(storage.values.get(WIDGETS_KEY)).not.toContain('log_volume');
  expect(readLayout(storage, OWNER)).toEqual(layout);
});

test('the usual name of a widget is not kept, as others read it in another language; one of its own is', () => {
  const [first, second] = defaultWidgets;
  if (first === undefined || second === undefined) throw new Error('There are widgets.');
  const renamed = { ...first, data: { ...first.data, name: 'Logs of the plant' } };
  const { widgets, known } = kept({ widgets: [second, renamed], hidden: [] });
  expect(widgets?.map(({ data }) => 'name' in data && data.name)).toEqual([false, 'Logs of the plant']);
  expect(parseWidgets(widgets, known)).toEqual([second, renamed]);
});

test('first steps that were put away stay away, whatever the widgets are', () => {
  const hidden = [firstStepsOf('one'), firstStepsOf('another')];
  for (const widgets of [defaultWidgets, defaultWidgets.slice(3), []]) {
    const page = kept({ widgets, hidden });
    expect(parseHidden(page.known)).toEqual(hidden);
    expect(parseWidgets(page.widgets, page.known)).toEqual(widgets);
  }
  expect(parseHidden(undefined)).toEqual([]);
  expect(parseHidden([1, 'log_volume'])).toEqual([]);
});

test('of more first steps than a profile keeps, the last put away stay away', () => {
  const hidden = Array.from({ length: 600 }, (_, index) => firstStepsOf(`${index}`));
  const { known } = kept({ widgets: [], hidden });
  expect(known).toHaveLength(500);
  expect(known.at(-1)).toBe(hidden.at(-1));
});

test('a page without any widget stays so', () => {
  const storage = memory();
  writeLayout(storage, OWNER, { widgets: [], hidden: [], version: 1, changed: false });
  expect(readLayout(storage, OWNER).widgets).toEqual([]);
});

test('a list of an earlier release is taken over', () => {
  const [first, ...others] = defaultWidgets;
  const { widgets, version } = readLayout(memory(JSON.stringify([...others, first])), OWNER);
  expect(types(widgets)).toEqual([...types(others), 'log_volume']);
  expect(version).toBe(0);
});

test.each([undefined, 'no json', 'null', '{}', '[]', '[1, null, {"type": "unknown"}]'])(
  'the default set stands in for %j',
  (stored) => {
    expect(readLayout(memory(stored), OWNER).widgets).toEqual(defaultWidgets);
  },
);

test('unknown widgets go, and what a newer release brings comes in at its default place', () => {
  const stored = [{ type: 'low_alerts' }, { type: 'pie' }, { type: 'log_volume' }];
  const widgets = parseWidgets(stored);
  expect(new Set(types(widgets)).size).toBe(defaultWidgets.length);
  expect(types(widgets).indexOf('low_alerts')).toBeLessThan(types(widgets).indexOf('log_volume'));
  expect(types(widgets).at(-1)).toBe('alert_history');
});

test('what was known and is not shown was removed and stays away', () => {
  expect(types(parseWidgets([{ type: 'low_alerts' }], widgetTypes))).toEqual(['low_alerts']);
});

test('several of a type get ids of their own', () => {
  const widgets = parseWidgets([{ type: 'low_alerts' }, { type: 'log_volume' }, { type: 'low_alerts' }], widgetTypes);
  expect(widgets.map(({ id }) => id)).toEqual(['low_alerts', 'log_volume', 'low_alerts-2']);
});

test.each([
  ['log_volume', 1, 1],
  ['log_volume', 6, undefined],
  ['triggered_alerts', 1, undefined],
  ['triggered_alerts', 5, 5],
  ['alert_history', 2.5, undefined],
])('%s of %d rows is read as of %d', (type, rows, read) => {
  expect(parseWidgets([{ type, data: { rows } }], widgetTypes)[0]?.data.rows).toBe(read);
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
