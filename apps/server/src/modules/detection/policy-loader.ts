import type { Database } from '../../storage/database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { DetectionPolicies } from '../policies/policies-service.ts';
import type { LoadPolicies } from './detection-port.ts';

export function createPolicyLoader(deps: {
  db: Pick<Database, 'system'>;
  policies: Pick<DetectionPolicies, 'versionOf' | 'enabledOf'>;
}): LoadPolicies {
  const { db, policies } = deps;
  return (tenant, knownVersion) => {
    const scope = trustedTenantScope(tenant);
    return db.system(async (tx) => {
      // The version first: what changes between the two reads is seen as a newer version next time.
      const version = await policies.versionOf(tx, scope);
      return version === knownVersion ? { version } : { version, rules: await policies.enabledOf(tx, scope) };
    });
  };
}
