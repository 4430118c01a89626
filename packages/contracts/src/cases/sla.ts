import type { CaseSeverity } from '../statuses.ts';

/** Minutes after a case opened until somebody should have acknowledged it, and until it should be closed. */
export type SlaTarget = { readonly respondMinutes: number; readonly resolveMinutes: number };

/** What counts for a tenant that has set nothing of its own. */
export const slaTargets: Readonly<Record<CaseSeverity, SlaTarget>> = {
  critical: { respondMinutes: 15, resolveMinutes: 4 * 60 },
  high: { respondMinutes: 60, resolveMinutes: 24 * 60 },
  medium: { respondMinutes: 4 * 60, resolveMinutes: 3 * 24 * 60 },
  low: { respondMinutes: 24 * 60, resolveMinutes: 7 * 24 * 60 },
};

/** Between a warning and the time it warns of lies this part of the whole. */
export const SLA_WARNING_PART = 0.25;
