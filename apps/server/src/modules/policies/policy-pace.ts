/**
 * How many cases a policy opens in a time. A policy that groups by what is new with every event, or whose automation makes
 * the events it looks for, would open cases and start responses without end.
 */
import { serverLimits } from '@airdeck/contracts/server-limits';

export const PACE_WINDOW_MS = 3_600_000;

/** Cases it opened since `from`; a time begins with the first case after the last one ended, and with each change. */
export type PolicyPace = { readonly from: Date | null; readonly cases: number };

/** Until when it opens no more cases of its groups; undefined while it may. */
export function throttledUntil(
  { from, cases }: PolicyPace,
  at: Date,
  most: number = serverLimits.casesPerPolicyHour,
): Date | undefined {
  if (from === null || cases < most) return undefined;
  const until = new Date(from.getTime() + PACE_WINDOW_MS);
  return until > at ? until : undefined;
}
