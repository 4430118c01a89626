import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { FileLinks } from '../files/file-links.ts';
import type { Mail, WrittenMail } from '../mail/mail-port.ts';
import type { Words } from '../mail/mail-words.ts';
import { queueMailable } from '../mail/queue-mailable.ts';
import { namingTenant } from '../notifications/dashboard-links.ts';
import type { Notices } from '../notifications/notifications-port.ts';
import type { ReportRow } from './executive-reports-repository.ts';
import { MAILED_LINK_LIVES_MS } from './report-expiry.ts';
import type { SettingsService } from './settings-service.ts';

type Dependencies = {
  mail: Mail;
  notices: Pick<Notices, 'tell'>;
  links: Pick<FileLinks, 'sign'>;
  settings: Pick<SettingsService, 'mailed'>;
  audit: Pick<AuditLog, 'record'>;
  productName: string;
  /** Where the dashboard is, without a slash at the end. */
  ownAddress: () => string;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
};

/**
 * What is said of a report that has ended, in the system transaction that says so: whoever asked for it is told in the
 * dashboard; the recipients of the settings get a mail about one the schedule made, and where that could not be made, Admins
 * are told: nobody else would look for it. The mail carries a link that opens the
 * file and dies with it, never the file. Who was given that link is in the audit log.
 */
export function createReportMail(deps: Dependencies) {
  return async (tx: Tx, scope: TenantScope, row: ReportRow): Promise<void> => {
    const isThere = row.status === 'success';
    const { tenant_id: tenant, name, asked_by: user } = row;
    if (user !== null || !isThere) {
      await deps.notices.tell(tx, { kind: 'report_ready', tenant, name, user, failure: isThere ? null : row.failure });
    }
    if (isThere && row.kind === 'monthly') await writeToRecipients(deps, tx, scope, row);
  };
}

async function writeToRecipients(deps: Dependencies, tx: Tx, scope: TenantScope, row: ReportRow): Promise<void> {
  const until = new Date(deps.now().getTime() + MAILED_LINK_LIVES_MS);
  const link = deps.links.sign({ tenant: scope.tenantId, id: row.id }, MAILED_LINK_LIVES_MS);
  const list = `${deps.ownAddress()}${namingTenant('/mdr/executive-reports', scope.tenantId)}`;
  const write = ({ say, minute }: Words): WrittenMail => {
    const title = say('{name} is ready', { name: row.name });
    const open = say('Open it until {until}; whoever has this link can:', { until: minute(until) });
    const text = [
      `${title}.`,
      `${open}\n${deps.ownAddress()}/files/executive_reports/${link}`,
      `${say('All reports, after signing in:')}\n${list}`,
    ].join('\n\n');
    return { subject: `${deps.productName}: ${title}`, text };
  };
  const reader = { locale: row.locale, timeZone: row.time_zone };
  const recipients: string[] = [];
  for (const { id, email } of await deps.settings.mailed(tx, scope)) {
    const letter = { to: email, reader, write, key: `executive-report:${row.id}:${id}` };
    if (await queueMailable(deps, tx, letter)) recipients.push(email);
  }
  if (recipients.length === 0) return;
  await deps.audit.record(tx, {
    tenant: scope.tenantId,
    actor: { kind: 'system', id: null, name: 'Monthly report' },
    action: 'executive_report.download',
    target: { kind: 'executive_report', id: row.id },
    data: { name: row.name, month: row.month, kind: row.kind, recipients },
    outcome: 'ok',
    request_id: null,
  });
}
