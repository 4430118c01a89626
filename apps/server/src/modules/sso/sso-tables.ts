import type { SealedSecret, WrappedKey } from '@airdeck/connector-kit/secrets';
import type { Role } from '@airdeck/contracts/access/roles';
import type { SsoKind } from '@airdeck/contracts/settings/schema';
import type { ColumnType } from 'kysely';

type Json<T> = ColumnType<T, string, string>;

export type SsoTables = {
  sso_connection: {
    id: string;
    tenant_id: string;
    kind: SsoKind;
    label: string;
    issuer: string;
    client_id: string;
    /** The key that opens `sealed_secret`, wrapped by the installation's. Both null for a client without a secret. */
    wrapped_key: Json<WrappedKey | null>;
    /** Opens only for this tenant, connection and issuer. */
    sealed_secret: Json<SealedSecret | null>;
    secret_set_at: Date | null;
    domains: string[];
    join_enabled: boolean;
    default_role: Role | null;
    groups_claim: string;
    group_roles: Json<GroupRole[]>;
    enabled: boolean;
    created_at: ColumnType<Date, Date, never>;
    updated_at: Date;
  };
  /**
   * Memberships that came by signing in, with the role that was given. A membership whose role is another one by now was
   * taken over by an Admin and follows its groups no more.
   */
  sso_membership: { tenant_id: string; user_id: string; connection_id: string; role: Role };
  /** Domains the connections of a tenant name. Proved by one tenant at most, which a unique index sees to. */
  sso_domain: {
    tenant_id: string;
    domain: string;
    /** Stands in the DNS record, so it is no secret; of this tenant and domain only. */
    token: string;
    proved_at: Date | null;
    checked_at: Date | null;
    /** Since when the record of a proved domain is looked for in vain; null while it is there. */
    missing_since: Date | null;
    created_at: ColumnType<Date, Date, never>;
  };
};

export type GroupRole = { group: string; role: Role };
