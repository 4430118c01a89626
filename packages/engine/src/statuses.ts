/** Status words of a run and of a step (spec §4). A skipped step is `cancelled` with a skip reason. */
export const runStatuses = ['pending', 'waiting', 'running', 'cancelled', 'error', 'success'] as const;
export const stepStatuses = ['pending', 'running', 'waiting', 'cancelled', 'success', 'error'] as const;
export const skipReasons = ['condition', 'dependency', 'run_cancelled', 'run_failed'] as const;

export type RunStatus = (typeof runStatuses)[number];
export type StepStatus = (typeof stepStatuses)[number];
export type SkipReason = (typeof skipReasons)[number];

/**
 * pending → running: a worker began the first step; waiting ↔ running: nothing is in progress but a prompt or timer is
 * open, and back. A final status never changes.
 */
export const runTransitions = {
  pending: ['running', 'waiting', 'success', 'error', 'cancelled'],
  running: ['waiting', 'success', 'error', 'cancelled'],
  waiting: ['running', 'success', 'error', 'cancelled'],
  success: [],
  error: [],
  cancelled: [],
} as const satisfies Record<RunStatus, readonly RunStatus[]>;

/** running → pending: the attempt failed and a retry is due later. */
export const stepTransitions = {
  pending: ['running', 'error', 'cancelled'],
  running: ['success', 'error', 'cancelled', 'pending'],
  waiting: ['success', 'error', 'cancelled'],
  success: [],
  error: [],
  cancelled: [],
} as const satisfies Record<StepStatus, readonly StepStatus[]>;

/** A step's row appears in one of these; `success` is not among them because nothing succeeds without having begun. */
export const firstStepStatuses = ['pending', 'waiting', 'cancelled', 'error'] as const satisfies readonly StepStatus[];

export function canRunBecome(from: RunStatus, to: RunStatus): boolean {
  const allowed: readonly RunStatus[] = runTransitions[from];
  return allowed.includes(to);
}

export function canStepBecome(from: StepStatus | null, to: StepStatus): boolean {
  const allowed: readonly StepStatus[] = from === null ? firstStepStatuses : stepTransitions[from];
  return allowed.includes(to);
}

/** Events that move a step; `nextStepStatus` is the whole state machine of a step. */
export type StepSignal = 'begin' | 'succeed' | 'fail' | 'retry' | 'skip';

const stepSignals = {
  begin: { from: ['pending'], to: 'running' },
  succeed: { from: ['running', 'waiting'], to: 'success' },
  fail: { from: ['pending', 'running', 'waiting'], to: 'error' },
  retry: { from: ['running'], to: 'pending' },
  skip: { from: ['pending', 'running', 'waiting'], to: 'cancelled' },
} as const satisfies Record<StepSignal, { from: readonly StepStatus[]; to: StepStatus }>;

/** The status after the signal, or null when the signal does not apply (late, doubled or out of order). */
export function nextStepStatus(status: StepStatus, signal: StepSignal): StepStatus | null {
  const rule: { from: readonly StepStatus[]; to: StepStatus } = stepSignals[signal];
  return rule.from.includes(status) ? rule.to : null;
}

export function isRunStatusFinal(status: RunStatus): boolean {
  return runTransitions[status].length === 0;
}

export function isStepSettled(status: StepStatus): boolean {
  return stepTransitions[status].length === 0;
}
