/** Status values of spec §4, and what they mean for polling and finality. */
export const runStatuses = ['pending', 'waiting', 'running', 'cancelled', 'error', 'success'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const actionStatuses = ['pending', 'waiting', 'running', 'cancelled', 'success', 'error'] as const;
export type ActionStatus = (typeof actionStatuses)[number];

export const actionRunTypes = ['manual', 'event', 'workflow'] as const;
export type ActionRunType = (typeof actionRunTypes)[number];

export const caseStatuses = ['open', 'acknowledged', 'closed'] as const;
export type CaseStatus = (typeof caseStatuses)[number];

/** Low to high, so that the index is the order. */
export const caseSeverities = ['low', 'medium', 'high', 'critical'] as const;
export type CaseSeverity = (typeof caseSeverities)[number];

export const closeReasons = ['true_positive', 'false_positive', 'benign', 'duplicate'] as const;
export type CloseReason = (typeof closeReasons)[number];

/** Alert priorities of spec §9: 1 high, 2 medium, 3 low. Critical counts as high. */
export const priorityBySeverity: Readonly<Record<CaseSeverity, 1 | 2 | 3>> = {
  critical: 1,
  high: 1,
  medium: 2,
  low: 3,
};

/** Which case status may follow which (a closed case can be reopened). */
export const caseTransitions: Readonly<Record<CaseStatus, readonly CaseStatus[]>> = {
  open: ['acknowledged', 'closed'],
  acknowledged: ['open', 'closed'],
  closed: ['open'],
};
