import { telemetryLimits } from '@airdeck/contracts/telemetry/limits';
import type { ReportedError } from '@airdeck/contracts/telemetry/schema';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/** Days are `yyyy-mm-dd` in UTC. */
type Views = { day: string; userId: string; routes: ReadonlyMap<string, number> };

export async function addViews(tx: Tx, scope: TenantScope, { day, userId, routes }: Views): Promise<void> {
  if (routes.size === 0) return;
  await tx
    .insertInto('page_view')
    // In one order, so that two calls of one person never wait for each other in a circle.
    .values(
      [...routes]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([route, views]) => ({ tenant_id: scope.tenantId, day, user_id: userId, route, views })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'day', 'user_id', 'route'])
        .doUpdateSet((eb) => ({ views: eb('page_view.views', '+', eb.ref('excluded.views')) })),
    )
    .execute();
}

/** Counts an error once more; a new one is stored only while the tenant has room for it. */
export async function addError(tx: Tx, scope: TenantScope, error: ReportedError, at: Date): Promise<void> {
  const { fingerprint, release, request_id: requestId } = error;
  const { numUpdatedRows } = await tx
    .updateTable('dashboard_error')
    .set((eb) => ({ count: eb('count', '+', 1), last_at: at, release, request_id: requestId }))
    .where('tenant_id', '=', scope.tenantId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  const { kept } = await tx
    .selectFrom('dashboard_error')
    .select((eb) => eb.fn.countAll<string>().as('kept'))
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirstOrThrow();
  if (Number(kept) >= telemetryLimits.errorsKept) return;
  await tx
    .insertInto('dashboard_error')
    .values({ tenant_id: scope.tenantId, ...error, count: 1, first_at: at, last_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'fingerprint'])
        .doUpdateSet((eb) => ({ count: eb('dashboard_error.count', '+', 1), last_at: at })),
    )
    .execute();
}

export async function viewsByDay(tx: Tx, scope: TenantScope, since: string) {
  return await tx
    .selectFrom('page_view')
    .select((eb) => [
      sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'),
      eb.fn.sum<string>('views').as('views'),
      eb.fn.count<string>('user_id').distinct().as('people'),
    ])
    .where('tenant_id', '=', scope.tenantId)
    .where('day', '>=', since)
    .groupBy('day')
    .execute();
}

export async function viewsByRoute(tx: Tx, scope: TenantScope, since: string, limit: number) {
  return await tx
    .selectFrom('page_view')
    .select((eb) => ['route', eb.fn.sum<string>('views').as('views')])
    .where('tenant_id', '=', scope.tenantId)
    .where('day', '>=', since)
    .groupBy('route')
    .orderBy('views', 'desc')
    .orderBy('route')
    .limit(limit)
    .execute();
}

export async function latestErrors(tx: Tx, scope: TenantScope, since: Date, limit: number) {
  return await tx
    .selectFrom('dashboard_error')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('last_at', '>=', since)
    .orderBy('last_at', 'desc')
    .limit(limit)
    .execute();
}

/** Of every tenant. */
export async function purgeTelemetry(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('page_view').where('day', '<', before.toISOString().slice(0, 10)).execute();
  await tx.deleteFrom('dashboard_error').where('last_at', '<', before).execute();
}
