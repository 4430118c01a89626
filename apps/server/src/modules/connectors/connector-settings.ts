/**
 * Connectors as people set them up. States: `pending` when saved with something that may change whether it works, `active` or
 * `error` by the last test or fetch, `paused` exactly while it is switched off. A paused connector keeps its secrets,
 * options and how far its events were fetched.
 */

import { isDeepStrictEqual } from 'node:util';
import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { SecretError } from '@airdeck/connector-kit/secrets';
import type { AuditAction } from '@airdeck/contracts/audit/actions';
import type { Connector, ConnectorInput, ConnectorPatch, ConnectorSummary } from '@airdeck/contracts/connectors/schema';
import type { ErrorDetailBody } from '@airdeck/contracts/error-codes';
import type { JsonObject } from '@airdeck/contracts/fields';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { AppError } from '../../http/app-error.ts';
import { overtaken } from '../../http/overtaken.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { DefinitionLookup } from '../integrations/definitions-port.ts';
import type { Changes } from '../stream/changes.ts';
import {
  type CheckedConfig,
  changedFields,
  checkConfig,
  knownConfig,
  mergedConfig,
  optionProblems,
  type StoredConfig,
} from './connector-config-check.ts';
import {
  addConnector,
  arrivalsOf,
  type ConnectorChange,
  changeConnector,
  changedAfter,
  clearDefault,
  findConnector,
  findNextDefault,
  lastChangeOf,
  listConnectors,
  lockConnector,
  lockConnectors,
  moveDefault,
  removeConnector,
  removeSecrets,
} from './connector-rows.ts';
import type { ConnectorSecrets } from './connector-secrets.ts';
import { connectorOnTheWire, connectorSummary, isOwnIngestion } from './connector-view.ts';
import type { ConnectorWork } from './connector-work-port.ts';
import { type ConnectorRow, secretsOf } from './connectors-repository.ts';
import type { ChangedBy } from './connectors-service.ts';
import { type WorkKind, workKinds } from './connectors-tables.ts';

const DAY_MS = 24 * 3_600_000;

/** Stored secrets were asked to be sent to another host. Tells the handler to note the refused attempt. */
export class SecretMoveRefused extends AppError {}

export type ConnectorSettings = ReturnType<typeof createConnectorSettings>;

type Dependencies = {
  registry: DefinitionLookup;
  secrets: ConnectorSecrets;
  audit: Pick<AuditLog, 'record'>;
  changes: Pick<Changes, 'announce'>;
  work: ConnectorWork;
  now: () => Date;
};

/** What a connector is going to be, before it is checked. */
type Wanted = {
  name: string;
  enabled: boolean;
  makeDefault: boolean | undefined;
  config: JsonObject;
  events: { enabled: boolean; options: JsonObject };
  metrics: { enabled: boolean; options: JsonObject };
};

