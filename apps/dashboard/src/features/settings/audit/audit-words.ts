import type { AuditActorKind, AuditNoun, AuditTarget } from '@airdeck/contracts/audit/actions';
import type { AuditRecord, AuditVerdictOnWire } from '@airdeck/contracts/audit/schema';
import { objectOf } from '@airdeck/contracts/json-object';
import { IconCircleCheck, IconShieldX } from '@tabler/icons-react';
import type { StatusLook } from '../../../components/status-table.ts';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { numberFormat, type Reader } from '../../../ui/reader.ts';

export const outcomeLooks: Readonly<Record<AuditRecord['outcome'], StatusLook>> = {
  ok: { word: t('Done'), color: 'var(--air-success)', icon: IconCircleCheck },
  refused: { word: t('Refused'), color: 'var(--air-critical)', icon: IconShieldX },
};

const reasons: Readonly<Record<NonNullable<AuditVerdictOnWire['broken']>['reason'], string>> = {
  missing: t('is missing: a record was taken out.'),
  unlinked: t('does not follow the one before it: a record was taken out or put in.'),
  changed: t('was changed after it was written.'),
  head_mismatch: t('is not the one the chain ends with: records at the end were taken out.'),
};

/** A verdict in a sentence. */
export function verdictText({ intact, records, broken }: AuditVerdictOnWire, reader: Reader): string {
  const figures = numberFormat(reader);
  if (intact) {
    return plural(
      records,
      'Intact. The one record is as it was written.',
      'Intact. All {records} records are as they were written, and none is missing.',
      { records: figures.format(records) },
    );
  }
  if (broken === null) return t('Not intact.');
  return t('Not intact. Record {sequence} {reason}', {
    sequence: figures.format(broken.sequence),
    reason: reasons[broken.reason],
  });
}

export function sizeText(bytes: number): string {
  return bytes < 1_048_576
    ? t('{ceil} kB', { ceil: Math.ceil(bytes / 1024) })
    : t('{value} MB', { value: (bytes / 1_048_576).toFixed(1) });
}

/** Kind and id of what was acted on, in one line. */
export function targetText({ kind, id }: AuditRecord['target']): string {
  return kindWord(kind) + (id === null ? '' : ` ${id}`);
}

/** What the server records and what about. */
const kindWords: Readonly<Record<AuditNoun | AuditTarget, string>> = {
  action: t('Action'),
  address: t('Address'),
  api_key: t('API key'),
  audit: t('Audit'),
  automation: t('Automation'),
  automation_rule: t('Automation rule'),
  billing: t('Billing'),
  case: t('Case'),
  case_sla: t('Case times'),
  case_suppression: t('Case suppression'),
  connector: t('Connector'),
  contact: t('Contact'),
  contract: t('Contract'),
  customer: t('Customer'),
  data_key: t('Data key'),
  executive_report: t('Executive report'),
  executive_report_settings: t('Executive report settings'),
  external_account: t('External account'),
  file: t('File'),
  'home-layout': t('Home layout'),
  installation: t('Installation'),
  integration: t('Integration'),
  invitation: t('Invitation'),
  marketplace: t('Marketplace'),
  marketplace_subscription: t('Marketplace subscription'),
  membership: t('Membership'),
  notification: t('Notification'),
  onboarding: t('Onboarding'),
  openapi: t('OpenAPI document'),
  own_networks: t('Own networks'),
  passkey: t('Passkey'),
  password: t('Password'),
  playbook: t('Playbook'),
  policy: t('Policy'),
  prompt: t('Prompt'),
  provider_role: t('Provider role'),
  reachability: t('Reachability'),
  recovery_codes: t('Recovery codes'),
  restore_fence: t('Restore fence'),
  route: t('Route'),
  rule_response: t('Rule response'),
  run: t('Run##one'),
  saved_search: t('Saved search'),
  search_report: t('Search report'),
  search_report_schedule: t('Search report schedule'),
  session: t('Session'),
  settings: t('Settings'),
  slack_address: t('Slack address'),
  source: t('Source'),
  sso_connection: t('Sign-in connection'),
  sso_domain: t('Sign-in domain'),
  tenant: t('Tenant'),
  totp: t('Authenticator'),
  user: t('User'),
  webhook_secret: t('Webhook secret'),
};

/** A kind of record or target as a word; of one a later server knows, its name as words. */
export function kindWord(kind: string): string {
  const known: Readonly<Record<string, string>> = kindWords;
  const words = known[kind] ?? kind.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const actorWords: Readonly<Record<AuditActorKind, string>> = {
  user: t('user'),
  api_key: t('API key'),
  system: t('system'),
  source: t('source'),
};

/** Who did it, with what kind of actor that is. */
export function actorText({ name, kind }: AuditRecord['actor']): string {
  const known: Readonly<Record<string, string>> = actorWords;
  return `${name} (${known[kind] ?? kind})`;
}

/** How many more of the same a record stands for. */
export function timesRepeated(data: unknown): number {
  const { repeated } = objectOf(data);
  return typeof repeated === 'number' ? repeated : 0;
}
