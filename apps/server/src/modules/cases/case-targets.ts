import { slaTargets } from '@airdeck/contracts/cases/sla';
import type { SlaSettings, SlaSettingsInput } from '@airdeck/contracts/cases/sla-settings';
import { caseSeverities } from '@airdeck/contracts/statuses';
import { overtaken } from '../../http/overtaken.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Targets } from './case-clock.ts';
import type { UpdatedBy } from './cases-service.ts';

/** A tenant's own targets, else the product's. Works in system transactions and in those of the tenant. */
export async function targetsOf(tx: Tx, scope: TenantScope): Promise<Targets> {
  const rows = await tx
    .selectFrom('case_sla_target')
    .select(['severity', 'respond_minutes', 'resolve_minutes'])
    .where('tenant_id', '=', scope.tenantId)
    .execute();
  const own = new Map(rows.map((row) => [row.severity, row]));
  return bySeverity((severity) => {
    const row = own.get(severity);
    if (row !== undefined) return { respond: row.respond_minutes, resolve: row.resolve_minutes };
    const { respondMinutes, resolveMinutes } = slaTargets[severity];
    return { respond: respondMinutes, resolve: resolveMinutes };
  });
}

export async function getSlaSettings(tx: Tx, scope: TenantScope): Promise<SlaSettings> {
  const targets = await targetsOf(tx, scope);
  const changed = await tx
    .selectFrom('case_sla_change')
    .select(['updated_at', 'updated_by'])
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirst();
  return {
    targets: bySeverity((severity) => {
      const { respond, resolve } = targets[severity];
      return { respond_minutes: respond, resolve_minutes: resolve };
    }),
    updated_at: changed?.updated_at.toISOString() ?? null,
    updated_by: changed?.updated_by ?? null,
  };
}

type Dependencies = { now: () => Date; audit: Pick<AuditLog, 'record'> };

/** Throws CONFLICT when the targets were changed since `based_on`. */
export async function putSlaSettings(
  { now, audit }: Dependencies,
  tx: Tx,
  scope: TenantScope,
  { input, by }: { input: SlaSettingsInput; by: UpdatedBy },
): Promise<SlaSettings> {
  const at = now();
  const changed = await markChanged(tx, scope, { basedOn: input.based_on, at, username: by.actor.name });
  if (!changed) {
    throw overtaken('body.based_on', { message: 'Somebody else changed these times meanwhile. Look at them first.' });
  }
  const before = await targetsOf(tx, scope);
  for (const severity of caseSeverities) {
    const row = input.targets[severity];
    await tx
      .insertInto('case_sla_target')
      .values({ tenant_id: scope.tenantId, severity, ...row })
      .onConflict((on) => on.columns(['tenant_id', 'severity']).doUpdateSet(row))
      .execute();
  }
  const saved = await getSlaSettings(tx, scope);
  await audit.record(tx, {
    tenant: scope.tenantId,
    actor: by.actor,
    action: 'case_sla.update',
    target: { kind: 'tenant', id: scope.tenantId },
    outcome: 'ok',
    data: { from: before, to: await targetsOf(tx, scope) },
    request_id: by.requestId,
  });
  return saved;
}

/** The row decides who was first, so that two people at once cannot both be right. Milliseconds, as the wire has them. */
async function markChanged(
  tx: Tx,
  scope: TenantScope,
  { basedOn, at, username }: { basedOn: string | null; at: Date; username: string },
): Promise<boolean> {
  const values = { updated_at: at, updated_by: username };
  if (basedOn === null) {
    const inserted = await tx
      .insertInto('case_sla_change')
      .values({ tenant_id: scope.tenantId, ...values })
      .onConflict((on) => on.column('tenant_id').doNothing())
      .returning('tenant_id')
      .executeTakeFirst();
    return inserted !== undefined;
  }
  const updated = await tx
    .updateTable('case_sla_change')
    .set(values)
    .where('tenant_id', '=', scope.tenantId)
    .where('updated_at', '=', new Date(basedOn))
    .returning('tenant_id')
    .executeTakeFirst();
  return updated !== undefined;
}

function bySeverity<T>(
  of: (severity: (typeof caseSeverities)[number]) => T,
): Record<(typeof caseSeverities)[number], T> {
  return { low: of('low'), medium: of('medium'), high: of('high'), critical: of('critical') };
}
