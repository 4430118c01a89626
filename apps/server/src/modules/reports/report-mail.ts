import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { Mail } from '../mail/mail-port.ts';
import type { ReportRow } from './reports-repository.ts';
import { findSchedule, listRecipients } from './schedules-repository.ts';

type Dependencies = {
  mail: Mail;
  productName: string;
  /** Where the dashboard is, without a slash at the end. */
  ownAddress: () => string;
  tenantName: (tx: Tx, scope: TenantScope) => Promise<string>;
};

/**
 * Writes to the contacts of a schedule that its report is there, or why not, in the system transaction that says so. The
 * mail leads to the list of reports, where one has to sign in: mails are forwarded and kept, and neither may give events
 * away.
 */
export function createReportMail({ mail, productName, ownAddress, tenantName }: Dependencies) {
  return async (tx: Tx, scope: TenantScope, row: ReportRow): Promise<void> => {
    if (row.schedule_id === null) return;
    const schedule = await findSchedule(tx, scope, row.schedule_id);
    if (schedule === undefined || schedule.contact_ids.length === 0) return;
    const isThere = row.status === 'success';
    const title = `Search report "${row.name}" ${isThere ? 'is ready' : 'could not be made'}`;
    const text = [
      `${title}.`,
      isThere ? foundWords(row) : (row.failure ?? ''),
      `Sign in to ${isThere ? 'download it' : 'see more'}:\n${ownAddress()}/report/air`,
      `Tenant: ${await tenantName(tx, scope)}`,
    ];
    for (const { id, email } of await listRecipients(tx, scope, schedule.contact_ids)) {
      const key = `search-report:${row.id}:${id}`;
      await mail.queue(tx, { to: email, subject: `${productName}: ${title}`, text: text.join('\n\n'), key });
    }
  };
}

function foundWords({ row_count: rows, cut_by: cutBy }: ReportRow): string {
  const events = rows === 1 ? 'It has 1 event.' : `It has ${rows} events.`;
  return cutBy === null ? events : `${events} Older ones were left out, because a file holds no more.`;
}
