/**
 * Sets of cases that figures are made of, so that a number can open the list of the cases it counts. Definitions are in
 * `docs/cases.md`; the server's table of conditions stands beside its case list.
 */
export const caseFigures = [
  /** Those the four mean times are taken over. */
  'automated_mttd',
  'manual_mttd',
  'automated_mttr',
  'manual_mttr',
  /** What automation came to: an automated response succeeded, none did, one is still going on, or none began. */
  'answered',
  'answer_failed',
  'answering',
  'unanswered',
  /** An automated response succeeded, or none did and none is going on: what the success rate is taken over. */
  'ended',
  /** Closed as nothing of note. */
  'false_positive',
  /** Not closed, and past the time to acknowledge, past the time to close, either of the two, neither. */
  'late_response',
  'late_resolution',
  'late',
  'in_time',
] as const;
export type CaseFigure = (typeof caseFigures)[number];

/** Minutes a person would have spent on what an automated response did, by what it started. An assumption, shown as one. */
export const minutesSavedBy = { action: 10, playbook: 30 } as const;
