import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { describe, expect, it } from 'vitest';
import { actionRefusal, actionTooLate } from './action-refusals.ts';

describe('an action that failed while somebody waited for it', () => {
  it.each([
    ['VENDOR_UNAVAILABLE', 'ACTION_FAILED', false],
    ['OUTCOME_UNKNOWN', 'ACTION_FAILED', false],
    ['CANCELLED', 'ACTION_FAILED', false],
    ['STEP_TIMED_OUT', 'ACTION_TIMED_OUT', false],
    ['TIMEOUT', 'ACTION_TIMED_OUT', false],
    ['CONNECTOR_UNAVAILABLE', 'CONNECTOR_UNAVAILABLE', false],
    ['STEP_FAILED', 'ACTION_FAILED', true],
    ['WORKER_LOST', 'ACTION_FAILED', true],
    ['RUN_FAULT', 'ACTION_FAILED', true],
    ['OUTPUT_TOO_LARGE', 'ACTION_FAILED', true],
    ['OUTPUT_NOT_JSON', 'ACTION_FAILED', true],
    ['CONNECTOR_FAILED', 'ACTION_FAILED', true],
  ])('with %s is answered with %s; ours: %s', (code, answered, isOurs) => {
    expect(actionRefusal({ code, message: 'No.' })).toMatchObject({
      ...{ code: answered, message: 'No.', isOurs },
      details: [{ path: 'code', message: code }],
    });
  });

  const activity = (
    status: ActionActivity['summary']['status'],
    context: object = {},
    error_info: object | null = null,
  ) => ({ summary: { status }, details: { context, error_info } }) as ActionActivity;
  const refused = { code: 'CIRCUIT_OPEN', message: 'No.', retryable: true };

  it.each([
    ['that no worker took', activity('pending'), true],
    ['that is held, as automation is switched off', activity('pending', { on_hold: true }), false],
    ['that a vendor has in hand', activity('running'), false],
    ['that waits to try its vendor again', activity('pending', {}, refused), false],
  ])('or %s, in time; ours: %3$s', (_name, seen, isOurs) => {
    expect(actionTooLate(seen)).toMatchObject({ code: 'ACTION_TIMED_OUT', isOurs });
  });
});
