import { maskConfig } from '@airdeck/connector-kit/connector-config';
import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import type { Connector, ConnectorSummary } from '@airdeck/contracts/connectors/schema';
import type { Integration, IntegrationDetail } from '@airdeck/contracts/integrations/schema';
import { isOwnIntegration } from '../openapi-import/openapi-import-port.ts';
import { knownConfig } from './connector-config-check.ts';
import { type Arrivals, lastChangeOf } from './connector-rows.ts';
import type { ConnectorRow, ConnectorSecretRow } from './connectors-repository.ts';

export function connectorSummary(
  row: ConnectorRow,
  definition: ConnectorDefinition | undefined,
  arrivals: Arrivals | undefined,
): ConnectorSummary {
  return {
    id: row.id,
    tenant: row.tenant_id,
    definition_id: row.definition_id,
    name: row.name,
    default: row.is_default,
    enabled: row.enabled,
    state: row.enabled ? row.state : 'paused',
    events_enabled: row.events_enabled,
    events_options: row.events_options,
    metrics_enabled: row.metrics_enabled,
    metrics_options: row.metrics_options,
    last_successful_connection: row.last_successful_connection?.toISOString() ?? null,
    last_updated: lastChangeOf(row).toISOString(),
    test_connection_time: row.test_at?.toISOString() ?? null,
    test_connection_status: row.test_status,
    test_connection_message: row.test_message,
    ...(row.test_told === null ? {} : { test_connection_told: row.test_told }),
    test_connection_metadata: row.test_metadata,
    events_24h: arrivals?.events_24h ?? 0,
    actions: definition?.actions.map(({ action_id }) => action_id) ?? [],
  };
}

export function connectorOnTheWire(
  row: ConnectorRow,
  about: {
    definition: ConnectorDefinition | undefined;
    arrivals: Arrivals | undefined;
    secrets: readonly ConnectorSecretRow[];
  },
): Connector {
  const all = { plain: row.config, rows: about.secrets };
  const { plain, rows } = about.definition === undefined ? all : knownConfig(about.definition, all);
  const setAt = Object.fromEntries(rows.map(({ field, sealed }) => [field, sealed.set_at]));
  return { ...connectorSummary(row, about.definition, about.arrivals), config: maskConfig(plain, setAt) };
}

export function integrationOnTheWire(definition: ConnectorDefinition): Integration {
  const can = new Set<string>(definition.capabilities);
  return {
    id: definition.definition_id,
    vendor: definition.vendor,
    product: definition.product,
    version: definition.version,
    visible: definition.visible,
    name: definition.name,
    description: definition.description,
    category: definition.category,
    can_fetch_events: can.has('fetch_events'),
    can_fetch_metrics: can.has('fetch_metrics'),
    can_test_connection: can.has('test_connection'),
    event_options_schema: definition.event_options_schema ?? null,
    metric_options_schema: definition.metric_options_schema ?? null,
    config_schema: definition.config_schema,
    capabilities: [...definition.capabilities],
    actions: definition.actions.map(({ action_id }) => action_id),
    imported: isOwnIntegration(definition.definition_id),
  };
}

export function integrationDetailOnTheWire(definition: ConnectorDefinition): IntegrationDetail {
  const { url, setup = [], permissions = [], notes = [] } = definition.documentation ?? {};
  return {
    ...integrationOnTheWire(definition),
    setup: {
      steps: [...setup],
      permissions: [...permissions],
      notes: [...notes],
      unconfirmed: [...(definition.unconfirmed ?? [])],
      url: url ?? null,
    },
  };
}

/** The product's own ingestion paths, which are no integrations somebody sets up (spec §3, Integration). */
const ownNames: ReadonlySet<string> = new Set(['logcollection', 'siem', 'ingestion']);

export function isOwnIngestion(definition: Pick<ConnectorDefinition, 'definition_id' | 'name'>): boolean {
  return ownNames.has(definition.definition_id) || isNameOfIngestion(definition.name);
}

/** Nothing that is called so is listed, so nothing that should be listed may be. */
export function isNameOfIngestion(name: string): boolean {
  return ownNames.has(name.trim().toLowerCase());
}
