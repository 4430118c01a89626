import { executiveReportLimits } from '@airdeck/contracts/reports/executive-report-limits';

const DAY_MS = 86_400_000;

/** When a report that ends at that time is removed, with its file. */
export function expiryOf(at: Date): Date {
  return new Date(at.getTime() + executiveReportLimits.keptDays * DAY_MS);
}

/** How long a link of the dashboard opens the file. */
export const DASHBOARD_LINK_LIVES_MS = executiveReportLimits.linkMinutes * 60_000;

/** How long the link of a mail opens the file. */
export const MAILED_LINK_LIVES_MS = executiveReportLimits.mailedLinkDays * DAY_MS;
