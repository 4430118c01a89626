import type { SecretVault } from '@airdeck/connector-kit/secrets';
import type { Database } from '../../storage/database.ts';
import { openSecret } from './connection-secret.ts';
import { domainOf } from './proof-claims.ts';
import type { Connection, ConnectionChoice, Connections } from './sso-port.ts';
import {
  type ConnectionRow,
  findEnabledConnection,
  listEnabledOfDomain,
  listEnabledOfMember,
} from './sso-repository.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Nobody needs a longer list of buttons. */
const OF_DOMAIN_MAX = 5;
const OF_MEMBER_MAX = 20;

type Dependencies = { db: Pick<Database, 'system'>; vault: SecretVault; installation: readonly Connection[] };

export function createConnections({ db, vault, installation }: Dependencies): Connections {
  const withInstallation = (ofTenants: readonly ConnectionChoice[]) =>
    [...ofTenants, ...installation].map(({ id, kind, label }) => ({ id, kind, label }));
  return {
    async list(email) {
      const ofDomain =
        email === undefined ? [] : await db.system((tx) => listEnabledOfDomain(tx, domainOf(email), OF_DOMAIN_MAX));
      return withInstallation(ofDomain);
    },
    listFor: async (userId) =>
      withInstallation(await db.system((tx) => listEnabledOfMember(tx, userId, OF_MEMBER_MAX))),
    async find(id) {
      if (!UUID.test(id)) return installation.find((connection) => connection.id === id);
      const row = await db.system((tx) => findEnabledConnection(tx, id));
      return row === undefined ? undefined : connectionOf(vault, row, row.proved_domains);
    },
  };
}

export function connectionOf(
  vault: SecretVault,
  row: ConnectionRow,
  provedDomains: readonly string[] = [],
): Connection {
  return {
    id: row.id,
    tenant: row.tenant_id,
    kind: row.kind,
    label: row.label,
    issuer: row.issuer,
    clientId: row.client_id,
    openSecret: () => openSecret(vault, row),
    domains: row.domains,
    provedDomains,
    join: {
      enabled: row.join_enabled,
      defaultRole: row.default_role,
      groupsClaim: row.groups_claim,
      groupRoles: row.group_roles,
    },
  };
}
