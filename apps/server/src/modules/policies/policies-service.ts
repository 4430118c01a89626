import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '@airdeck/contracts/audit/actions';
import { limits } from '@airdeck/contracts/limits';
import type {
  Policy,
  PolicyList,
  PolicyListQuery,
  PolicyOriginKind,
  PolicyRule,
  PolicyVersion,
  policyChanges,
} from '@airdeck/contracts/policies/schema';
import { AppError } from '../../http/app-error.ts';
import type { KeyedCreation } from '../../http/keyed-creation.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import {
  announcePolicyChange,
  deletePolicy,
  enabledPolicies,
  findPolicy,
  findSourceText,
  findVersion,
  insertPolicies,
  insertPolicy,
  keepVersion,
  listVersions,
  type PolicyRow,
  policiesByIds,
  policySetVersion,
  setLastOpened,
  updatePolicy,
} from './policies-repository.ts';
import { requireMeasured } from './policy-breadth.ts';
import {
  assertSound,
  auditEntry,
  type ChangedBy,
  noSuchPolicy,
  requireFreeName,
  requireRoom,
} from './policy-checks.ts';
import { changedSince } from './policy-differences.ts';
import { pageOfPolicies } from './policy-list.ts';
import { throttledUntil } from './policy-pace.ts';
import { type PolicyFigures, paceOf, policiesOnTheWire, versionOnTheWire } from './policy-view.ts';
import { furtherPolicies, starterPolicies } from './starter-policies.ts';

/** What detection needs of policies. */
export interface DetectionPolicies {
  /** Version of the tenant's whole set, to see whether something compiled from it is stale. */
  versionOf(tx: Tx, scope: TenantScope): Promise<number>;
  enabledOf(tx: Tx, scope: TenantScope): Promise<{ id: string; rule: PolicyRule }[]>;
  /** Those of the ids that exist, of any tenant and whether enabled or not. */
  byIds(
    tx: Tx,
    ids: readonly string[],
  ): Promise<
    {
      id: string;
      tenant: string;
      enabled: boolean;
      rule: PolicyRule;
      /** Until when it opens no more cases of its groups. */
      throttledUntil: Date | undefined;
      /** Matches recorded before count no more; null for none. */
      countsFrom: Date | null;
    }[]
  >;
  /** Returns until when the policy opens no more cases, this one counted. */
  markOpened(tx: Tx, scope: TenantScope, opened: { id: string; at: Date }): Promise<Date | undefined>;
}

export type PolicyUpdate = {
  id: string;
  enabled?: boolean | undefined;
  rule?: PolicyRule | undefined;
  basedOn?: number | undefined;
  note?: string | undefined;
  /** The rule somebody was asked about, where it matches nearly everything; no other is put to work. */
  measured?: PolicyRule | undefined;
};

export type PolicyCreation = {
  rule: PolicyRule;
  enabled?: boolean;
  origin?: PolicyOriginKind;
  /** Given where the request carried an Idempotency-Key: the id is made of it, the hash tells another request. */
  request?: { id: string; hash: string | null };
};

export interface PoliciesService extends DetectionPolicies {
  list(tx: Tx, scope: TenantScope, query: PolicyListQuery): Promise<PolicyList>;
  /** Throws NOT_FOUND. */
  get(tx: Tx, scope: TenantScope, id: string): Promise<Policy>;
  /** Throws NOT_FOUND, CONFLICT (version, name, put to work unmeasured), and VALIDATION_FAILED with every problem of the rule. */
  update(tx: Tx, scope: TenantScope, change: PolicyUpdate, by: ChangedBy): Promise<Policy>;
  /** Adds a policy of a name of its own. Throws VALIDATION_FAILED, CONFLICT, IDEMPOTENCY_KEY_REUSED. */
  add(tx: Tx, scope: TenantScope, policy: PolicyCreation, by: ChangedBy): Promise<Policy>;
  /** Whether this very request has made its policy already. */
  isMadeBy(tx: Tx, scope: TenantScope, request: KeyedCreation): Promise<boolean>;
  /** Adds a policy whatever its name, for seeding; throws VALIDATION_FAILED. Returns its id. */
  create(tx: Tx, scope: TenantScope, policy: PolicyCreation, by: ChangedBy): Promise<string>;
  /** Gives a new tenant what is shipped: starters on, all others off. For once. Returns their ids by name. */
  addShipped(tx: Tx, scope: TenantScope, by: ChangedBy): Promise<ReadonlyMap<string, string>>;
  /** Throws NOT_FOUND. Cases stay, whatever their status. */
  remove(tx: Tx, scope: TenantScope, id: string, by: ChangedBy): Promise<void>;
  versions(tx: Tx, scope: TenantScope, id: string): Promise<PolicyVersion[]>;
  /** The rule of an older version. Throws NOT_FOUND. */
  ruleOfVersion(tx: Tx, scope: TenantScope, of: { id: string; version: number }): Promise<PolicyRule>;
  rollBack(
    tx: Tx,
    scope: TenantScope,
    to: { id: string; version: number } & Pick<PolicyUpdate, 'measured'>,
    by: ChangedBy,
  ): Promise<Policy>;
  /** Throws NOT_FOUND when the policy was not imported. */
  sourceText(tx: Tx, scope: TenantScope, id: string): Promise<{ format: 'sigma'; file: string; text: string }>;
}

