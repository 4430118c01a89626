import type { Locale } from '@airdeck/domain/display-time';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { FileLinks } from '../files/file-links.ts';
import type { Mail } from '../mail/mail-port.ts';
import type { Notices } from '../notifications/notifications-port.ts';
import type { ReportRow } from './executive-reports-repository.ts';
import { createFormats } from './pdf/report-formats.ts';
import { MAILED_LINK_LIVES_MS } from './report-expiry.ts';
import type { SettingsService } from './settings-service.ts';

type Dependencies = {
  mail: Mail;
  notices: Pick<Notices, 'tell'>;
  links: Pick<FileLinks, 'sign'>;
  settings: Pick<SettingsService, 'mailed'>;
  productName: string;
  /** Where the dashboard is, without a slash at the end. */
  ownAddress: () => string;
  now: () => Date;
};

type Words = { ready: (name: string) => string; open: (until: string) => string; later: string };

const english: Words = {
  ready: (name) => `${name} is ready`,
  open: (until) => `Open it until ${until}; whoever has this link can:`,
  later: 'All reports, after signing in:',
};
const wordsOf: Readonly<Record<Locale, Words>> = {
  'en-US': english,
  'en-CA': english,
  'pt-BR': {
    ready: (name) => `${name}: pronto`,
    open: (until) => `Abra até ${until}; quem tem este link pode abrir:`,
    later: 'Todos os relatórios, após entrar:',
  },
};

/**
 * What is said of a report that has ended, in the system transaction that says so: whoever asked for it is told in the
 * dashboard; the recipients of the settings get a mail about one the schedule made. The mail carries a link that opens the
 * file and dies with it, never the file.
 */
export function createReportMail(deps: Dependencies) {
  return async (tx: Tx, scope: TenantScope, row: ReportRow): Promise<void> => {
    const isThere = row.status === 'success';
    if (row.asked_by !== null) {
      const { tenant_id: tenant, name, asked_by: user } = row;
      await deps.notices.tell(tx, { kind: 'report_ready', tenant, name, user, failure: isThere ? null : row.failure });
    }
    if (isThere && row.kind === 'monthly') await writeToRecipients(deps, tx, scope, row);
  };
}

async function writeToRecipients(deps: Dependencies, tx: Tx, scope: TenantScope, row: ReportRow): Promise<void> {
  const words = wordsOf[row.locale];
  const until = createFormats(row).date(deps.now().getTime() + MAILED_LINK_LIVES_MS);
  const link = deps.links.sign({ tenant: scope.tenantId, id: row.id }, MAILED_LINK_LIVES_MS);
  const title = words.ready(row.name);
  const text = [
    `${title}.`,
    `${words.open(until)}\n${deps.ownAddress()}/files/executive_reports/${link}`,
    `${words.later}\n${deps.ownAddress()}/mdr/executive-reports`,
  ].join('\n\n');
  for (const { id, email } of await deps.settings.mailed(tx, scope)) {
    const key = `executive-report:${row.id}:${id}`;
    await deps.mail.queue(tx, { to: email, write: () => ({ subject: `${deps.productName}: ${title}`, text }), key });
  }
}