export function createConnectorSettings(deps: Dependencies) {
  const { registry, now } = deps;

  async function wire(tx: Tx, scope: TenantScope, row: ConnectorRow): Promise<Connector> {
    const since = new Date(now().getTime() - DAY_MS);
    const arrivals = await arrivalsOf(tx, scope, { connectorIds: [row.id], since });
    return connectorOnTheWire(row, {
      definition: await registry.find(row.definition_id, tx, scope),
      arrivals: arrivals.get(row.id),
      secrets: await secretsOf(tx, scope, row.id),
    });
  }

  async function get(tx: Tx, scope: TenantScope, id: string): Promise<ConnectorRow> {
    const row = await findConnector(tx, scope, id);
    if (row === undefined) throw notThere();
    return row;
  }

  /** The configuration with whatever of its secrets still opens. */
  async function stored(
    tx: Tx,
    scope: TenantScope,
    row: ConnectorRow,
    definition: ConnectorDefinition,
  ): Promise<StoredConfig> {
    const { plain, rows } = knownConfig(definition, { plain: row.config, rows: await secretsOf(tx, scope, row.id) });
    const opened: Record<string, string> = {};
    for (const one of rows) {
      try {
        Object.assign(opened, await deps.secrets.open(tx, scope, { definition, id: row.id, plain, rows: [one] }));
      } catch (error) {
        if (!(error instanceof SecretError)) throw error;
        // Left out: whoever changes the connector is asked to enter it again.
      }
    }
    return { plain, rows, opened };
  }

  async function announce(tx: Tx, scope: TenantScope, row: Pick<ConnectorRow, 'id' | 'state'>): Promise<void> {
    await deps.changes.announce(tx, { tenant: scope.tenantId, kind: 'connector', id: row.id, status: row.state });
  }

  async function record(
    tx: Tx,
    row: Pick<ConnectorRow, 'id' | 'tenant_id' | 'definition_id' | 'name'>,
    action: AuditAction,
    by: ChangedBy,
    more: Record<string, unknown> = {},
  ): Promise<void> {
    await deps.audit.record(tx, {
      tenant: row.tenant_id,
      actor: by.actor,
      action,
      target: { kind: 'connector', id: row.id },
      outcome: 'ok',
      data: { definition_id: row.definition_id, name: row.name, ...more },
      request_id: by.requestId,
    });
  }

  async function requireFreeName(tx: Tx, scope: TenantScope, wanted: { id: string; name: string }): Promise<void> {
    const others = await listConnectors(tx, scope, serverLimits.connectorsMax + 1);
    const name = wanted.name.toLowerCase();
    if (others.some((other) => other.id !== wanted.id && other.name.toLowerCase() === name)) {
      const refused = refusal('CONNECTOR_NAME_TAKEN', { name: wanted.name });
      throw new AppError('CONFLICT', { ...refused, details: [{ path: 'name', ...refused }] });
    }
    if (others.length >= serverLimits.connectorsMax && others.every(({ id }) => id !== wanted.id)) {
      throw new AppError('CONFLICT', refusal('CONNECTORS_TOO_MANY', { maximum: serverLimits.connectorsMax }));
    }
  }

  /** Writes what is left of the row after the configuration was checked, and plans its work. */
  async function replace(
    tx: Tx,
    scope: TenantScope,
    { row, definition, wanted }: { row: ConnectorRow; definition: ConnectorDefinition; wanted: Wanted },
  ): Promise<{ row: ConnectorRow; changed: string[] }> {
    const before = await stored(tx, scope, row, definition);
    const checked = requireFits(definition, wanted, before);
    await requireFreeName(tx, scope, { id: row.id, name: wanted.name });
    if (wanted.makeDefault === false && row.is_default) {
      throw invalid([{ path: 'default', message: 'Make another connector of this integration the default instead.' }]);
    }
    const changed = changedParts(row, wanted, changedFields(row.config, checked));
    const toTry = changed.some((part) => part.startsWith('config.')) || (wanted.enabled && !row.enabled);
    const state = wanted.enabled ? (toTry ? 'pending' : row.state) : 'paused';
    const change = {
      ...columnsOf(wanted, checked),
      state,
      updated_at: changedAfter(row, now()),
    } as const satisfies ConnectorChange;
    if (wanted.makeDefault === true && !row.is_default) {
      await clearDefault(tx, scope, { definitionId: row.definition_id, now: now() });
    }
    await changeConnector(tx, scope, row.id, { ...change, is_default: wanted.makeDefault ?? row.is_default });
    await deps.secrets.seal(tx, scope, { definition, id: row.id, plain: checked.plain, toSeal: checked.toSeal });
    const except = [...checked.keep, ...Object.keys(checked.toSeal)];
    await removeSecrets(tx, scope, { connectorId: row.id, except });
    const replaced = await get(tx, scope, row.id);
    await deps.work.plan(tx, scope, replaced, { anew: affectedBy(changed), now: toTry && wanted.enabled });
    await announce(tx, scope, replaced);
    return { row: replaced, changed };
  }

  async function lockFor(tx: Tx, scope: TenantScope, id: string): Promise<ConnectorRow> {
    await lockConnectors(tx, scope);
    const row = await lockConnector(tx, scope, id);
    if (row === undefined) throw notThere();
    return row;
  }

  /** Whom the default falls to when this one is deleted; undefined where it is not the default, or the only one. */
  async function nextDefault(tx: Tx, scope: TenantScope, row: ConnectorRow): Promise<ConnectorRow | undefined> {
    return row.is_default ? await findNextDefault(tx, scope, row) : undefined;
  }

  async function definitionOf(definitionId: string, tx: Tx, scope: TenantScope): Promise<ConnectorDefinition> {
    const definition = await registry.find(definitionId, tx, scope);
    if (!definition) throw new AppError('NOT_FOUND', { message: 'This integration does not exist.' });
    return definition;
  }

  return {
    get,
    wire,
    stored,
    nextDefault,

    async list(tx: Tx, scope: TenantScope): Promise<ConnectorSummary[]> {
      const rows = await listConnectors(tx, scope, serverLimits.connectorsMax);
      const since = new Date(now().getTime() - DAY_MS);
      const arrivals = await arrivalsOf(tx, scope, { connectorIds: rows.map(({ id }) => id), since });
      const summaries: ConnectorSummary[] = [];
      for (const row of rows) {
        const definition = await registry.find(row.definition_id, tx, scope);
        if (definition !== undefined && isOwnIngestion(definition)) continue;
        summaries.push(connectorSummary(row, definition, arrivals.get(row.id)));
      }
      return summaries;
    },

    /** `id` is the new connector's; the same id again answers with what was created the first time. */
    async create(
      tx: Tx,
      scope: TenantScope,
      { id, input }: { id: string; input: ConnectorInput },
      by: ChangedBy,
    ): Promise<Connector> {
      // First: an integration of the tenant's own is deleted under the same lock, only while it has no connectors.
      await lockConnectors(tx, scope);
      const definition = await definitionOf(input.definition_id, tx, scope);
      if (!definition.visible || isOwnIngestion(definition)) {
        throw new AppError('NOT_FOUND', { message: 'This integration does not exist.' });
      }
      const known = await findConnector(tx, scope, id);
      if (known !== undefined) return await repeated(tx, scope, { known, definition, input });
      const wanted = wantedOf(input);
      const checked = requireFits(definition, wanted, undefined);
      await requireFreeName(tx, scope, { id, name: wanted.name });
      const siblings = (await listConnectors(tx, scope, serverLimits.connectorsMax)).filter(
        (one) => one.definition_id === input.definition_id,
      );
      const isDefault = wanted.makeDefault ?? siblings.every((one) => !one.is_default);
      if (isDefault) await clearDefault(tx, scope, { definitionId: input.definition_id, now: now() });
      const at = now();
      await addConnector(tx, {
        id,
        tenant_id: scope.tenantId,
        definition_id: input.definition_id,
        ...columnsOf(wanted, checked),
        is_default: isDefault,
        state: wanted.enabled ? 'pending' : 'paused',
        last_successful_connection: null,
        created_at: at,
        updated_at: at,
      });
      await deps.secrets.seal(tx, scope, { definition, id, plain: checked.plain, toSeal: checked.toSeal });
      const row = await get(tx, scope, id);
      await deps.work.plan(tx, scope, row, { anew: workKinds, now: wanted.enabled });
      await announce(tx, scope, row);
      const answer = await wire(tx, scope, row);
      await record(tx, row, 'connector.create', by);
      return answer;
    },

    async replace(
      tx: Tx,
      scope: TenantScope,
      { id, input }: { id: string; input: ConnectorInput },
      by: ChangedBy,
    ): Promise<Connector> {
      const row = await lockFor(tx, scope, id);
      requireUnchanged(row, input.last_updated, 'required');
      if (row.definition_id !== input.definition_id) {
        throw invalid([{ path: 'definition_id', message: 'A connector stays with its integration.' }]);
      }
      const definition = await definitionOf(row.definition_id, tx, scope);
      const done = await replace(tx, scope, { row, definition, wanted: wantedOf(input) });
      const answer = await wire(tx, scope, done.row);
      await record(tx, done.row, 'connector.update', by, { changed: done.changed });
      return answer;
    },

    async update(
      tx: Tx,
      scope: TenantScope,
      { id, patch }: { id: string; patch: ConnectorPatch },
      by: ChangedBy,
    ): Promise<Connector> {
      const row = await lockFor(tx, scope, id);
      requireUnchanged(row, patch.last_updated, 'optional');
      const definition = await definitionOf(row.definition_id, tx, scope);
      const all = { plain: row.config, rows: await secretsOf(tx, scope, row.id) };
      const wanted: Wanted = {
        name: patch.name ?? row.name,
        enabled: patch.enabled ?? row.enabled,
        makeDefault: patch.default,
        config: mergedConfig(knownConfig(definition, all), patch.config ?? {}),
        events: {
          enabled: patch.events_enabled ?? row.events_enabled,
          options: patch.events_options ?? row.events_options,
        },
        metrics: {
          enabled: patch.metrics_enabled ?? row.metrics_enabled,
          options: patch.metrics_options ?? row.metrics_options,
        },
      };
      const done = await replace(tx, scope, { row, definition, wanted });
      const answer = await wire(tx, scope, done.row);
      await record(tx, done.row, actionOf(row, done.row), by, { changed: done.changed });
      return answer;
    },

    /** Needs no valid configuration: what is broken must be stoppable. */
    async setEnabled(
      tx: Tx,
      scope: TenantScope,
      { id, enabled }: { id: string; enabled: boolean },
      by: ChangedBy,
    ): Promise<Connector> {
      const row = await lockFor(tx, scope, id);
      if (row.enabled === enabled) return await wire(tx, scope, row);
      const updated_at = changedAfter(row, now());
      await changeConnector(tx, scope, id, { enabled, state: enabled ? 'pending' : 'paused', updated_at });
      const changed = await get(tx, scope, id);
      await deps.work.plan(tx, scope, changed, { anew: workKinds, now: enabled });
      await announce(tx, scope, changed);
      const answer = await wire(tx, scope, changed);
      await record(tx, changed, enabled ? 'connector.resume' : 'connector.pause', by);
      return answer;
    },

    /** `next` is whom somebody was told that the default falls to. Throws CONFLICT when by now it would be another one. */
    async remove(
      tx: Tx,
      scope: TenantScope,
      { id, next }: { id: string; next: string | undefined },
      by: ChangedBy,
    ): Promise<void> {
      const row = await lockFor(tx, scope, id);
      const heir = await nextDefault(tx, scope, row);
      if (heir?.id !== next) throw new AppError('CONFLICT');
      await removeConnector(tx, scope, id);
      if (heir !== undefined) await moveDefault(tx, scope, { row: heir, isDefault: true, now: now() });
      await announce(tx, scope, row);
      await record(tx, row, 'connector.delete', by);
    },
  };

  /** What the key made, as long as it is what is asked for now. Changed in between, it is another request as well. */
  async function repeated(
    tx: Tx,
    scope: TenantScope,
    { known, definition, input }: { known: ConnectorRow; definition: ConnectorDefinition; input: ConnectorInput },
  ): Promise<Connector> {
    if (known.definition_id !== input.definition_id) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    const wanted = wantedOf(input);
    const before = await stored(tx, scope, known, definition);
    const checked = checkConfig(definition, wanted.config, before);
    const changed = changedParts(
      known,
      wanted,
      changedFields(known.config, { ...checked, toSeal: unlike(before, checked) }),
    );
    if (changed.length > 0) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    return await wire(tx, scope, known);
  }
}

