import { outcomeTexts } from '@airdeck/contracts/outcome-texts';
import { reportLimits } from '@airdeck/contracts/reports/report-limits';
import { AppError } from '../../http/app-error.ts';
import type { ReportsUsed } from './reports-repository.ts';

/** Per tenant, so that nobody fills the disk or keeps the workers for themselves. */
export const perTenant = {
  reports: 1_000,
  /** Ordered by people: a schedule has one report for each slot. */
  unfinished: 5,
  bytes: 10_000_000_000,
  /**
   * Reports of schedules that were never begun for want of room. A schedule orders once a day at most, so only a tenant
   * that makes its schedules anew all the time loses the oldest of them before they expire.
   */
  refused: reportLimits.schedulesMax * reportLimits.keptDays,
} as const;

export function hasRoom({ reports, bytes }: Pick<ReportsUsed, 'reports' | 'bytes'>): boolean {
  return reports < perTenant.reports && bytes < perTenant.bytes;
}

export function noRoom(): AppError {
  return new AppError('CONFLICT', { message: outcomeTexts.SEARCH_REPORT_NO_ROOM });
}
