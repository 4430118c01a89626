import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { newestWindows, oldestWindows } from './newest-events.ts';

const DAY_MS = 86_400_000;

test('windows lie side by side from the newest end, and cover the range once', () => {
  const range = fc.tuple(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 1, max: 4_000 * DAY_MS }));
  fc.assert(
    fc.property(range, fc.integer({ min: 0, max: 99 }), ([from, length], perWindow) => {
      const until = from + length;
      let found = 0;
      let end = until;
      for (const window of newestWindows({ from, until }, () => ({ found, wanted: 100 }))) {
        expect(window.until).toBe(end);
        expect(window.from).toBeLessThan(window.until);
        end = window.from;
        found = Math.min(99, found + perWindow);
      }
      expect(end).toBe(from);
    }),
  );
});

test('from the oldest end the same windows come the other way round', () => {
  const range = { from: 1_000, until: 1_000 + 90 * DAY_MS };
  const progress = () => ({ found: 0, wanted: 100 });
  const newest = [...newestWindows(range, progress)];
  const oldest = [...oldestWindows(range, progress)];
  expect(oldest[0]?.from).toBe(range.from);
  expect(oldest.at(-1)?.until).toBe(range.until);
  expect(oldest.map(({ from, until }) => until - from)).toEqual(newest.map(({ from, until }) => until - from));
  expect(oldest.slice(1).map(({ from }) => from)).toEqual(oldest.slice(0, -1).map(({ until }) => until));
});

it('reads a small part of the range where matches are many, and few windows where there are none', () => {
  const range = { from: 0, until: 30 * DAY_MS };
  const [first] = newestWindows(range, () => ({ found: 100, wanted: 100 }));
  expect((first?.until ?? 0) - (first?.from ?? 0)).toBeLessThan(DAY_MS / 4);
  expect([...newestWindows(range, () => ({ found: 0, wanted: 100 }))].length).toBeLessThanOrEqual(3);
});
