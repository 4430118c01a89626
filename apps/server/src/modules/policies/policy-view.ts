import { POLICY_FIGURE_DAYS, type Policy, type PolicyVersion } from '@airdeck/contracts/policies/schema';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { PolicyRow, VersionRow } from './policies-repository.ts';
import { type PolicyPace, throttledUntil } from './policy-pace.ts';

/** What other modules know of policies, by policy; those nothing is known of are not there. */
export type PolicyFigures = {
  casesOf(
    tx: Tx,
    scope: TenantScope,
    policyIds: readonly string[],
  ): Promise<
    ReadonlyMap<
      string,
      {
        readonly newest: { readonly id: string; readonly reference: string; readonly openedAt: Date };
        readonly open: number;
      }
    >
  >;
  /** Per day, `POLICY_FIGURE_DAYS` of them, that of `at` last. */
  matchesByDay(
    tx: Tx,
    scope: TenantScope,
    of: { policyIds: readonly string[]; at: Date },
  ): Promise<ReadonlyMap<string, readonly number[]>>;
  /** Matches given up today and yesterday, because the policy waited for too many groups. */
  droppedLately(
    tx: Tx,
    scope: TenantScope,
    of: { policyIds: readonly string[]; at: Date },
  ): Promise<ReadonlyMap<string, number>>;
};

export async function policiesOnTheWire(
  deps: { figures: PolicyFigures; now: () => Date; casesPerHour?: number },
  tx: Tx,
  scope: TenantScope,
  rows: readonly PolicyRow[],
): Promise<Policy[]> {
  const policyIds = rows.map(({ id }) => id);
  const cases = await deps.figures.casesOf(tx, scope, policyIds);
  const at = deps.now();
  const matches = await deps.figures.matchesByDay(tx, scope, { policyIds, at });
  const dropped = await deps.figures.droppedLately(tx, scope, { policyIds, at });
  return rows.map((row) => {
    const own = cases.get(row.id);
    return {
      id: row.id,
      tenant: row.tenant_id,
      enabled: row.enabled,
      created_alert: row.last_opened_at?.toISOString() ?? null,
      rule: row.rule,
      version: row.version,
      origin: row.origin,
      author: row.rule.origin?.author || row.created_by,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      updated_by: row.updated_by,
      last_case: own
        ? { id: own.newest.id, reference: own.newest.reference, time_opened: own.newest.openedAt.toISOString() }
        : null,
      open_cases: own?.open ?? 0,
      matches_by_day: [...(matches.get(row.id) ?? Array.from({ length: POLICY_FIGURE_DAYS }, () => 0))],
      throttled_until: throttledUntil(paceOf(row), at, deps.casesPerHour)?.toISOString() ?? null,
      dropped_matches: dropped.get(row.id) ?? 0,
      published: row.published_from === null ? null : { overridden: row.overridden },
    };
  });
}

export function paceOf({
  pace_from: from,
  pace_cases: cases,
}: Pick<PolicyRow, 'pace_from' | 'pace_cases'>): PolicyPace {
  return { from, cases };
}

export function versionOnTheWire(row: VersionRow): PolicyVersion {
  const { version, change, note, enabled, rule } = row;
  return {
    ...{ version, change, note, enabled, rule },
    changed_at: row.changed_at.toISOString(),
    changed_by: row.changed_by,
  };
}
