import { describe, expect, it } from 'vitest';
import {
  canRunBecome,
  canStepBecome,
  isRunStatusFinal,
  isStepSettled,
  nextStepStatus,
  runStatuses,
  type StepSignal,
  stepStatuses,
} from './statuses.ts';

const signals: StepSignal[] = ['begin', 'succeed', 'fail', 'retry', 'skip'];

describe('status tables', () => {
  it('uses only the words of the specification', () => {
    expect([...runStatuses].sort()).toEqual(['cancelled', 'error', 'pending', 'running', 'success', 'waiting']);
    expect([...stepStatuses].sort()).toEqual(['cancelled', 'error', 'pending', 'running', 'success', 'waiting']);
  });

  it('lets nothing leave a final status', () => {
    for (const from of runStatuses.filter(isRunStatusFinal)) {
      expect(runStatuses.filter((to) => canRunBecome(from, to))).toEqual([]);
    }
    for (const from of stepStatuses.filter(isStepSettled)) {
      expect(signals.map((signal) => nextStepStatus(from, signal))).toEqual(signals.map(() => null));
    }
  });

  it('has a signal for every transition of a step and none besides', () => {
    for (const from of stepStatuses) {
      const bySignal = new Set(signals.map((signal) => nextStepStatus(from, signal)).filter((to) => to !== null));
      const byTable = new Set(stepStatuses.filter((to) => canStepBecome(from, to)));
      expect([from, bySignal]).toEqual([from, byTable]);
    }
  });

  it('never lets a step succeed that has not begun', () => {
    expect(nextStepStatus('pending', 'succeed')).toBeNull();
    expect(canStepBecome(null, 'success')).toBe(false);
  });
});
