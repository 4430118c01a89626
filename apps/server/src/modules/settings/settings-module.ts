import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { TenantSettingsPort } from './settings-port.ts';
import { findAutomation, findSignInPolicy, listSsoConnections } from './settings-repository.ts';
import { createSettingsService, type SettingsDependencies, type SettingsService } from './settings-service.ts';

/**
 * Reads by primary key in the caller's own transaction: as cheap as asking a cache across processes whether it is still
 * right, and never an old answer. Works in system transactions and in those of the tenant.
 */
export const tenantSettings: TenantSettingsPort = {
  async signInPolicy(tx, tenantId) {
    const row = await findSignInPolicy(tx, tenantId);
    return {
      ssoRequired: row?.sso_required ?? false,
      breakGlass: row?.break_glass ?? [],
      socialNeedsAuthenticator: row?.mfa_required_for_social ?? false,
    };
  },
  async singleSignOn(tx, tenantId) {
    const enabled = await listSsoConnections(tx, tenantId);
    if (enabled.length === 0) return 'none';
    return enabled.some(({ is_usable }) => is_usable) ? 'usable' : 'unproved';
  },
  async automationEnabled(tx, tenantId) {
    return (await findAutomation(tx, tenantId))?.automation_enabled ?? true;
  },
  async twoPeopleApprove(tx, tenantId) {
    return (await findAutomation(tx, tenantId))?.two_people_approve ?? false;
  },
};

export type SettingsModule = { service: SettingsService; handlers: Handlers<'settings.get' | 'settings.update'> };

export function createSettingsModule(deps: SettingsDependencies & { db: Pick<Database, 'system'> }): SettingsModule {
  const service = createSettingsService(deps);
  return {
    service,
    handlers: {
      'settings.get': (_request, { scope }) => deps.db.system((tx) => service.get(tx, scope)),
      'settings.update': ({ body }, { scope, caller, requestId }) =>
        // Name and brand belong to the tenant's own row, which only system transactions may change.
        deps.db.system((tx) => service.update(tx, scope, body, { actor: auditActor(caller), requestId })),
    },
  };
}
