import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../run/root.mjs';
import { calibrate } from './calibration.mjs';
import { appendHistory, historyEntry, historyLines, readHistory, sourceState } from './history.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdeck-history-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const machine = { cores: 2, cpu: 'X', memory_gb: 4, node: 'v20', platform: 'linux x64', date: '2026-01-02' };
const calibration = { before: { cpu_ms: 40, fsync_ms: 0.5 }, after: { cpu_ms: 44, fsync_ms: 0.6 } };

function run(value: number, more: object = {}) {
  return historyEntry({
    at: new Date('2026-01-02T03:04:05Z'),
    source: { commit: 'abc', changed: false },
    name: 'list',
    full: false,
    machine,
    calibration,
    metrics: { list_per_s: { value, unit: '/s', spread: 2 }, other: { value: 1, unit: 'ms', spread: 0 } },
    limits: { list_per_s: { atLeast: 10 } },
    error: undefined,
    ...more,
  });
}

describe('the history of the benches', () => {
  it('keeps each run as one line, with whether each figure kept its limit', () => {
    const file = join(folder, 'bench', 'history.jsonl');
    appendHistory(run(12), file);
    appendHistory(run(8), file);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3);
    expect(readHistory(file)).toMatchObject([
      {
        at: '2026-01-02T03:04:05.000Z',
        commit: 'abc',
        bench: 'list',
        machine: { cores: 2 },
        calibration,
        metrics: { list_per_s: { value: 12, within: true } },
      },
      { metrics: { list_per_s: { value: 8, within: false } } },
    ]);
    const [first] = readHistory(file);
    expect(first?.metrics?.other).not.toHaveProperty('within');
    expect(first?.machine).not.toHaveProperty('date');
  });

  it('keeps a run that failed, without figures', () => {
    expect(run(1, { error: 'no room' })).toMatchObject({ error: 'no room' });
    expect(run(1, { error: 'no room' })).not.toHaveProperty('metrics');
  });

  it('is empty where nothing was measured, and says which line is broken', () => {
    const file = join(folder, 'history.jsonl');
    expect(readHistory(file)).toEqual([]);
    writeFileSync(file, '{"bench":"list"}\n{"ben\n');
    expect(() => readHistory(file)).toThrow('Line 2');
  });

  it('shows the last ten runs of a bench, what they have in common, and those that failed', () => {
    const entries = [...Array.from({ length: 11 }, (_, index) => run(index)), run(0, { error: 'killed' })];
    const lines = historyLines(entries, 'list');
    expect(lines).toHaveLength(14);
    expect(lines[0]).toBe('2026-01-02T03:04  abc                      cpu 40 ms, fsync 0.5 ms');
    expect(lines[9]).toContain('failed: killed');
    expect(lines[10]).toMatch(/^list_per_s +2 +3 +4 +5 +6 +7 +8 +9 +10 +– {3}median 6 \/s, spread 8$/);
    expect(historyLines(entries, 'cases')).toEqual(['No run of cases is kept.']);
  });

  it('shows times and rates also as if every run had met the same machine, and nothing else so', () => {
    const onCpu = (cpu: number, time: number, rate: number) =>
      run(0, {
        calibration: { before: { cpu_ms: cpu - 1, fsync_ms: 1 }, after: { cpu_ms: cpu + 1, fsync_ms: 1 } },
        metrics: {
          time: { value: time, unit: 'ms', spread: 0 },
          rate: { value: rate, unit: 'events/s', spread: 0 },
          size: { value: 5, unit: 'kB', spread: 0 },
          count: { value: 7, unit: '', spread: 0 },
        },
      });
    const lines = historyLines([onCpu(40, 10, 60), onCpu(80, 20, 30), onCpu(20, 5, 120)], 'list').slice(3);
    expect(lines.map((line) => line.trim().replaceAll(/ +/g, ' '))).toEqual([
      'time 10 20 5 median 10 ms, spread 15',
      'at the same speed of cpu 10 10 10 median 10 ms, spread 0',
      'rate 60 30 120 median 60 events/s, spread 90',
      'at the same speed of cpu 60 60 60 median 60 events/s, spread 0',
      'size 5 5 5 median 5 kB, spread 0',
      'count 7 7 7 median 7, spread 0',
    ]);
  });

  it('shows a run that was killed, of which only the time after is known', () => {
    const killed = run(0, { calibration: { after: { cpu_ms: 41, fsync_ms: 0.7 } }, error: 'not done after 3 s' });
    expect(historyLines([killed], 'list')).toEqual([
      '2026-01-02T03:04  abc                      cpu 41 ms, fsync 0.7 ms  failed: not done after 3 s',
    ]);
  });

  it('keeps an error short and without the folder of the clone', () => {
    const { error } = run(0, { error: `no ${root}apps/server ${'x'.repeat(1000)}` });
    expect(error).toMatch(/^no apps\/server x+$/);
    expect(error?.length).toBe(300);
  });

  it('knows no commit outside of a clone', () => {
    expect(sourceState(folder)).toEqual({ commit: null, changed: null });
  });
});

it('the machine is calibrated by work on the processor and on the disk', () => {
  const { cpu_ms: cpu, fsync_ms: fsync } = calibrate();
  expect(cpu).toBeGreaterThan(0);
  expect(fsync).toBeGreaterThan(0);
});