export type ServiceDependencies = {
  now: () => Date;
  ids: () => string;
  audit: Pick<AuditLog, 'record'>;
  figures: PolicyFigures;
  /** Cases one policy opens within an hour, by default that of the limits. */
  casesPerHour?: number;
};

const VERSIONS_MAX_CHARS = 8_000_000;

export function createPoliciesService(deps: ServiceDependencies): PoliciesService {
  const { now, ids, audit } = deps;

  async function wire(tx: Tx, scope: TenantScope, row: PolicyRow): Promise<Policy> {
    const [policy] = await policiesOnTheWire(deps, tx, scope, [row]);
    if (policy === undefined) throw noSuchPolicy();
    return policy;
  }

  async function change(tx: Tx, scope: TenantScope, asked: Change, by: ChangedBy): Promise<Policy> {
    if (asked.rule !== undefined) assertSound(asked.rule);
    await announcePolicyChange(tx, scope);
    const before = await findPolicy(tx, scope, asked.id, { lock: true });
    if (before === undefined) throw noSuchPolicy();
    const wanted = { ...asked, rule: asked.rule && withOrigin(asked.rule, before.rule, asked.kind) };
    if (wanted.basedOn !== undefined && wanted.basedOn !== before.version) {
      throw await changedSince(tx, scope, before, wanted.basedOn);
    }
    if (!isChange(before, wanted)) return await wire(tx, scope, before);
    const after = { enabled: wanted.enabled ?? before.enabled, rule: wanted.rule ?? before.rule };
    requireMeasured(before, after, wanted.measured);
    await requireFreeName(tx, scope, wanted.rule, before);
    const at = now();
    const row = await updatePolicy(tx, scope, {
      ...{ id: wanted.id, enabled: wanted.enabled, rule: wanted.rule, at, by: by.actor.name },
      overridden: before.published_from !== null && wanted.rule !== undefined ? true : undefined,
    });
    if (row === undefined) throw noSuchPolicy();
    const { version, enabled, rule } = row;
    const kind = wanted.rule === undefined ? (enabled ? 'switched_on' : 'switched_off') : wanted.kind;
    const note = wanted.note ?? '';
    await keepVersion(tx, scope, {
      ...{ policyId: row.id, version, change: kind, note, enabled, rule, at },
      by: by.actor.name,
    });
    const answer = await wire(tx, scope, row);
    const data = { name: rule.name, version, enabled, rule_changed: wanted.rule !== undefined };
    await audit.record(tx, auditEntry(scope, { id: row.id, action: wanted.action, data }, by));
    return answer;
  }

  async function insert(tx: Tx, scope: TenantScope, policy: PolicyCreation & { id: string }, by: ChangedBy) {
    const { id, rule, enabled = true, origin = originOf(rule), request } = policy;
    const at = now();
    const createdBy = by.actor.name;
    const isNew = await insertPolicy(tx, scope, {
      ...{ id, enabled, rule, at, origin, createdBy },
      requestHash: request?.hash ?? null,
    });
    if (!isNew) return false;
    const kept = { policyId: id, version: 1, note: '', enabled, rule, at, by: createdBy };
    await keepVersion(tx, scope, { ...kept, change: 'created' });
    return true;
  }

  async function recordCreation(tx: Tx, scope: TenantScope, policy: PolicyCreation & { id: string }, by: ChangedBy) {
    const data = { name: policy.rule.name, enabled: policy.enabled ?? true };
    await audit.record(tx, auditEntry(scope, { id: policy.id, action: 'policy.create', data }, by));
  }

  return {
    async list(tx, scope, query) {
      const { rows, total, facets } = await pageOfPolicies(tx, scope, query);
      return { rules: await policiesOnTheWire(deps, tx, scope, rows), total, facets };
    },

    async get(tx, scope, id) {
      const row = await findPolicy(tx, scope, id);
      if (row === undefined) throw noSuchPolicy();
      return await wire(tx, scope, row);
    },

    update: (tx, scope, update, by) => change(tx, scope, { ...update, kind: 'changed', action: 'policy.update' }, by),

    async add(tx, scope, policy, by) {
      assertSound(policy.rule);
      await announcePolicyChange(tx, scope);
      const id = policy.request?.id ?? ids();
      const known = await findPolicy(tx, scope, id);
      if (known !== undefined) {
        if (known.request_hash !== policy.request?.hash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
        return await wire(tx, scope, known);
      }
      await requireFreeName(tx, scope, policy.rule);
      await requireRoom(tx, scope, 1);
      // Of an id that somebody else's key made, which no two keys do.
      if (!(await insert(tx, scope, { ...policy, id }, by))) throw new AppError('IDEMPOTENCY_KEY_REUSED');
      const answer = await this.get(tx, scope, id);
      await recordCreation(tx, scope, { ...policy, id }, by);
      return answer;
    },

    async isMadeBy(tx, scope, { id, hash }) {
      return hash !== null && (await findPolicy(tx, scope, id))?.request_hash === hash;
    },

    async create(tx, scope, policy, by) {
      assertSound(policy.rule);
      const id = ids();
      await announcePolicyChange(tx, scope);
      await insert(tx, scope, { ...policy, id }, by);
      await recordCreation(tx, scope, { ...policy, id }, by);
      return id;
    },

    async addShipped(tx, scope, by) {
      await announcePolicyChange(tx, scope);
      const shipped = [
        ...starterPolicies.map((rule) => ({ id: ids(), rule, enabled: true })),
        ...furtherPolicies.map((rule) => ({ id: ids(), rule, enabled: false })),
      ];
      const made = { origin: 'starter', change: 'created', at: now(), by: by.actor.name } as const;
      await insertPolicies(tx, scope, shipped, made);
      const data = { policies: shipped.length, enabled: starterPolicies.length };
      await audit.record(tx, auditEntry(scope, { id: null, action: 'policy.add_shipped', data }, by));
      return new Map(shipped.map(({ id, rule }) => [rule.name, id]));
    },

    async remove(tx, scope, id, by) {
      await announcePolicyChange(tx, scope);
      const row = await findPolicy(tx, scope, id, { lock: true });
      if (row === undefined) throw noSuchPolicy();
      await deletePolicy(tx, scope, id);
      const data = { name: row.rule.name, version: row.version };
      await audit.record(tx, auditEntry(scope, { id, action: 'policy.delete', data }, by));
    },

    async versions(tx, scope, id) {
      if ((await findPolicy(tx, scope, id)) === undefined) throw noSuchPolicy();
      const shown = { id, limit: limits.policyVersionsKept, maxChars: VERSIONS_MAX_CHARS };
      return (await listVersions(tx, scope, shown)).map(versionOnTheWire);
    },

    async ruleOfVersion(tx, scope, of) {
      const old = await findVersion(tx, scope, of);
      if (old === undefined) throw new AppError('NOT_FOUND', { message: 'There is no such version of this policy.' });
      return old.rule;
    },

    async rollBack(tx, scope, { id, version, measured }, by) {
      const rule = await this.ruleOfVersion(tx, scope, { id, version });
      const note = `Version ${version} again`;
      return await change(tx, scope, { id, rule, note, measured, kind: 'rolled_back', action: 'policy.roll_back' }, by);
    },

    async sourceText(tx, scope, id) {
      const text = await findSourceText(tx, scope, id);
      if (text === undefined) throw new AppError('NOT_FOUND', { message: 'This policy was not imported.' });
      return text;
    },

    versionOf: policySetVersion,
    enabledOf: enabledPolicies,
    byIds: async (tx, wanted) => {
      if (wanted.length === 0) return [];
      const rows = await policiesByIds(tx, wanted);
      const at = now();
      return rows.map((row) => {
        const { id, tenant_id: tenant, enabled, rule, counts_from: countsFrom } = row;
        const throttled = throttledUntil(paceOf(row), at, deps.casesPerHour);
        return { id, tenant, enabled, rule, countsFrom, throttledUntil: throttled };
      });
    },
    markOpened: async (tx, scope, opened) =>
      throttledUntil(await setLastOpened(tx, scope, opened), opened.at, deps.casesPerHour),
  };
}

type Change = PolicyUpdate & { kind: (typeof policyChanges)[number]; action: AuditAction };

function isChange(before: PolicyRow, { rule, enabled }: PolicyUpdate): boolean {
  if (enabled !== undefined && enabled !== before.enabled) return true;
  return rule !== undefined && !isDeepStrictEqual(JSON.parse(JSON.stringify(rule)), before.rule);
}

/**
 * Who wrote a rule and under which licence is not for those who change it to take away, nor to say otherwise. What is rolled back
 * was written by whoever wrote it then.
 */
function withOrigin(rule: PolicyRule, before: PolicyRule, kind: Change['kind']): PolicyRule {
  const origin = kind === 'rolled_back' ? (rule.origin ?? before.origin) : (before.origin ?? rule.origin);
  return origin === undefined ? rule : { ...rule, origin };
}

function originOf(rule: PolicyRule): PolicyOriginKind {
  return rule.origin === undefined ? 'own' : 'sigma';
}
