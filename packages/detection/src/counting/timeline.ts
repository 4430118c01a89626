/** One event that fits a part of a rule, as it is kept for its group. Plain data, to be stored as JSON. */
export type Mark = {
  readonly eventId: string;
  /** Event time in milliseconds since the epoch. */
  readonly timeMs: number;
  /** Which step of a sequence it fits, from 0; always 0 where events are only counted. */
  readonly step: number;
  /** What is counted instead of events; null when the event has no value. */
  readonly value: string | null;
};

/** In the order of event time; of one time, in the order of steps, so that what happened at once counts as in order. */
export function isBefore(a: Mark, b: Mark): boolean {
  if (a.timeMs !== b.timeMs) return a.timeMs < b.timeMs;
  if (a.step !== b.step) return a.step < b.step;
  return a.eventId < b.eventId;
}
