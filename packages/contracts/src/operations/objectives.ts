/**
 * What the installation promises to itself, and when a broken promise is told. `target` is the share of good ones over
 * `OBJECTIVE_DAYS`; `withinMs` where being good means being fast.
 */
export const objectives = {
  /** Calls of the API and of the sign-in that were not answered with a fault of ours. */
  api_answers: { target: 0.999 },
  /** Calls of the API answered in time. Live streams, uploads of events and calls of the sign-in are not among them. */
  api_speed: { target: 0.99, withinMs: 1_000 },
  /** Deliveries of events over HTTP that were taken. */
  events_taken: { target: 0.999 },
  /** Deliveries acknowledged in time: stored, searchable and held against the policies by then. */
  events_speed: { target: 0.99, withinMs: 3_000 },
  /** Runs whose first step began in time. */
  runs_begin: { target: 0.99, withinMs: 2_000 },
} as const satisfies Record<string, { target: number; withinMs?: number }>;
export type ObjectiveId = keyof typeof objectives;
export const objectiveIds = Object.keys(objectives) as ObjectiveId[];

export const OBJECTIVE_DAYS = 30;

/**
 * How fast the error budget may burn, in multiples of the speed that uses it up in exactly `OBJECTIVE_DAYS`; an alert needs
 * the rate in both windows, so that it ends soon after its cause (Google's Site Reliability Workbook, chapter 5).
 */
export const burnAlerts = [
  { severity: 'urgent', rate: 14.4, longMinutes: 60, shortMinutes: 5 },
  { severity: 'urgent', rate: 6, longMinutes: 360, shortMinutes: 30 },
  { severity: 'slow', rate: 1, longMinutes: 4_320, shortMinutes: 360 },
] as const;
export type BurnSeverity = (typeof burnAlerts)[number]['severity'];

/** Fewer bad ones than this in the long window tell nothing: one failure of three calls at night is no outage. */
export const BURN_BAD_MIN = 10;
