import type { AuditRecord, AuditVerdictOnWire } from '@airdeck/contracts/audit/schema';
import { IconCircleCheck, IconShieldX } from '@tabler/icons-react';
import type { StatusLook } from '../../../components/status-table.ts';
import { numberFormat, type Reader } from '../../../ui/reader.ts';

export const outcomeLooks: Readonly<Record<AuditRecord['outcome'], StatusLook>> = {
  ok: { word: 'Done', color: 'var(--air-success)', icon: IconCircleCheck },
  refused: { word: 'Refused', color: 'var(--air-critical)', icon: IconShieldX },
};

const reasons: Readonly<Record<NonNullable<AuditVerdictOnWire['broken']>['reason'], string>> = {
  missing: 'is missing: a record was taken out.',
  unlinked: 'does not follow the one before it: a record was taken out or put in.',
  changed: 'was changed after it was written.',
  head_mismatch: 'is not the one the chain ends with: records at the end were taken out.',
};

/** A verdict in a sentence. */
export function verdictText({ intact, records, broken }: AuditVerdictOnWire, reader: Reader): string {
  const figures = numberFormat(reader);
  if (intact) {
    return records === 1
      ? 'Intact. The one record is as it was written.'
      : `Intact. All ${figures.format(records)} records are as they were written, and none is missing.`;
  }
  if (broken === null) return 'Not intact.';
  return `Not intact. Record ${figures.format(broken.sequence)} ${reasons[broken.reason]}`;
}

export function sizeText(bytes: number): string {
  return bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1_048_576).toFixed(1)} MB`;
}

/** Kind and id of what was acted on, in one line. */
export function targetText({ kind, id }: AuditRecord['target']): string {
  return kindWord(kind) + (id === null ? '' : ` ${id}`);
}

/** Kinds whose words are not those of their name. */
const kindWords: Readonly<Record<string, string>> = {
  api_key: 'API key',
  sso_connection: 'Sign-in connection',
  sso_domain: 'Sign-in domain',
  totp: 'Authenticator',
};

/** A kind of record or target as a word: `rule_response` is "Rule response". */
export function kindWord(kind: string): string {
  const words = kindWords[kind] ?? kind.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
