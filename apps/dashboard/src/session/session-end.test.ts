import { expect, test } from 'vitest';
import { soonEnd } from './session-end.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const minutes = (count: number) => now + count * 60_000;

/** A provider that knows one end, and hears another one when it asks. */
function knowing(known: number | undefined, heard: number | undefined | 'unreachable') {
  let end = known;
  let asked = 0;
  const identity = {
    sessionEndsAt: () => end,
    async getToken() {
      asked += 1;
      if (heard === 'unreachable') throw new Error('unreachable');
      end = heard;
      return 'token';
    },
  };
  return { identity, asked: () => asked };
}

test('nobody is asked or told while the end is far, or not known', async () => {
  for (const known of [minutes(3), undefined]) {
    const { identity, asked } = knowing(known, minutes(1));
    expect(await soonEnd(identity, () => now)).toBeUndefined();
    expect(asked()).toBe(0);
  }
});

test('a session that was used in another tab is not said to end', async () => {
  expect(await soonEnd(knowing(minutes(1), minutes(29)).identity, () => now)).toBeUndefined();
});

test('an end that is still soon is told, also when nobody could be asked', async () => {
  expect(await soonEnd(knowing(minutes(1), minutes(1)).identity, () => now)).toBe(minutes(1));
  expect(await soonEnd(knowing(minutes(1), 'unreachable').identity, () => now)).toBe(minutes(1));
});

test('a session that turns out to be over is not said to end', async () => {
  expect(await soonEnd(knowing(minutes(1), undefined).identity, () => now)).toBeUndefined();
});