function notThere(): AppError {
  return new AppError('NOT_FOUND', { message: 'This connector does not exist. It may have been removed.' });
}

function invalid(details: ErrorDetailBody[]): AppError {
  return new AppError('VALIDATION_FAILED', { details });
}

function wantedOf(input: ConnectorInput): Wanted {
  return {
    name: input.name,
    enabled: input.enabled,
    makeDefault: input.default,
    config: input.config,
    events: { enabled: input.events_enabled, options: input.events_options },
    metrics: { enabled: input.metrics_enabled, options: input.metrics_options },
  };
}

function requireFits(definition: ConnectorDefinition, wanted: Wanted, before: StoredConfig | undefined): CheckedConfig {
  const checked = checkConfig(definition, wanted.config, before);
  const problems = [
    ...checked.problems,
    ...optionProblems(definition, 'events', wanted.events),
    ...optionProblems(definition, 'metrics', wanted.metrics),
  ];
  if (checked.movesSecrets) {
    throw new SecretMoveRefused('VALIDATION_FAILED', {
      message: 'The address changed, so the secrets saved for the old one must be entered again.',
      details: problems,
    });
  }
  if (problems.length > 0) throw invalid(problems);
  return checked;
}

function requireUnchanged(row: ConnectorRow, read: string | undefined, rule: 'required' | 'optional'): void {
  if (read === undefined && rule === 'optional') return;
  if (read === lastChangeOf(row).toISOString()) return;
  if (read === undefined) {
    const message = 'Send last_updated as it was read, so that nothing of somebody else is overwritten.';
    throw new AppError('CONFLICT', { message });
  }
  throw overtaken('body.last_updated', {
    message: 'Somebody else changed this connector in the meantime. Load it again and look before you save.',
  });
}

