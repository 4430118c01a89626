/** Where a policy was published to. Reads across tenants: the caller's memberships are the filter, and nothing that was sent. */
import { requirements } from '@airdeck/contracts/access/requirements';
import { hasRole, type Role } from '@airdeck/contracts/access/roles';
import {
  type PolicyPublication,
  type PolicyPublications,
  PUBLICATIONS_MAX,
} from '@airdeck/contracts/policies/publication-schema';
import { sql } from 'kysely';
import type { Caller } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { lowerRole } from '../me/lower-role.ts';
import { isNamedAfter } from './free-names.ts';
import { findPolicy } from './policies-repository.ts';
import { noSuchPolicy } from './policy-checks.ts';

type Row = {
  tenant: string;
  name: string;
  role: Role;
  policy_id: string | null;
  enabled: boolean;
  overridden: boolean;
  has_rule: boolean;
  copy_name: string | null;
  source_name: string;
  published_version: number | null;
  published_at: Date | null;
  total: number;
};

/**
 * Throws NOT_FOUND. A copy's name may have got a number, so names are compared apart; which version a copy was given is found
 * by the rule, as a copy counts versions of its own, and by the name where several have that rule.
 */
export async function publicationsOf(
  db: Pick<Database, 'read' | 'system'>,
  scope: TenantScope,
  { id, caller }: { id: string; caller: Pick<Caller, 'userId' | 'apiKey'> },
): Promise<PolicyPublications> {
  const source = await db.read(scope.tenantId, (tx) => findPolicy(tx, scope, id));
  if (source === undefined) throw noSuchPolicy();
  const only = caller.apiKey?.tenant ?? null;
  const query = sql<Row>`
    select t.id as tenant, t.name, m.role, p.id as policy_id, p.enabled, p.overridden,
      p.rule - 'name' = s.rule - 'name' as has_rule, p.rule ->> 'name' as copy_name, s.rule ->> 'name' as source_name,
      given.changed_at as published_at,
      (select v.version from policy_version v
        where v.tenant_id = s.tenant_id and v.policy_id = s.id and v.rule - 'name' = given.rule - 'name'
        order by v.rule ->> 'name' in (given.rule ->> 'name', regexp_replace(given.rule ->> 'name', ' \\(\\d+\\)$', '')) desc,
          v.version desc
        limit 1) as published_version,
      (count(*) over ())::int as total
    from policy s
    join tenant t on t.managed_by = s.tenant_id
    join membership m on m.tenant_id = t.id and m.user_id = ${caller.userId}
    left join lateral (
      select * from policy c where c.tenant_id = t.id and c.published_from = s.id order by c.created_at limit 1) p on true
    left join lateral (
      select v.rule, v.changed_at from policy_version v
      where v.tenant_id = p.tenant_id and v.policy_id = p.id and v.change = 'published'
      order by v.version desc limit 1) given on true
    where s.tenant_id = ${scope.tenantId} and s.id = ${id}
      and (${only}::uuid is null or t.id = ${only}::uuid)
    order by lower(t.name), t.id
    limit ${PUBLICATIONS_MAX}`;
  const { rows } = await db.system((tx) => query.execute(tx));
  return { tenants: rows.map((row) => publication(row, caller)), total: rows[0]?.total ?? 0 };
}

function publication(row: Row, { apiKey }: Pick<Caller, 'apiKey'>): PolicyPublication {
  const { tenant, name, policy_id, enabled, overridden, published_version } = row;
  const is_current = row.has_rule && isNamedAfter(row.copy_name ?? '', row.source_name);
  const role = apiKey === undefined ? row.role : lowerRole(row.role, apiKey.role);
  return {
    tenant,
    name,
    can_publish: hasRole(role, requirements.airAutomation.role),
    copy:
      policy_id === null
        ? null
        : {
            ...{ policy_id, enabled, overridden, is_current, published_version },
            published_at: row.published_at?.toISOString() ?? null,
          },
  };
}
