/**
 * One policy for many tenants. A copy knows the policy it came from; publishing again gives it the newest rule, unless the
 * tenant changed the copy: that is its override and stays. Whether a copy is on is always the tenant's own choice.
 */
import { isDeepStrictEqual } from 'node:util';
import type { PolicyPublished, PolicyRule } from '@airdeck/contracts/policies/schema';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../http/app-error.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { freeNames } from './free-names.ts';
import {
  announcePolicyChange,
  findCopy,
  findPolicy,
  insertPolicy,
  keepVersion,
  updatePolicy,
} from './policies-repository.ts';
import { auditEntry, type ChangedBy, noSuchPolicy, requireRoom } from './policy-checks.ts';

/** Judges a request as if it had been made in another tenant: same answer for a foreign tenant as for none. */
export type AuthorizePublishing = (
  request: FastifyRequest,
  tenantId: string,
  as: 'policies.publish',
) => Promise<TenantScope>;

export type PublishingDependencies = {
  db: Pick<Database, 'tenant' | 'read'>;
  now: () => Date;
  ids: () => string;
  audit: Pick<AuditLog, 'record'>;
  authorizeElsewhere: AuthorizePublishing;
};

type Order = { id: string; tenants: readonly string[]; enabled: boolean; request: FastifyRequest };
type Answer = PolicyPublished['tenants'][number];

/** Tenant by tenant, each in its own transaction; one that refuses keeps no other. Throws NOT_FOUND. */
export async function publishPolicy(
  deps: PublishingDependencies,
  scope: TenantScope,
  order: Order,
  by: ChangedBy,
): Promise<PolicyPublished> {
  const source = await deps.db.read(scope.tenantId, (tx) => findPolicy(tx, scope, order.id));
  if (source === undefined) throw noSuchPolicy();
  const tenants: Answer[] = [];
  for (const tenant of new Set(order.tenants)) {
    tenants.push(await publishTo(deps, scope, { ...order, tenant, rule: source.rule }, by));
  }
  const count = (status: Answer['status']) => tenants.filter((one) => one.status === status).length;
  const data = {
    name: source.rule.name,
    created: count('created'),
    updated: count('updated'),
    refused: count('refused'),
  };
  await deps.db.tenant(scope.tenantId, (tx) =>
    deps.audit.record(tx, auditEntry(scope, { id: order.id, action: 'policy.publish', data }, by)),
  );
  return { tenants };
}

async function publishTo(
  deps: PublishingDependencies,
  from: TenantScope,
  { tenant, request, ...copy }: Order & { tenant: string; rule: PolicyRule },
  by: ChangedBy,
): Promise<Answer> {
  if (tenant === from.tenantId) {
    return { tenant, status: 'refused', policy_id: null, reason: 'This is the tenant the policy belongs to.' };
  }
  try {
    const to = await deps.authorizeElsewhere(request, tenant, 'policies.publish');
    return await deps.db.tenant(to.tenantId, (tx) => putCopy(deps, tx, { from, to }, copy, by));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { tenant, status: 'refused', policy_id: null, reason: error.message };
  }
}

async function putCopy(
  deps: PublishingDependencies,
  tx: Tx,
  { from, to }: { from: TenantScope; to: TenantScope },
  { id: publishedFrom, rule, enabled }: { id: string; rule: PolicyRule; enabled: boolean },
  by: ChangedBy,
): Promise<Answer> {
  const tenant = to.tenantId;
  await announcePolicyChange(tx, to);
  const known = await findCopy(tx, to, publishedFrom);
  const at = deps.now();
  if (known?.overridden === true) return { tenant, status: 'kept', policy_id: known.id };
  // The name may have got a number here.
  if (known !== undefined && isDeepStrictEqual({ ...known.rule, name: rule.name }, rule)) {
    return { tenant, status: 'unchanged', policy_id: known.id };
  }
  const policyId = known?.id ?? deps.ids();
  const username = by.actor.name;
  if (known === undefined) {
    await requireRoom(tx, to, 1);
    const [name = rule.name] = await freeNames(tx, to, [rule.name]);
    const copy = { ...rule, name };
    await insertPolicy(tx, to, {
      id: policyId,
      enabled,
      rule: copy,
      at,
      origin: 'provider',
      createdBy: username,
      publishedFrom,
    });
    await keepVersion(tx, to, {
      policyId,
      version: 1,
      change: 'published',
      note: '',
      enabled,
      rule: copy,
      at,
      by: username,
    });
  } else {
    const row = await updatePolicy(tx, to, {
      id: policyId,
      rule: { ...rule, name: known.rule.name },
      at,
      by: username,
    });
    if (row === undefined) throw noSuchPolicy();
    const { version, enabled: isOn, rule: copy } = row;
    await keepVersion(tx, to, {
      policyId,
      version,
      change: 'published',
      note: '',
      enabled: isOn,
      rule: copy,
      at,
      by: username,
    });
  }
  const data = { name: rule.name, published_from: publishedFrom, from_tenant: from.tenantId };
  await deps.audit.record(tx, auditEntry(to, { id: policyId, action: 'policy.receive', data }, by));
  return { tenant, status: known === undefined ? 'created' : 'updated', policy_id: policyId };
}
