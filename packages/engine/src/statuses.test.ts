import { describe, expect, it } from 'vitest';
import {
  canRunBecome,
  canStepBecome,
  isRunFinished,
  isRunInProgress,
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

describe('in progress and finished (spec §4)', () => {
  it.each([
    ['running', [], true, false],
    ['pending', [], true, false],
    ['waiting', ['waiting'], true, false],
    ['success', ['success'], false, true],
    ['error', ['error', 'running'], true, false],
    ['error', ['error', 'cancelled'], false, true],
    ['cancelled', ['cancelled'], false, false],
    ['success', ['pending'], true, false],
  ] as const)('a %s run with steps %j: in progress %s, finished %s', (status, steps, inProgress, finished) => {
    const rows = steps.map((step) => ({ status: step }));
    expect(isRunInProgress({ status }, rows)).toBe(inProgress);
    expect(isRunFinished({ status }, rows)).toBe(finished);
  });
});
