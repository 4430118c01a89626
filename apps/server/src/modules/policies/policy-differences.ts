import type { TextValue } from '@airdeck/contracts/filled-text';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { findVersion, type PolicyRow } from './policies-repository.ts';

type Whole = { enabled: boolean; rule: PolicyRule };

type Part = Extract<Parameters<typeof refusal>[0], `POLICY_PART_${string}`>;

/** Parts of a policy as people know them: path on the wire, words, and how it is taken out. */
const parts: readonly { path: string; part: Part; of: (policy: Whole) => unknown }[] = [
  { path: 'enabled', part: 'POLICY_PART_ENABLED', of: ({ enabled }) => enabled },
  { path: 'rule.name', part: 'POLICY_PART_NAME', of: ({ rule }) => rule.name },
  { path: 'rule.description', part: 'POLICY_PART_DESCRIPTION', of: ({ rule }) => rule.description },
  { path: 'rule.severity', part: 'POLICY_PART_SEVERITY', of: ({ rule }) => rule.severity },
  { path: 'rule.techniques', part: 'POLICY_PART_TECHNIQUES', of: ({ rule }) => rule.techniques },
  { path: 'rule.logic.source', part: 'POLICY_PART_SOURCE', of: ({ rule }) => rule.logic.source },
  { path: 'rule.logic.filter_criteria', part: 'POLICY_PART_CRITERIA', of: ({ rule }) => rule.logic.filter_criteria },
  { path: 'rule.logic.group_by', part: 'POLICY_PART_GROUPING', of: ({ rule }) => rule.logic.group_by },
  { path: 'rule.logic.threshold', part: 'POLICY_PART_THRESHOLD', of: ({ rule }) => rule.logic.threshold },
  { path: 'rule.logic.sequence', part: 'POLICY_PART_SEQUENCE', of: ({ rule }) => rule.logic.sequence },
  { path: 'rule.logic.suppress_for_s', part: 'POLICY_PART_SUPPRESSION', of: ({ rule }) => rule.logic.suppress_for_s },
];

/** A CONFLICT that says who changed the policy since the version somebody worked from, when, and what. */
export async function changedSince(tx: Tx, scope: TenantScope, row: PolicyRow, basedOn: number): Promise<AppError> {
  const base = await findVersion(tx, scope, { id: row.id, version: basedOn });
  const changed = base === undefined ? [] : parts.filter(({ of }) => !isSame(of(base), of(row)));
  const what = changed.length === 0 ? [refusal('POLICY_PART_ITSELF')] : changed.map(({ part }) => refusal(part));
  const who: TextValue = row.updated_by === '' ? [refusal('SOMEBODY')] : row.updated_by;
  const at = row.updated_at.toISOString();
  return new AppError('CONFLICT', {
    ...refusal<'POLICY_CHANGED_PARTS', TextValue>('POLICY_CHANGED_PARTS', { who, parts: what, at }),
    details: [
      { path: 'version', message: String(row.version) },
      { path: 'updated_by', message: row.updated_by },
      { path: 'updated_at', message: at },
      ...changed.map(({ path, part }) => ({
        path,
        ...refusal<'POLICY_CHANGED_ONE', TextValue>('POLICY_CHANGED_ONE', { who, part: [refusal(part)] }),
      })),
    ],
  });
}

/** Both come from the database, which writes the keys of one object in one order. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
