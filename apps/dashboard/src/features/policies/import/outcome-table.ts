import { csvHead, csvLine } from '@airdeck/domain/csv-text';
import { t } from '../../../language/translate.ts';
import type { Outcome, OutcomeKind } from './outcomes.ts';

const columns = ['status', 'file', 'document', 'title', 'id', 'reason', 'policy_id'] as const;
const statuses: Readonly<Record<OutcomeKind, string>> = {
  imported: 'imported',
  there: 'already_there',
  skipped: 'skipped',
  failed: 'failed',
};

/** For a spreadsheet, or a program. Whatever the rules are called, no cell of it is run as a formula. */
export function csvOf(outcomes: readonly Outcome[]): string {
  const lines = outcomes.map(({ kind, file, document, title, id, reason, policyId }) =>
    csvLine([statuses[kind], file, String(document ?? ''), title, id, reason ?? '', policyId ?? '']),
  );
  return csvHead(columns) + lines.join('');
}

/** For a message: a line per rule. */
export function textOf(outcomes: readonly Outcome[], wordOf: (kind: OutcomeKind) => string): string {
  return outcomes
    .map((outcome) => {
      const parts = [wordOf(outcome.kind), placeOf(outcome), outcome.title, outcome.reason ?? ''];
      return parts.filter((part) => part !== '').join(' · ');
    })
    .join('\n');
}

/** The file, and which of its rules. */
export function placeOf({ file, document }: Pick<Outcome, 'file' | 'document'>): string {
  return document === undefined ? file : t('{file}, rule {number}', { file, number: document });
}
