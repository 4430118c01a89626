import type { SigmaImported } from '@airdeck/contracts/policies/import-schema';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import type { SigmaOutcome } from '@airdeck/detection/sigma/sigma-import';
import { storableJson } from '@airdeck/domain/storable-json';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { freeNames } from './free-names.ts';
import {
  announcePolicyChange,
  insertPolicies,
  keepVersion,
  type PolicyRow,
  policiesBySigmaId,
  putSourceTexts,
  updatePolicy,
} from './policies-repository.ts';
import { requireMeasured, startsMatching } from './policy-breadth.ts';
import { auditEntry, type ChangedBy, requireRoom } from './policy-checks.ts';

type Dependencies = { now: () => Date; ids: () => string; audit: Pick<AuditLog, 'record'> };

type Answer = SigmaImported['rules'][number];
type Taken = Extract<SigmaOutcome, { status: 'imported' }>;
/** What is to be done with a rule that can be taken. */
type Plan =
  | { kind: 'add'; id: string; document: Taken; rule: PolicyRule }
  | { kind: 'replace'; document: Taken; before: PolicyRow }
  | { kind: 'skip'; document: Taken; before: PolicyRow };

const IDS_IN_AUDIT = 100;
/** More rules make an answer too large to be looked at. */
const RULES_SHOWN = 20;

type Import = {
  documents: readonly SigmaOutcome[];
  replace: boolean;
  /** By policy: the rule somebody was asked about, where it matches nearly everything. */
  measured: ReadonlyMap<string, PolicyRule>;
};

/**
 * Stores what was read, switched off, in one transaction: all of it or nothing. A rule whose Sigma id a policy has already is
 * skipped, or gives that policy its new rule where `replace` says so; one whose title a policy has gets a number behind it.
 */
export async function importPolicies(
  deps: Dependencies,
  tx: Tx,
  scope: TenantScope,
  { documents, replace, measured }: Import,
  by: ChangedBy,
): Promise<SigmaImported> {
  await announcePolicyChange(tx, scope);
  const plans = await plan(deps, tx, scope, { documents, replace });
  const added = [...plans.values()].filter((one) => one.kind === 'add');
  await requireRoom(tx, scope, added.length);
  const at = deps.now();
  const made = { origin: 'sigma', change: 'imported', at, by: by.actor.name } as const;
  await insertPolicies(
    tx,
    scope,
    added.map(({ id, rule }) => ({ id, rule, enabled: false })),
    made,
  );
  await putSourceTexts(
    tx,
    scope,
    added.map(({ id: policyId, document: { file, text } }) => ({ policyId, file, text })),
  );
  for (const one of plans.values()) {
    if (one.kind === 'replace')
      await replaceRule(tx, scope, { ...one, measured: measured.get(one.before.id) }, { at, by });
  }
  const answer = summed(documents.map((document) => answerOf(document, plans.get(document))));
  const ids = answer.rules.flatMap(({ policy_id: id }) => id ?? []);
  const { imported, skipped, failed } = answer;
  const data = { format: 'sigma', imported, skipped, failed, policies: ids.slice(0, IDS_IN_AUDIT) };
  await deps.audit.record(tx, auditEntry(scope, { id: null, action: 'policy.import', data }, by));
  return answer;
}

/** What would become of the rules, as far as that can be said without storing them. */
export async function dryImport(
  tx: Tx,
  scope: TenantScope,
  { documents, replace }: { documents: readonly SigmaOutcome[]; replace: boolean },
): Promise<SigmaImported> {
  const plans = await plan({ ids: () => '' }, tx, scope, { documents, replace });
  const showsRules = documents.length <= RULES_SHOWN;
  const answers = documents.map((document) => {
    const plan = plans.get(document);
    const answer = answerOf(document, plan);
    // The policy a new one would be is not there.
    if (plan?.kind !== 'skip') answer.policy_id = null;
    return showsRules && document.status === 'imported' ? { ...answer, rule: document.policy } : answer;
  });
  return summed(answers);
}

