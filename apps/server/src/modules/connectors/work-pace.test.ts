import { describe, expect, test } from 'vitest';
import { dueAfter, waitMs } from './work-pace.ts';

const MINUTE_MS = 60_000;
const at = (ms: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + ms);

describe('the pace of what goes well', () => {
  test.each([0, 0.5, 0.999])('never waits longer than a minute for events, whatever is drawn (%f)', (drawn) => {
    const wait = waitMs('events', { ok: true, hasMore: false }, () => drawn);
    expect(wait).toBeLessThanOrEqual(MINUTE_MS);
    expect(wait).toBeGreaterThanOrEqual(0.9 * MINUTE_MS);
  });

  test('counts from when it was due: work of seconds and waiting for a turn do not add up', () => {
    expect(dueAfter(MINUTE_MS, { dueAt: at(0), now: at(20_000) })).toEqual(at(MINUTE_MS));
  });

  test('does not hurry after a stop, nor when it was never due, nor when it came early', () => {
    expect(dueAfter(MINUTE_MS, { dueAt: at(0), now: at(3_600_000) })).toEqual(at(3_600_000 + MINUTE_MS / 2));
    expect(dueAfter(MINUTE_MS, { dueAt: null, now: at(0) })).toEqual(at(MINUTE_MS));
    expect(dueAfter(MINUTE_MS, { dueAt: at(10_000), now: at(0) })).toEqual(at(MINUTE_MS));
  });
});
