import { describe, expect, it } from 'vitest';
import { dashboardWindow } from './dashboard-window.ts';

const now = new Date('2026-11-21T12:00:00.000Z');

describe('the period of the home page', () => {
  it.each<[{ start_time?: string; end_time?: string }, string, string, number]>([
    [{}, '2026-11-14T12:00:00.000Z', '2026-11-21T12:00:00.000Z', 28],
    [{ start_time: '2026-11-20T12:00:00Z' }, '2026-11-20T12:00:00.000Z', '2026-11-21T12:00:00.000Z', 24],
    [{ end_time: '2026-11-01T00:00:00Z' }, '2026-10-25T00:00:00.000Z', '2026-11-01T00:00:00.000Z', 28],
    [{ start_time: '2026-10-21T12:00:00Z' }, '2026-10-21T12:00:00.000Z', '2026-11-21T12:00:00.000Z', 31],
    [{ start_time: '1926-11-21T12:00:00Z' }, '1926-11-21T12:00:00.000Z', '2026-11-21T12:00:00.000Z', 200],
    [{ start_time: '2027-01-01T00:00:00Z' }, '2026-11-21T11:59:59.999Z', '2026-11-21T12:00:00.000Z', 1],
  ])('%j', (query, start, end, buckets) => {
    expect(dashboardWindow(query, now)).toEqual({ start: new Date(start), end: new Date(end), buckets });
  });
});
