import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { Mail, WrittenMail } from '../mail/mail-port.ts';
import type { Words } from '../mail/mail-words.ts';
import { queueMailable } from '../mail/queue-mailable.ts';
import { namingTenant } from '../notifications/dashboard-links.ts';
import type { ReportRow } from './reports-repository.ts';
import { findSchedule, listRecipients } from './schedules-repository.ts';

type Dependencies = {
  mail: Mail;
  productName: string;
  /** Where the dashboard is, without a slash at the end. */
  ownAddress: () => string;
  tenantName: (tx: Tx, scope: TenantScope) => Promise<string>;
  log: { warn(fields: object, message: string): void };
};

/**
 * Writes to the contacts of a schedule that its report is there, or why not, in the system transaction that says so. The
 * mail leads to the list of reports, where one has to sign in: mails are forwarded and kept, and neither may give events
 * away.
 */
export function createReportMail({ productName, ownAddress, tenantName, ...queueing }: Dependencies) {
  return async (tx: Tx, scope: TenantScope, row: ReportRow): Promise<void> => {
    if (row.schedule_id === null) return;
    const schedule = await findSchedule(tx, scope, row.schedule_id);
    if (schedule === undefined || schedule.contact_ids.length === 0) return;
    const isThere = row.status === 'success';
    const tenant = await tenantName(tx, scope);
    const address = `${ownAddress()}${namingTenant('/report/air', scope.tenantId)}`;
    const write = ({ say, told }: Words): WrittenMail => {
      const { name } = row;
      const title = isThere
        ? say('Search report "{name}" is ready', { name })
        : say('Search report "{name}" could not be made', { name });
      const text = [
        `${title}.`,
        isThere ? foundWords(row, say) : told(row.failure ?? ''),
        `${isThere ? say('Sign in to download it:') : say('Sign in to see more:')}\n${address}`,
        say('Tenant: {tenant}', { tenant }),
      ];
      return { subject: `${productName}: ${title}`, text: text.join('\n\n') };
    };
    for (const { id, email } of await listRecipients(tx, scope, schedule.contact_ids)) {
      const from = { sender: schedule.created_by, tenant: scope.tenantId };
      await queueMailable(queueing, tx, { ...from, to: email, write, key: `search-report:${row.id}:${id}` });
    }
  };
}

function foundWords({ row_count: rows, cut_by: cutBy }: ReportRow, say: Words['say']): string {
  const events = rows === 1 ? say('It has 1 event.') : say('It has {count} events.', { count: String(rows) });
  if (cutBy === null) return events;
  const cut =
    cutBy === 'plan'
      ? say('Older ones were left out, because the plan reaches no further back.')
      : say('Older ones were left out, because a file holds no more.');
  return `${events} ${cut}`;
}
