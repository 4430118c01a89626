import type { AuditRecord, AuditVerdictOnWire } from '@airdeck/contracts/audit/schema';
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

/** Kinds whose words are not those of their name. */
const kindWords: Readonly<Record<string, string>> = {
  api_key: t('API key'),
  sso_connection: t('Sign-in connection'),
  sso_domain: t('Sign-in domain'),
  totp: t('Authenticator'),
};

/** A kind of record or target as a word: `rule_response` is "Rule response". */
export function kindWord(kind: string): string {
  const words = kindWords[kind] ?? kind.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