function columnsOf(wanted: Wanted, checked: Pick<CheckedConfig, 'plain'>) {
  return {
    name: wanted.name,
    enabled: wanted.enabled,
    config: JSON.stringify(checked.plain),
    events_enabled: wanted.events.enabled,
    events_options: JSON.stringify(wanted.events.options),
    metrics_enabled: wanted.metrics.enabled,
    metrics_options: JSON.stringify(wanted.metrics.options),
  };
}

/** Secrets that are not the stored ones; of those that were left out their fields. */
function unlike({ rows, opened }: StoredConfig, { toSeal, keep }: CheckedConfig): Record<string, string> {
  const others = Object.entries(toSeal).filter(([field, secret]) => opened[field] !== secret);
  const gone = rows.filter(({ field }) => !Object.hasOwn(toSeal, field) && !keep.includes(field));
  return Object.fromEntries([...others, ...gone.map(({ field }) => [field, ''])]);
}

/** Names of what changes, for the audit. */
function changedParts(row: ConnectorRow, wanted: Wanted, config: readonly string[]): string[] {
  const parts: [string, boolean][] = [
    ['name', row.name === wanted.name],
    ['enabled', row.enabled === wanted.enabled],
    ['default', wanted.makeDefault === undefined || wanted.makeDefault === row.is_default],
    [
      'events',
      isDeepStrictEqual([row.events_enabled, row.events_options], [wanted.events.enabled, wanted.events.options]),
    ],
    [
      'metrics',
      isDeepStrictEqual([row.metrics_enabled, row.metrics_options], [wanted.metrics.enabled, wanted.metrics.options]),
    ],
  ];
  return [...parts.filter(([, unchanged]) => !unchanged).map(([part]) => part), ...config.map((f) => `config.${f}`)];
}

/** What may go otherwise from now on: another name mends nothing, and a vendor is not knocked at sooner for it. */
function affectedBy(changed: readonly string[]): readonly WorkKind[] {
  const isAll = changed.some((part) => part === 'enabled' || part.startsWith('config.'));
  return isAll ? workKinds : workKinds.filter((kind) => changed.includes(kind));
}

/** Switching off and on by PATCH is the same act as by its own call. */
function actionOf(before: ConnectorRow, after: ConnectorRow): AuditAction {
  if (before.enabled === after.enabled) return 'connector.update';
  return after.enabled ? 'connector.resume' : 'connector.pause';
}
