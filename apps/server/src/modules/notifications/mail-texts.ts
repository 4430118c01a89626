import type { WrittenMail } from '../mail/mail-port.ts';
import type { Words } from '../mail/mail-words.ts';
import { atTenant, dashboardLink } from './dashboard-links.ts';
import type { DeliveryRow } from './delivery-repository.ts';
import type { AnswerLinks } from './notifications-port.ts';
import { answerLinksOf } from './question-links.ts';

/** Longer lists are read in the dashboard. */
const LINES_MAX = 50;

type Context = {
  productName: string;
  ownAddress: string;
  tenants: ReadonlyMap<string, string>;
  sign: Awaited<ReturnType<AnswerLinks['signer']>>;
};

export function singleMail(row: DeliveryRow, context: Context, say: Words['say']): WrittenMail {
  const { productName, ownAddress, tenants, sign } = context;
  const tenant = tenants.get(row.tenant_id);
  const address = dashboardLink(row, context);
  const answers = answerLinksOf(row, sign).map(({ label, link }) => `${label}:\n${atTenant(link, row, context)}`);
  const text = [
    row.title,
    row.text,
    ...(answers.length === 0
      ? []
      : [say('Answer after signing in; each link is yours alone and counts once.'), ...answers]),
    ...(address === undefined ? [] : [answers.length === 0 ? address : `${say('Read more:')}\n${address}`]),
    ...(tenant === undefined || row.kind === 'account_security' ? [] : [say('Tenant: {tenant}', { tenant })]),
    footer(ownAddress, say),
  ];
  return { subject: `${productName}: ${row.title}`, text: text.join('\n\n') };
}

export function collectedMail(rows: readonly DeliveryRow[], context: Context, say: Words['say']): WrittenMail {
  const { productName, ownAddress, tenants } = context;
  const shown = new Map<string, DeliveryRow[]>();
  for (const row of rows.slice(0, LINES_MAX)) shown.set(row.tenant_id, [...(shown.get(row.tenant_id) ?? []), row]);
  const parts = [...shown].map(([tenant, own]) =>
    [
      `${tenants.get(tenant) ?? say('Your account')}:`,
      ...own.flatMap((row) => [`- ${row.title}`, ...linkOf(row, context)]),
    ].join('\n'),
  );
  const more = rows.length - LINES_MAX;
  const text = [
    ...parts,
    ...(more > 0 ? [say('and {count} more.', { count: more })] : []),
    `${ownAddress}/home`,
    footer(ownAddress, say),
  ];
  return {
    subject: `${productName}: ${say('{count} notifications', { count: rows.length })}`,
    text: text.join('\n\n'),
  };
}

/** Under its title; a question is answered where it is read. */
function linkOf(row: DeliveryRow, context: Context): string[] {
  const address = dashboardLink(row, context);
  return address === undefined ? [] : [`  ${address}`];
}

function footer(ownAddress: string, say: Words['say']): string {
  return `${say('What you are told, and how, is up to you:')}\n${ownAddress}/settings/notifications`;
}
