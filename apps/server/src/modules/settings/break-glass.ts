import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import { LOCAL_ISSUER } from '../identity/sign-in-provider.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import type { BreakGlass } from './settings-port.ts';
import { findSignInPolicy, listAbleToBreakGlass, listBreakGlassOf, putBreakGlass } from './settings-repository.ts';

type Dependencies = {
  /** Ends sessions of people at home in the tenant that its rules would not open now; how many. */
  endUnfitSessions: (tx: Tx, tenantId: string) => Promise<number>;
  now: () => Date;
};

type List = { tenant_id: string; break_glass: string[] };

export function createBreakGlass(deps: Dependencies): BreakGlass {
  return {
    isOnly,

    async withdraw(tx, { user, tenant, forced = false }, by) {
      const lists = (await listBreakGlassOf(tx, user)).filter((list) => (tenant ?? list.tenant_id) === list.tenant_id);
      const entries: AuditEntry[] = [];
      for (const list of lists) {
        if (!forced && (await isOnly(tx, { tenant: list.tenant_id, user }))) {
          throw new AppError('CONFLICT', { message: lastOne });
        }
        entries.push(await shorten(deps, tx, { list, left: without(list.break_glass, list.uname), by }));
      }
      return entries;
    },

    async review(tx, tenant, by) {
      const policy = await findSignInPolicy(tx, tenant);
      if (policy === undefined || policy.break_glass.length === 0) return [];
      const left = await able(tx, tenant, policy.break_glass);
      if (left.length === policy.break_glass.length) return [];
      const list = { tenant_id: tenant, break_glass: policy.break_glass };
      return [await shorten(deps, tx, { list, left: policy.break_glass.filter((name) => left.includes(name)), by })];
    },
  };
}

async function isOnly(tx: Tx, { tenant, user }: { tenant: string; user: string }): Promise<boolean> {
  const list = (await listBreakGlassOf(tx, user)).find(({ tenant_id }) => tenant_id === tenant);
  if (list === undefined || !list.sso_required) return false;
  return (await able(tx, tenant, without(list.break_glass, list.uname))).length === 0;
}

const lastOne =
  'This is the only break-glass account of a tenant whose people sign in through single sign-on. Name another one first, so that somebody gets in when that is down.';

function without(usernames: readonly string[], uname: string): string[] {
  return usernames.filter((username) => username.toLowerCase() !== uname.toLowerCase());
}

function able(tx: Tx, tenant: string, usernames: readonly string[]): Promise<string[]> {
  return listAbleToBreakGlass(tx, trustedTenantScope(tenant), { usernames, issuer: LOCAL_ISSUER });
}

async function shorten(
  deps: Dependencies,
  tx: Tx,
  { list, left, by }: { list: List; left: string[]; by: ChangedBy },
): Promise<AuditEntry> {
  const { tenant_id: tenant, break_glass: from } = list;
  await putBreakGlass(tx, tenant, { break_glass: left, updated_at: deps.now() });
  const sessions_ended = await deps.endUnfitSessions(tx, tenant);
  return {
    tenant,
    actor: by.actor,
    action: 'settings.update',
    target: { kind: 'tenant', id: tenant },
    outcome: 'ok',
    data: { break_glass: { from, to: left }, sessions_ended },
    request_id: by.requestId,
  };
}
