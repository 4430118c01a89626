import { reportLimits } from '@airdeck/contracts/reports/report-limits';

const DAY_MS = 86_400_000;

/** When a report that ends at that time is removed, with its file. */
export function expiryOf(at: Date): Date {
  return new Date(at.getTime() + reportLimits.keptDays * DAY_MS);
}

export function isOver({ expires_at: expiresAt }: { expires_at: Date | null }, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}
