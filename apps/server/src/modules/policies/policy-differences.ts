import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { findVersion, type PolicyRow } from './policies-repository.ts';

type Whole = { enabled: boolean; rule: PolicyRule };

/** Parts of a policy as people know them: path on the wire, words, and how it is taken out. */
const parts: readonly { path: string; words: string; of: (policy: Whole) => unknown }[] = [
  { path: 'enabled', words: 'whether it is on', of: ({ enabled }) => enabled },
  { path: 'rule.name', words: 'the name', of: ({ rule }) => rule.name },
  { path: 'rule.description', words: 'the description', of: ({ rule }) => rule.description },
  { path: 'rule.severity', words: 'the severity', of: ({ rule }) => rule.severity },
  { path: 'rule.techniques', words: 'the techniques', of: ({ rule }) => rule.techniques },
  { path: 'rule.logic.source', words: 'the sources', of: ({ rule }) => rule.logic.source },
  { path: 'rule.logic.filter_criteria', words: 'the criteria', of: ({ rule }) => rule.logic.filter_criteria },
  { path: 'rule.logic.group_by', words: 'the grouping', of: ({ rule }) => rule.logic.group_by },
  { path: 'rule.logic.threshold', words: 'the threshold', of: ({ rule }) => rule.logic.threshold },
  { path: 'rule.logic.sequence', words: 'the sequence', of: ({ rule }) => rule.logic.sequence },
  { path: 'rule.logic.suppress_for_s', words: 'the suppression', of: ({ rule }) => rule.logic.suppress_for_s },
];

/** A CONFLICT that says who changed the policy since the version somebody worked from, when, and what. */
export async function changedSince(tx: Tx, scope: TenantScope, row: PolicyRow, basedOn: number): Promise<AppError> {
  const base = await findVersion(tx, scope, { id: row.id, version: basedOn });
  const changed = base === undefined ? [] : parts.filter(({ of }) => !isSame(of(base), of(row)));
  const what = changed.length === 0 ? 'this policy' : changed.map(({ words }) => words).join(', ');
  const who = row.updated_by === '' ? 'Somebody' : row.updated_by;
  const at = row.updated_at.toISOString();
  return new AppError('CONFLICT', {
    ...refusal('POLICY_CHANGED', { who, at }),
    message: `${who} changed ${what} in the meantime (${at}). Load it again before you change it.`,
    details: [
      { path: 'version', message: String(row.version) },
      { path: 'updated_by', message: row.updated_by },
      { path: 'updated_at', message: at },
      ...changed.map(({ path, words }) => ({ path, message: `${who} changed ${words}.` })),
    ],
  });
}

/** Both come from the database, which writes the keys of one object in one order. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
