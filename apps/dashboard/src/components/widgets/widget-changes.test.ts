import { expect, test } from 'vitest';
import { type Toast, toasts } from '../../lib/toasts.ts';
import { addWidget, fitting, removeWidget, resetWidgets, resized } from './widget-changes.ts';
import { defaultWidgets, type Widget } from './widgets.ts';

function page(start: readonly Widget[] = defaultWidgets) {
  const state = { list: start };
  return {
    ids: () => state.list.map(({ id }) => id),
    find: (id: string) => state.list.find((widget) => widget.id === id) as Widget,
    change: (by: (list: readonly Widget[]) => readonly Widget[]) => {
      state.list = by(state.list);
    },
  };
}

function offered(act: () => void): Toast {
  const shown: Toast[] = [];
  const stop = toasts.drainTo((toast) => shown.push(toast));
  act();
  stop();
  expect(shown).toHaveLength(1);
  return shown[0] as Toast;
}

const before = defaultWidgets.map(({ id }) => id);

test('a removed widget comes back to its place, with its period, whatever was changed meanwhile', () => {
  const home = page();
  const toast = offered(() => removeWidget(home.change, home.find('manual_mttr')));
  expect(toast.message).toBe('Manual MTTR is off the page.');
  expect(home.ids()).not.toContain('manual_mttr');
  home.change(resized('log_volume', { columns: 2, rows: 1 }));
  toast.action?.run();
  expect(home.ids()).toEqual(before);
  expect(home.find('log_volume').data.size).toBe(2);
});

test('an added widget stands at the end, also a second time, and its undo takes only that one', () => {
  const home = page();
  const toast = offered(() => expect(addWidget(home.change, 'low_alerts')).toBe('low_alerts-2'));
  expect(home.ids()).toEqual([...before, 'low_alerts-2']);
  toast.action?.run();
  expect(home.ids()).toEqual(before);
});

test('a reset is taken back whole', () => {
  const home = page(defaultWidgets.slice(3));
  const toast = offered(() => resetWidgets(home.change));
  expect(home.ids()).toEqual(before);
  toast.action?.run();
  expect(home.ids()).toEqual(before.slice(3));
});

test.each([
  ['log_volume', { columns: 0, rows: 0 }, { size: 1, rows: 1 }],
  ['log_volume', { columns: 9, rows: 9 }, { size: 3, rows: 1 }],
  ['alert_history', { columns: 2, rows: 9 }, { size: 2, rows: 5 }],
  ['triggered_alerts', { columns: 1, rows: 1 }, { size: 1, rows: 2 }],
] as const)('%s of %j takes %j', (type, asked, given) => {
  expect(fitting(type, asked)).toEqual(given);
});
