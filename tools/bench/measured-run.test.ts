import { beforeEach, describe, expect, it } from 'vitest';
import type { Kept } from './history.mjs';
import { measuredRun } from './measured-run.mjs';

const kept: Kept[] = [];
const ended: number[] = [];
beforeEach(() => {
  kept.length = 0;
  ended.length = 0;
});

const given = {
  run: {
    at: new Date('2026-01-02T03:04:05Z'),
    source: { commit: 'abc', changed: false },
    name: 'list',
    full: false,
    machine: { cores: 2 },
  },
  options: { full: false },
  keep: (entry: Kept) => kept.push(entry),
  end: (code: number) => ended.push(code),
};
const limits = { speed: { atLeast: 2 } };
const metrics = { speed: { value: 3, unit: '/s', spread: 1 } };

describe('a run of a bench', () => {
  it('is kept with its figures and the calibration before and after, keys in one order', async () => {
    const result = await measuredRun({ limits, run: async () => metrics }, given);
    expect(result.metrics).toEqual(metrics);
    expect(kept).toHaveLength(1);
    expect(Object.keys(kept[0] ?? {}).join()).toBe('at,commit,changed,bench,full,machine,calibration,metrics');
    expect(kept[0]).toMatchObject({ calibration: result.calibration, metrics: { speed: { value: 3, within: true } } });
    expect(Object.keys(result.calibration).slice(0, 2)).toEqual(['before', 'after']);
  });

  it('that fails is kept without figures, and fails', async () => {
    const run = () => Promise.reject(new Error('counts differ'));
    await expect(measuredRun({ limits, run }, given)).rejects.toThrow('counts differ');
    expect(kept).toMatchObject([{ bench: 'list', error: 'counts differ' }]);
    expect(kept[0]).not.toHaveProperty('metrics');
  });

  it('that is interrupted is kept as such, and ends', async () => {
    const before = process.listenerCount('SIGINT');
    const run = async () => {
      process.emit('SIGINT', 'SIGINT');
      // In truth the process has ended by now.
      throw new Error('ended');
    };
    await expect(measuredRun({ limits, run }, given)).rejects.toThrow('ended');
    expect(kept[0]).toMatchObject({ error: 'interrupted by SIGINT' });
    expect(ended).toEqual([130]);
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});
