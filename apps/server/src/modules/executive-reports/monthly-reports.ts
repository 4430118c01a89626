/**
 * Asks for the reports of the month that is over, tenant by tenant, once the small hours of its zone's first day have come.
 * Which month a tenant had last is written with the order, in one transaction: several processes, or one that crashed in
 * between, ask once. Of months that were missed only the latest is made up for, and none from before there was a tenant.
 */
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { ExecutiveReportsService } from './executive-reports-service.ts';
import { latestMonth, rangeOfMonth } from './report-month.ts';
import { type DueTenant, findSettings, listScheduled, lockSettings } from './settings-repository.ts';
import type { SettingsService } from './settings-service.ts';

const PORTION = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';

type Dependencies = {
  db: Pick<Database, 'system'>;
  reports: Pick<ExecutiveReportsService, 'order'>;
  settings: Pick<SettingsService, 'habitsOf' | 'noteMonth'>;
  now: () => Date;
};

export function createMonthlyReports(deps: Dependencies): () => Promise<void> {
  return async () => {
    let after = FIRST;
    for (;;) {
      const tenants = await deps.db.system((tx) => listScheduled(tx, after, PORTION));
      for (const tenant of tenants) {
        if (mayBeDue(tenant, deps.now())) await deps.db.system((tx) => orderWhenDue(deps, tx, tenant));
      }
      const last = tenants.at(-1);
      if (last === undefined || tenants.length < PORTION) return;
      after = last.id;
    }
  };
}

/** Without asking for its zone: no zone is further ahead than the first one that comes to a new month. */
function mayBeDue({ last_month: last }: DueTenant, now: Date): boolean {
  return last === null || last < latestMonth(now, 'Pacific/Kiritimati');
}

async function orderWhenDue({ reports, settings, now }: Dependencies, tx: Tx, tenant: DueTenant): Promise<void> {
  const scope = trustedTenantScope(tenant.id);
  await lockSettings(tx, scope);
  const row = await findSettings(tx, scope);
  const habits = await settings.habitsOf(tx, scope, row);
  const month = latestMonth(now(), habits.timeZone);
  if (!row.enabled || (row.last_month !== null && row.last_month >= month)) return;
  await settings.noteMonth(tx, scope, month);
  if (tenant.created_at >= rangeOfMonth(month, habits.timeZone).end) return;
  const by = { actor: { kind: 'system', id: null, name: 'Monthly report' }, requestId: null } as const;
  const order = { ...habits, kind: 'monthly', month, createdBy: 'system', askedBy: null } as const;
  await reports.order(tx, scope, order, by);
}
