import { type ActionStatus, actionStatuses, type RunStatus, runStatuses } from '@airdeck/contracts/statuses';
import { describe, expect, test } from 'vitest';
import { isRunFinished, isRunInProgress, isRunSettled } from './run-progress.ts';

function run(status: RunStatus, ...actions: ActionStatus[]) {
  return { status, actions: actions.map((action) => ({ status: action })) };
}

describe('a run without actions', () => {
  test.each([
    ['pending', true, false],
    ['waiting', true, false],
    ['running', true, false],
    ['cancelled', false, false],
    ['error', false, true],
    ['success', false, true],
  ] as const)('%s: in progress %s, finished %s', (status, inProgress, finished) => {
    expect(isRunInProgress(run(status))).toBe(inProgress);
    expect(isRunFinished(run(status))).toBe(finished);
  });
});

describe('actions decide with the status', () => {
  test.each(['pending', 'running'] as const)('a %s action keeps an ended run in progress', (action) => {
    for (const status of ['success', 'error', 'cancelled'] as const) {
      expect(isRunInProgress(run(status, 'success', action))).toBe(true);
      expect(isRunFinished(run(status, 'success', action))).toBe(false);
    }
  });

  test('a waiting action alone does not keep an ended run in progress', () => {
    expect(isRunInProgress(run('success', 'waiting'))).toBe(false);
    expect(isRunFinished(run('success', 'waiting'))).toBe(true);
  });

  test('no run is in progress and finished at once, and polling stops exactly when nothing is going on', () => {
    for (const status of runStatuses) {
      for (const action of actionStatuses) {
        const one = run(status, action);
        expect(isRunInProgress(one) && isRunFinished(one)).toBe(false);
        expect(isRunSettled(one)).toBe(!isRunInProgress(one));
      }
    }
  });
});