/** Policies that are on and would be given another rule. */
export async function replacedAtWork(
  tx: Tx,
  scope: TenantScope,
  documents: readonly SigmaOutcome[],
): Promise<PolicyRow[]> {
  const plans = await plan({ ids: () => '' }, tx, scope, { documents, replace: true });
  return [...plans.values()].flatMap((one) => {
    if (one.kind !== 'replace') return [];
    const rule = { ...one.document.policy, name: one.before.rule.name };
    return startsMatching(one.before, { ...one.before, rule }) ? { ...one.before, rule } : [];
  });
}

async function plan(
  { ids }: Pick<Dependencies, 'ids'>,
  tx: Tx,
  scope: TenantScope,
  { documents, replace }: { documents: readonly SigmaOutcome[]; replace: boolean },
): Promise<ReadonlyMap<SigmaOutcome, Plan>> {
  const taken = documents.filter((document) => document.status === 'imported');
  const known = await policiesBySigmaId(
    tx,
    scope,
    taken.map(({ id }) => id.toLowerCase()).filter((id) => id !== ''),
  );
  const bySigmaId = new Map(known.toReversed().map((row) => [row.sigma_id, row]));
  const fresh = taken.filter(({ id }) => !bySigmaId.has(id.toLowerCase()));
  const names = await freeNames(
    tx,
    scope,
    fresh.map(({ policy }) => policy.name),
  );
  const plans = new Map<SigmaOutcome, Plan>();
  for (const [index, document] of fresh.entries()) {
    const rule = { ...document.policy, name: names[index] ?? document.policy.name };
    plans.set(document, { kind: 'add', id: ids(), document, rule });
  }
  for (const document of taken) {
    const before = bySigmaId.get(document.id.toLowerCase());
    if (before !== undefined) plans.set(document, { kind: replace ? 'replace' : 'skip', document, before });
  }
  return plans;
}

/** The name and whether it is on stay as they are here. */
async function replaceRule(
  tx: Tx,
  scope: TenantScope,
  { document, before, measured }: Extract<Plan, { kind: 'replace' }> & { measured: PolicyRule | undefined },
  { at, by }: { at: Date; by: ChangedBy },
): Promise<void> {
  const rule = { ...document.policy, name: before.rule.name };
  requireMeasured(before, { enabled: before.enabled, rule }, measured);
  // As with any other change: a provider's copy is the customer's own from then on.
  const overridden = before.published_from === null ? undefined : true;
  const row = await updatePolicy(tx, scope, { id: before.id, rule, at, by: by.actor.name, overridden });
  if (row === undefined) return;
  const { version, enabled } = row;
  const kept = { policyId: row.id, version, enabled, note: `Imported again from ${document.file}`.slice(0, 500) };
  await keepVersion(tx, scope, { ...kept, change: 'imported', rule: row.rule, at, by: by.actor.name });
  await putSourceTexts(tx, scope, [{ policyId: row.id, file: document.file, text: document.text }]);
}

function answerOf(document: SigmaOutcome, plan: Plan | undefined): Answer {
  const { file, id, title } = document;
  if (document.status !== 'imported') {
    return { file, id, title, status: document.status, reason: document.reason, policy_id: null };
  }
  switch (plan?.kind) {
    case 'skip': {
      const reason = `A policy of this rule is there already: "${plan.before.rule.name}".`;
      return { file, id, title, status: 'skipped', reason, policy_id: plan.before.id };
    }
    case 'replace': {
      const reason = `Policy "${plan.before.rule.name}" has its new rule${plan.before.enabled ? ' and stays on' : ''}.`;
      return { file, id, title, status: 'imported', reason, policy_id: plan.before.id };
    }
    case 'add': {
      const isRenamed = storableJson(plan.rule.name) !== storableJson(document.policy.name);
      const renamed = isRenamed
        ? { reason: `Another policy has this name; this one is called "${plan.rule.name}".` }
        : {};
      return { file, id, title, status: 'imported', ...renamed, policy_id: plan.id };
    }
    default:
      throw new Error('A rule that can be taken has no plan.');
  }
}

function summed(rules: Answer[]): SigmaImported {
  const count = (status: Answer['status']) => rules.filter((rule) => rule.status === status).length;
  return { rules, imported: count('imported'), skipped: count('skipped'), failed: count('failed') };
}
