import type { Policy, PolicyRule } from '@airdeck/contracts/policies/schema';
import { validatePolicy } from '@airdeck/detection/policy-set';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor, AuditLog } from '../audit/audit-log.ts';
import {
  announcePolicyChange,
  enabledPolicies,
  findPolicy,
  insertPolicy,
  type PolicyRow,
  pageOfPolicies,
  policiesByIds,
  policySetVersion,
  setLastOpened,
  updatePolicy,
} from './policies-repository.ts';

/** What detection needs of policies. */
export interface DetectionPolicies {
  /** Version of the tenant's whole set, to see whether something compiled from it is stale. */
  versionOf(tx: Tx, scope: TenantScope): Promise<number>;
  enabledOf(tx: Tx, scope: TenantScope): Promise<{ id: string; rule: PolicyRule }[]>;
  /** Those of the ids that exist, of any tenant and whether enabled or not. */
  byIds(tx: Tx, ids: readonly string[]): Promise<{ id: string; tenant: string; enabled: boolean; rule: PolicyRule }[]>;
  markOpened(tx: Tx, scope: TenantScope, opened: { id: string; at: Date }): Promise<void>;
}

export interface PoliciesService extends DetectionPolicies {
  list(tx: Tx, scope: TenantScope, page: { number: number; size: number }): Promise<{ rules: Policy[]; total: number }>;
  /** Throws NOT_FOUND. */
  get(tx: Tx, scope: TenantScope, id: string): Promise<Policy>;
  /** Throws NOT_FOUND, and VALIDATION_FAILED with every problem of the rule. */
  update(
    tx: Tx,
    scope: TenantScope,
    change: { id: string; enabled: boolean | undefined; rule: PolicyRule | undefined },
    by: { actor: AuditActor; requestId: string },
  ): Promise<Policy>;
  /** Adds a policy, for seeding; throws VALIDATION_FAILED. Returns its id. */
  create(
    tx: Tx,
    scope: TenantScope,
    policy: { rule: PolicyRule; enabled?: boolean },
    by: { actor: AuditActor; requestId: string | null },
  ): Promise<string>;
}

type Dependencies = { now: () => Date; ids: () => string; audit: Pick<AuditLog, 'record'> };

export function createPoliciesService({ now, ids, audit }: Dependencies): PoliciesService {
  return {
    async list(tx, scope, { number, size }) {
      const { rows, total } = await pageOfPolicies(tx, scope, { limit: size, offset: (number - 1) * size });
      return { rules: rows.map(onTheWire), total };
    },

    async get(tx, scope, id) {
      const row = await findPolicy(tx, scope, id);
      if (row === undefined) throw noSuchPolicy();
      return onTheWire(row);
    },

    async update(tx, scope, change, by) {
      if (change.rule !== undefined) assertSound(change.rule);
      const row = await updatePolicy(tx, scope, { ...change, at: now() });
      if (row === undefined) throw noSuchPolicy();
      await announcePolicyChange(tx, scope);
      await audit.record(tx, {
        tenant: scope.tenantId,
        actor: by.actor,
        action: 'policy.update',
        target: { kind: 'policy', id: change.id },
        outcome: 'ok',
        data: {
          name: row.rule.name,
          version: row.version,
          enabled: row.enabled,
          rule_changed: change.rule !== undefined,
        },
        request_id: by.requestId,
      });
      return onTheWire(row);
    },

    async create(tx, scope, { rule, enabled = true }, by) {
      assertSound(rule);
      const id = ids();
      await insertPolicy(tx, scope, { id, enabled, rule, at: now() });
      await announcePolicyChange(tx, scope);
      await audit.record(tx, {
        tenant: scope.tenantId,
        actor: by.actor,
        action: 'policy.create',
        target: { kind: 'policy', id },
        outcome: 'ok',
        data: { name: rule.name, enabled },
        request_id: by.requestId,
      });
      return id;
    },

    versionOf: policySetVersion,
    enabledOf: enabledPolicies,
    byIds: async (tx, wanted) => {
      if (wanted.length === 0) return [];
      const rows = await policiesByIds(tx, wanted);
      return rows.map(({ id, tenant_id: tenant, enabled, rule }) => ({ id, tenant, enabled, rule }));
    },
    markOpened: setLastOpened,
  };
}

function assertSound(rule: PolicyRule): void {
  const problems = validatePolicy(rule);
  if (problems.length === 0) return;
  throw new AppError('VALIDATION_FAILED', {
    message: 'The policy cannot run as it is.',
    details: problems.map(({ path, message }) => ({ path: `rule.${path}`, message })),
  });
}

function noSuchPolicy(): AppError {
  return new AppError('NOT_FOUND', { message: 'This policy does not exist.' });
}

function onTheWire(row: PolicyRow): Policy {
  return {
    id: row.id,
    tenant: row.tenant_id,
    enabled: row.enabled,
    created_alert: row.last_opened_at?.toISOString() ?? null,
    rule: row.rule,
  };
}
