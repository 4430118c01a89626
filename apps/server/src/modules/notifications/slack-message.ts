import type { Words } from '../mail/mail-words.ts';
import { dashboardLink } from './dashboard-links.ts';
import type { DeliveryRow } from './delivery-repository.ts';

/** Longer lists are read in the dashboard; Slack cuts a text at 40,000 characters. */
const LINES_MAX = 25;

type Context = {
  productName: string;
  ownAddress: string;
  /** Names of the tenants the reader is a member of. */
  tenants: ReadonlyMap<string, string>;
  say: Words['say'];
};

/** What Slack takes: `mrkdwn` text. Titles come from logs, so nothing in them may hide where a link leads, or call people. */
export function slackMessage(rows: readonly DeliveryRow[], context: Context): string {
  const [only] = rows;
  const text = rows.length === 1 && only !== undefined ? single(only, context) : collected(rows, context);
  return JSON.stringify({ text, unfurl_links: false, unfurl_media: false });
}

export function slackTest(productName: string): string {
  return JSON.stringify({
    text: `${escaped(productName)}: this is a test. Notifications you chose for Slack come here.`,
  });
}

function single(row: DeliveryRow, context: Context): string {
  const tenant = row.kind === 'account_security' ? undefined : context.tenants.get(row.tenant_id);
  return [
    `*${linked(row, context)}*`,
    escaped(row.text),
    ...(tenant === undefined ? [] : [`_${escaped(tenant)}_`]),
  ].join('\n');
}

function collected(rows: readonly DeliveryRow[], context: Context): string {
  const byTenant = new Map<string, DeliveryRow[]>();
  for (const row of rows.slice(0, LINES_MAX)) {
    const tenant = row.kind === 'account_security' ? '' : row.tenant_id;
    byTenant.set(tenant, [...(byTenant.get(tenant) ?? []), row]);
  }
  const parts = [...byTenant].map(([tenant, own]) =>
    [
      `*${escaped(context.tenants.get(tenant) ?? context.say('Your account'))}*`,
      ...own.map((row) => `• ${linked(row, context)}`),
    ].join('\n'),
  );
  const more = rows.length - LINES_MAX;
  const { say, ownAddress, productName } = context;
  const open = `<${ownAddress}/home|${escaped(say('open {productName}', { productName }))}>`;
  const rest = more > 0 ? [`${say('and {count} more:', { count: more })} ${open}`] : [];
  return [`*${context.say('{count} notifications', { count: rows.length })}*`, ...parts, ...rest].join('\n\n');
}

function linked(row: DeliveryRow, context: Context): string {
  const address = dashboardLink(row, context);
  // The bar and the bracket end a link.
  return address === undefined ? escaped(row.title) : `<${address}|${escaped(row.title).replaceAll('|', '¦')}>`;
}

/** The three characters by which Slack knows links and mentions. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
