import type { SealedSecret, WrappedKey } from '@airdeck/connector-kit/secrets';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { ColumnType, Generated } from 'kysely';

export type ConnectorState = 'active' | 'paused' | 'error' | 'pending';

export type ConnectorsTables = {
  connector: {
    id: string;
    tenant_id: string;
    /** Slug of the integration: `fortigate`. */
    definition_id: string;
    name: string;
    enabled: Generated<boolean>;
    is_default: Generated<boolean>;
    state: ConnectorState;
    /** Everything of the configuration that is not secret. */
    config: ColumnType<JsonObject, string, string>;
    last_successful_connection: Date | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  connector_secret: {
    tenant_id: string;
    connector_id: string;
    field: string;
    /** Opens only for this tenant, connector, field, definition version and destination. */
    sealed: ColumnType<SealedSecret, string, string>;
    definition_version: string;
  };
  /** One data key per tenant, wrapped by the installation's key. */
  tenant_data_key: { tenant_id: string; wrapped: ColumnType<WrappedKey, string, string> };
};
