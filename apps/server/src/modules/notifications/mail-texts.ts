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
type Written = { subject: string; text: string };

export function singleMail(row: DeliveryRow, { productName, ownAddress, tenants, sign }: Context): Written {
  const tenant = tenants.get(row.tenant_id);
  const answers = answerLinksOf(row, sign).map(({ label, link }) => `${label}:\n${ownAddress}${link}`);
  const text = [
    row.title,
    row.text,
    ...(answers.length === 0 ? [] : ['Answer after signing in; each link is yours alone and counts once.', ...answers]),
    ...(row.link === null
      ? []
      : [answers.length === 0 ? `${ownAddress}${row.link}` : `Read more:\n${ownAddress}${row.link}`]),
    ...(tenant === undefined || row.kind === 'account_security' ? [] : [`Tenant: ${tenant}`]),
    footer(ownAddress),
  ];
  return { subject: `${productName}: ${row.title}`, text: text.join('\n\n') };
}

export function collectedMail(rows: readonly DeliveryRow[], { productName, ownAddress, tenants }: Context): Written {
  const shown = new Map<string, DeliveryRow[]>();
  for (const row of rows.slice(0, LINES_MAX)) shown.set(row.tenant_id, [...(shown.get(row.tenant_id) ?? []), row]);
  const parts = [...shown].map(([tenant, own]) =>
    [`${tenants.get(tenant) ?? 'Your account'}:`, ...own.map((row) => `- ${row.title}`)].join('\n'),
  );
  const more = rows.length - LINES_MAX;
  const text = [...parts, ...(more > 0 ? [`and ${more} more.`] : []), `${ownAddress}/home`, footer(ownAddress)];
  return { subject: `${productName}: ${rows.length} notifications`, text: text.join('\n\n') };
}

function footer(ownAddress: string): string {
  return `What you are told, and how, is up to you:\n${ownAddress}/settings/notifications`;
}
