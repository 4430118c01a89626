import type { CurrentUser } from '@airdeck/contracts/me/schema';
import { AppError } from '../../http/app-error.ts';
import type { Caller, Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { TenantsService } from '../tenants/tenants-port.ts';
import type { ApiKeysService } from './api-keys-port.ts';
import { createApiKeysService } from './api-keys-service.ts';
import { lowerRole } from './lower-role.ts';

type Dependencies = {
  db: Pick<Database, 'system'>;
  tenants: Pick<TenantsService, 'findMembership' | 'findUser' | 'listMemberships'>;
  /** Whether the user has an authenticator, as the identity provider knows it. */
  hasMfa: (identity: { issuer: string; subject: string }) => Promise<boolean>;
  audit: AuditLog;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
};

export type MeModule = {
  apiKeys: ApiKeysService;
  handlers: Handlers<'me.get' | 'api-keys.list' | 'api-keys.create' | 'api-keys.revoke'>;
};

export function createMeModule(deps: Dependencies): MeModule {
  const apiKeys = createApiKeysService(deps);
  return {
    apiKeys,
    handlers: {
      'me.get': (_request, { caller }) => currentUser(deps, caller),
      'api-keys.list': (_request, { caller }) => apiKeys.list(caller),
      'api-keys.create': ({ body }, { caller, requestId }) =>
        deps.db.system((tx) => apiKeys.create(tx, caller, body, requestId)),
      'api-keys.revoke': async ({ params }, { caller, requestId }) => {
        await apiKeys.revoke(caller, params.id, requestId);
        return undefined;
      },
    },
  };
}

async function currentUser(deps: Dependencies, caller: Caller): Promise<CurrentUser> {
  const { user, memberships } = await deps.db.system(async (tx) => ({
    user: await deps.tenants.findUser(tx, caller.userId),
    memberships: await deps.tenants.listMemberships(tx, caller.userId),
  }));
  if (user === undefined) throw new AppError('TOKEN_INVALID');
  const { apiKey } = caller;
  const visible = memberships
    .filter((row) => apiKey === undefined || row.id === apiKey.tenant)
    .map((row) => (apiKey === undefined ? row : { ...row, role: lowerRole(row.role, apiKey.role) }));
  return {
    user: {
      id: user.id,
      uname: user.uname,
      fullname: user.fullname,
      email: user.email,
      tenant: user.home_tenant_id,
      locale: user.locale,
      external_id: user.id,
      mfa_enabled: await deps.hasMfa({ issuer: user.identity_issuer, subject: user.identity_subject }),
      social: false,
    },
    allowed_tenants: visible.map((row) => ({ id: row.id, fullname: row.name })),
    tenant_roles: Object.fromEntries(visible.map((row) => [row.id, row.role])),
    tenants: Object.fromEntries(visible.map((row) => [row.id, { sku_info: row.sku_info, managed_by: row.managed_by }])),
  };
}
