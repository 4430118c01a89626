import type { Onboarding } from '@airdeck/contracts/onboarding/schema';
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { OnboardingTables } from './onboarding-tables.ts';

export type OnboardingRow = Selectable<OnboardingTables['onboarding']>;

export async function listOnboardings(tx: Tx, scope: TenantScope, limit: number): Promise<OnboardingRow[]> {
  return await tx
    .selectFrom('onboarding')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Held until the transaction ends: the number of onboardings is changed by one at a time. */
export async function lockOnboardings(tx: Tx, scope: TenantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`onboardings ${scope.tenantId}`}, 0))`.execute(tx);
}

/** How many there are besides this one. */
export async function countOthers(tx: Tx, scope: TenantScope, id: string): Promise<number> {
  const { others } = await tx
    .selectFrom('onboarding')
    .select((eb) => eb.fn.countAll<number>().as('others'))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '<>', id)
    .executeTakeFirstOrThrow();
  return others;
}

type Saved = Omit<Onboarding, 'tenant' | 'updated_at' | 'data'> & { data: string; at: Date };

/** Whoever began it stays its creator. */
export async function saveOnboarding(tx: Tx, scope: TenantScope, saved: Saved): Promise<OnboardingRow> {
  const { id, created_by, at, ...fields } = saved;
  const set = { ...fields, updated_at: at };
  return await tx
    .insertInto('onboarding')
    .values({ ...set, id, created_by, tenant_id: scope.tenantId })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doUpdateSet(set))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteOnboarding(tx: Tx, scope: TenantScope, id: string): Promise<OnboardingRow | undefined> {
  return await tx
    .deleteFrom('onboarding')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Counts one call and returns the state of the window it fell into, exact whoever else counts at the same time. */
export async function countCall(
  tx: Tx,
  scope: TenantScope,
  { at, windowMs }: { at: Date; windowMs: number },
): Promise<{ calls: number; startedAt: Date }> {
  const over = new Date(at.getTime() - windowMs);
  const { rows } = await sql<{ calls: number; startedAt: Date }>`
    insert into reachability_window as w (tenant_id, started_at, calls) values (${scope.tenantId}, ${at}, 1)
    on conflict (tenant_id) do update set
      calls = case when w.started_at <= ${over} then 1 else w.calls + 1 end,
      started_at = case when w.started_at <= ${over} then ${at} else w.started_at end
    returning calls, started_at as "startedAt"`.execute(tx);
  const [window] = rows;
  if (window === undefined) throw new Error('A counted call has no window.');
  return window;
}
