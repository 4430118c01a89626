import { describe, expect, it } from 'vitest';
import { createLostWorkers } from './lost-workers.ts';

const at = (ms: number) => new Date(ms);
const a = { owner: 'present/a', leaseUntil: at(1_000) };
const b = { owner: 'present/b', leaseUntil: at(2_000) };

describe('a worker whose lock is free', () => {
  let nowMs = 0;
  const watch = () => createLostWorkers({ nowMs: () => nowMs, absentMs: 1_500 });

  it('is lost once that has been so for long enough, and not at the first look', () => {
    const workers = watch();
    expect(workers.note([a])).toEqual([]);
    nowMs += 1_499;
    expect(workers.note([a, b])).toEqual([]);
    nowMs += 1;
    expect(workers.note([a, b])).toEqual(['present/a']);
    nowMs += 1_499;
    expect(workers.note([b])).toEqual(['present/b']);
  });

  it('is none as long as it extends its leases', () => {
    const workers = watch();
    for (let beat = 0; beat < 5; beat += 1) {
      expect(workers.note([{ ...a, leaseUntil: at(beat) }])).toEqual([]);
      nowMs += 1_499;
    }
  });

  it('is none when its lock has been held in between', () => {
    const workers = watch();
    workers.note([a]);
    nowMs += 1_000;
    expect(workers.note([])).toEqual([]);
    nowMs += 1_000;
    expect(workers.note([a])).toEqual([]);
  });

  it('is none after a time in which nobody could look: the database has let go of all locks', () => {
    const workers = watch();
    workers.note([a]);
    nowMs += 60_000;
    workers.missed();
    expect(workers.note([a])).toEqual([]);
    nowMs += 1_500;
    expect(workers.note([a])).toEqual(['present/a']);
  });
});
