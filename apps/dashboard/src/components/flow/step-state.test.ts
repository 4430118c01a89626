import { describe, expect, it } from 'vitest';
import { skipWords, stepState } from './step-state.ts';

const never = { status: 'cancelled', time_started: null } as const;

describe('stepState', () => {
  it.each(['condition', 'dependency', 'run_failed', null])('calls what was left out (%s) skipped', (skip_reason) => {
    expect(stepState({ ...never, skip_reason })).toBe('skipped');
  });

  it('calls what was stopped half-way cancelled, also when the run was cancelled before it began', () => {
    const time_started = '2026-11-20T10:00:00.000Z';
    expect(stepState({ status: 'cancelled', skip_reason: null, time_started })).toBe('cancelled');
    expect(stepState({ ...never, skip_reason: 'run_cancelled' })).toBe('cancelled');
  });
});

describe('skipWords', () => {
  it('says why for every reason, and nothing for an action that did happen', () => {
    const reasons = ['condition', 'dependency', 'run_failed', 'run_cancelled', null];
    const words = reasons.map((skip_reason) => skipWords({ ...never, skip_reason }));
    expect(new Set(words).size).toBe(reasons.length);
    expect(skipWords({ status: 'success', skip_reason: null, time_started: null })).toBeUndefined();
  });
});
