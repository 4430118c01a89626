import type { SealedSecret, WrappedKey } from '@airdeck/connector-kit/secrets';
import type { ConnectionTestStatus, ConnectorState } from '@airdeck/contracts/connectors/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Told } from '@airdeck/contracts/filled-text';
import type { ColumnType, Generated } from 'kysely';

/** What is done for a connector by itself, each at its own pace. */
export const workKinds = ['test', 'events', 'metrics'] as const;
export type WorkKind = (typeof workKinds)[number];

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
    events_enabled: Generated<boolean>;
    events_options: ColumnType<JsonObject, string | undefined, string>;
    metrics_enabled: Generated<boolean>;
    metrics_options: ColumnType<JsonObject, string | undefined, string>;
    test_at: Generated<Date | null>;
    test_status: Generated<ConnectionTestStatus | null>;
    test_message: Generated<string | null>;
    /** Which sentence the message is, where it is one of ours: `{ reason, values }`. */
    test_told: ColumnType<Omit<Told, 'message'> | null, string | null | undefined, string | null>;
    test_metadata: ColumnType<JsonObject | null, string | null | undefined, string | null>;
    metrics_at: Generated<Date | null>;
    metrics_values: ColumnType<JsonObject | null, string | null | undefined, string | null>;
    created_at: Generated<Date>;
    /** When a person or the product changed it; tests and fetches leave it alone. */
    updated_at: Generated<Date>;
    /** When the default moved to or from it through a change of another connector; what is read or tried goes on through that. */
    default_moved_at: Generated<Date | null>;
  };
  /** When what is due next; null = not before somebody changes the connector. */
  connector_work: {
    tenant_id: string;
    connector_id: string;
    kind: WorkKind;
    due_at: Date | null;
    /** In a row. */
    failures: Generated<number>;
    failing_since: Generated<Date | null>;
  };
  /** History of tests and fetches. */
  connector_check: {
    id: string;
    tenant_id: string;
    connector_id: string;
    kind: WorkKind;
    done_by: 'person' | 'schedule';
    at: Date;
    status: ConnectionTestStatus;
    code: string | null;
    message: string;
    /** As `test_told` of the connector. */
    told: ColumnType<Omit<Told, 'message'> | null, string | null, string | null>;
    records: number | null;
    duration_ms: number;
  };
  /** Connectors that are down and of which people were told; gone once they were told that it works again. */
  connector_outage: { connector_id: string; tenant_id: string; since: Date; told_at: Date };
  /** How far events of a connector were fetched, by the options they were fetched with. */
  connector_cursor: {
    tenant_id: string;
    connector_id: string;
    options_hash: string;
    /** Whose records, which, and of which sources (`event-cursors.ts`); null in rows the release before made. */
    selection: string | null;
    /** Everything up to then was fetched; null = not yet. */
    caught_up_at: Date | null;
    /** Counts every change, so that of two who work on it one notices. */
    revision: Generated<number>;
    /** JSON; null = nothing fetched yet. */
    cursor: string | null;
    /** Both set while a fetched page is being ingested: gzip of JSON. */
    batch_id: string | null;
    page: Buffer | null;
    updated_at: Date;
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
  tenant_data_key: {
    tenant_id: string;
    wrapped: ColumnType<WrappedKey, string, string>;
    /** While secrets are sealed anew: the key before, which opens those that are not. */
    previous: ColumnType<WrappedKey | null, string | null | undefined, string | null>;
  };
};
