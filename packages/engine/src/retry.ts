/** Longest exponent that still matters; keeps 2 ** n finite. */
const MAX_DOUBLINGS = 30;

/**
 * Wait before the next attempt: base × 2^(failures − 1), capped, of which a random half is taken off so that what failed
 * together does not come back together.
 */
export function backoffMs(policy: { failures: number; baseMs: number; capMs: number; random: () => number }): number {
  const doublings = Math.min(Math.max(policy.failures - 1, 0), MAX_DOUBLINGS);
  const full = Math.min(policy.capMs, policy.baseMs * 2 ** doublings);
  return Math.round(full * (0.5 + policy.random() / 2));
}
