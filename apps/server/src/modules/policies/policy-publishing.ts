/**
 * One policy for many tenants. A copy knows the policy it came from; publishing again gives it the newest rule and name,
 * unless the tenant changed the copy: that is its override and stays. Whether a copy is on is always the tenant's own choice.
 */
import { isDeepStrictEqual } from 'node:util';
import type { PolicyPublished, PolicyRule } from '@airdeck/contracts/policies/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../http/app-error.ts';
import type { Confirm } from '../../http/confirmation.ts';
import { hashOf } from '../../http/keyed-creation.ts';
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
import {
  type BreadthDependencies,
  confirmBreadthOfAll,
  requireMeasured,
  startsMatching,
  type Working,
} from './policy-breadth.ts';
import { auditEntry, type ChangedBy, noSuchPolicy, requireRoom } from './policy-checks.ts';

/** Judges a request as if it had been made in another tenant: same answer for a foreign tenant as for none. */
export type AuthorizePublishing = (
  request: FastifyRequest,
  tenantId: string,
  as: 'policies.publish',
) => Promise<TenantScope>;

export type PublishingDependencies = BreadthDependencies & {
  db: Pick<Database, 'tenant' | 'read'>;
  ids: () => string;
  audit: Pick<AuditLog, 'record'>;
  authorizeElsewhere: AuthorizePublishing;
  tenantName: (tx: Tx, scope: TenantScope) => Promise<string>;
};

type Order = {
  id: string;
  tenants: readonly string[];
  enabled: boolean;
  request: FastifyRequest;
  confirm: Confirm;
  signal: AbortSignal;
};
type Answer = PolicyPublished['tenants'][number];
type Target = { tenant: string; to: TenantScope } | (Answer & { to?: never });
type Copy = { id: string; rule: PolicyRule; enabled: boolean };

/**
 * Tenant by tenant, each in its own transaction; one that refuses keeps no other. Before the first, it asks about tenants
 * where the rule would be at work and matches nearly everything. Throws NOT_FOUND and STORE_UNAVAILABLE.
 */
export async function publishPolicy(
  deps: PublishingDependencies,
  scope: TenantScope,
  order: Order,
  by: ChangedBy,
): Promise<PolicyPublished> {
  const source = await deps.db.read(scope.tenantId, (tx) => findPolicy(tx, scope, order.id));
  if (source === undefined) throw noSuchPolicy();
  const copy = { id: order.id, rule: source.rule, enabled: order.enabled };
  const targets: Target[] = [];
  for (const tenant of new Set(order.tenants)) targets.push(await targetOf(deps, scope, { tenant, ...order }));
  const measuredFor = await confirmAtWork(deps, targets, copy, order);
  const tenants: Answer[] = [];
  for (const target of targets) {
    const measured = measuredFor.has(target.tenant) ? copy.rule : undefined;
    tenants.push(await publishTo(deps, scope, { target, copy, measured }, by));
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

async function targetOf(
  { authorizeElsewhere }: PublishingDependencies,
  from: TenantScope,
  { tenant, request }: { tenant: string; request: FastifyRequest },
): Promise<Target> {
  if (tenant === from.tenantId) return refused(tenant, 'This is the tenant the policy belongs to.');
  try {
    return { tenant, to: await authorizeElsewhere(request, tenant, 'policies.publish') };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refused(tenant, error.message);
  }
}

/** Outside of any transaction: the measurement asks the event store. Returns the tenants it was made for. */
async function confirmAtWork(
  deps: PublishingDependencies,
  targets: readonly Target[],
  { id, rule, enabled }: Copy,
  { confirm, signal }: Pick<Order, 'confirm' | 'signal'>,
): Promise<ReadonlySet<string>> {
  const working: Working[] = [];
  for (const { to } of targets) {
    if (to === undefined) continue;
    const name = await deps.db.read(to.tenantId, async (tx) => {
      const known = await findCopy(tx, to, id, { lock: false });
      const isAtWork = startsMatching(known, { enabled: known?.enabled ?? enabled, rule });
      return isAtWork && known?.overridden !== true ? await deps.tenantName(tx, to) : undefined;
    });
    if (name !== undefined) working.push({ scope: to, rule, name });
  }
  const tenants = targets.map(({ tenant }) => tenant).sort();
  await confirmBreadthOfAll(deps, working, {
    object: hashOf([id, rule, enabled, tenants]),
    title: refusal('ASK_POLICY_PUBLISH', { name: rule.name }),
    action_label: refusal('ASK_LABEL_PUBLISH'),
    confirm,
    signal,
  });
  return new Set(working.map(({ scope }) => scope.tenantId));
}

/** `measured`: the rule somebody was asked about for this tenant, where it matches nearly everything. */
type Publication = { copy: Copy; measured: PolicyRule | undefined };

async function publishTo(
  deps: PublishingDependencies,
  from: TenantScope,
  { target, ...publication }: Publication & { target: Target },
  by: ChangedBy,
): Promise<Answer> {
  const { tenant, to } = target;
  if (to === undefined) return target;
  try {
    return await deps.db.tenant(to.tenantId, (tx) => putCopy(deps, tx, { from, to }, publication, by));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refused(tenant, error.message);
  }
}

function refused(tenant: string, reason: string): Answer {
  return { tenant, status: 'refused', policy_id: null, reason };
}

async function putCopy(
  deps: PublishingDependencies,
  tx: Tx,
  { from, to }: { from: TenantScope; to: TenantScope },
  { copy: { id: publishedFrom, rule, enabled }, measured }: Publication,
  by: ChangedBy,
): Promise<Answer> {
  const tenant = to.tenantId;
  await announcePolicyChange(tx, to);
  const known = await findCopy(tx, to, publishedFrom, { lock: true });
  const at = deps.now();
  if (known?.overridden === true) return { tenant, status: 'kept', policy_id: known.id };
  const [name = rule.name] = await freeNames(tx, to, [rule.name], known?.id);
  const copy = { ...rule, name };
  if (known !== undefined && isDeepStrictEqual(known.rule, copy)) {
    return { tenant, status: 'unchanged', policy_id: known.id };
  }
  requireMeasured(known, { enabled: known?.enabled ?? enabled, rule: copy }, measured);
  const policyId = known?.id ?? deps.ids();
  const username = by.actor.name;
  if (known === undefined) {
    await requireRoom(tx, to, 1);
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
      rule: copy,
      at,
      by: username,
    });
    if (row === undefined) throw noSuchPolicy();
    const { version, enabled: isOn } = row;
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
