import { isDeepStrictEqual } from 'node:util';
import { secretDestination, splitConfig } from '@airdeck/connector-kit/connector-config';
import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { compileSchemaCheck, type SchemaCheck, type SchemaProblem } from '../actions/schema-check.ts';
import type { ConnectorSecretRow } from './connectors-repository.ts';

/** What is stored of a connector, with its secrets opened where they can be. */
export type StoredConfig = {
  plain: JsonObject;
  rows: readonly ConnectorSecretRow[];
  /** By field. A field of `rows` that is not here could not be opened. */
  opened: Readonly<Record<string, string>>;
};

export type CheckedConfig = {
  problems: SchemaProblem[];
  plain: JsonObject;
  /** New secrets by field. */
  toSeal: Readonly<Record<string, string>>;
  /** Fields whose stored secret stays. */
  keep: readonly string[];
  /** Complete, secrets in the clear: for a test, never to be kept. */
  full: JsonObject;
  /** Stored secrets were asked to go to another host: an attack, or somebody who has to enter them again. */
  movesSecrets: boolean;
};

/**
 * Checks a configuration as somebody sent it. Masks stand for stored secrets, and only for the host those were saved for:
 * who may change the address but was never told the secret could otherwise have it sent to an address of their own.
 */
export function checkConfig(
  definition: ConnectorDefinition,
  config: JsonObject,
  stored: StoredConfig | undefined,
): CheckedConfig {
  const { plain, toSeal, keep: masked } = splitConfig(definition.config_schema, config);
  const known = new Set(stored?.rows.map(({ field }) => field));
  const keep = masked.filter((field) => known.has(field));
  const destination = secretDestination(definition.config_schema, plain);
  const before = stored && secretDestination(definition.config_schema, stored.plain);
  const movesSecrets = keep.length > 0 && before !== destination;
  const usable = movesSecrets ? {} : Object.fromEntries(Object.entries(stored?.opened ?? {}).filter(isKept(keep)));
  const full = { ...config, ...usable };
  for (const field of masked) if (!Object.hasOwn(usable, field)) delete full[field];
  const problems = [
    ...keep.flatMap((field) => keptProblem(field, { movesSecrets, before, opened: Object.hasOwn(usable, field) })),
    ...configCheckOf(definition)(full),
    ...destinationProblems(definition, plain),
    ...(definition.configProblems?.(full) ?? [])
      .filter(({ field }) => !isStored(field, config, stored))
      .map(({ field, ...told }) => ({ path: `config.${field}`, ...told })),
  ];
  return { problems: firstOfEachPath(problems), plain, toSeal, keep, full, movesSecrets };
}

/** Rules get stricter: what is stored may be wrong by now, and yet its connector is renamed and switched off. */
function isStored(field: string, config: JsonObject, stored: StoredConfig | undefined): boolean {
  return (
    stored !== undefined && Object.hasOwn(stored.plain, field) && isDeepStrictEqual(stored.plain[field], config[field])
  );
}

function isKept(keep: readonly string[]) {
  return ([field]: [string, unknown]) => keep.includes(field);
}

type Kept = { movesSecrets: boolean; before: string | undefined; opened: boolean };

function keptProblem(field: string, { movesSecrets, before, opened }: Kept): SchemaProblem[] {
  const path = `config.${field}`;
  if (movesSecrets) {
    const host = before === undefined || before === '' ? 'another address' : before;
    return [{ path, ...refusal('CONNECTOR_SECRET_MOVED', { host }) }];
  }
  return opened ? [] : [{ path, message: 'could not be opened. Enter it again.' }];
}

/** The base address must be one that calls can be made to: what no address is would leave the secrets bound to nothing. */
function destinationProblems(definition: ConnectorDefinition, plain: JsonObject): SchemaProblem[] {
  return markedFields(definition.config_schema, 'destination').flatMap((field) => {
    const value = plain[field];
    if (typeof value !== 'string') return [];
    const path = `config.${field}`;
    if (!URL.canParse(value)) return [{ path, message: 'is not an address such as https://host.example.net' }];
    const url = new URL(value);
    if (url.username !== '' || url.password !== '') return [{ path, message: 'must not hold a user name or password' }];
    if (url.hostname === '') return [{ path, message: 'names no host' }];
    return [];
  });
}

function markedFields(schema: JsonObject, mark: string): string[] {
  const properties = (schema.properties ?? {}) as Record<string, Record<string, unknown> | null>;
  return Object.keys(properties).filter((field) => properties[field]?.[mark] === true);
}

/** Compiling takes milliseconds and is done once per definition. */
const configChecks = new WeakMap<ConnectorDefinition, SchemaCheck>();

export function configCheckOf(definition: ConnectorDefinition): SchemaCheck {
  const known = configChecks.get(definition);
  if (known !== undefined) return known;
  const check = compileSchemaCheck(definition.config_schema, 'config');
  configChecks.set(definition, check);
  return check;
}

/** Of the options somebody chose for events or metrics. */
export function optionProblems(
  definition: ConnectorDefinition,
  kind: 'events' | 'metrics',
  chosen: { enabled: boolean; options: JsonObject },
): SchemaProblem[] {
  const offered = definition.capabilities.includes(kind === 'events' ? 'fetch_events' : 'fetch_metrics');
  if (!offered) {
    const reason = kind === 'events' ? 'CONNECTOR_EVENTS_NOT_OFFERED' : 'CONNECTOR_METRICS_NOT_OFFERED';
    return chosen.enabled ? [{ path: `${kind}_enabled`, ...refusal(reason, { name: definition.name }) }] : [];
  }
  const schema = kind === 'events' ? definition.event_options_schema : definition.metric_options_schema;
  if (schema === undefined) return [];
  // Options that are not used yet may be incomplete.
  if (!chosen.enabled && Object.keys(chosen.options).length === 0) return [];
  return compileSchemaCheck(schema, `${kind}_options`)(chosen.options);
}

/** A secret that has to be entered again is also missing; said once. */
function firstOfEachPath(problems: readonly SchemaProblem[]): SchemaProblem[] {
  const byPath = new Map<string, SchemaProblem>();
  for (const problem of problems) if (!byPath.has(problem.path)) byPath.set(problem.path, problem);
  return [...byPath.values()];
}

/**
 * Without the fields that the integration does not have any more: one that was imported again with another credential has
 * others, and no form would show those of before.
 */
export function knownConfig<Row extends Pick<ConnectorSecretRow, 'field'>>(
  { config_schema: schema }: Pick<ConnectorDefinition, 'config_schema'>,
  { plain, rows }: { plain: JsonObject; rows: readonly Row[] },
): { plain: JsonObject; rows: readonly Row[] } {
  if (schema.additionalProperties !== false) return { plain, rows };
  const isKnown = (field: string) => Object.hasOwn(schema.properties ?? {}, field);
  return {
    plain: Object.fromEntries(Object.entries(plain).filter(([field]) => isKnown(field))),
    rows: rows.filter(({ field }) => isKnown(field)),
  };
}

/** What somebody wants changed laid over what is stored; null takes a field away. */
export function mergedConfig(stored: Pick<StoredConfig, 'plain' | 'rows'>, change: JsonObject): JsonObject {
  const masks = stored.rows.map(({ field, sealed }) => [field, { $secret: true, set_at: sealed.set_at }] as const);
  const merged = { ...stored.plain, ...Object.fromEntries(masks), ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}

/** Names of what differs, for the audit; of secrets only that they were set. */
export function changedFields(before: JsonObject, checked: Pick<CheckedConfig, 'plain' | 'toSeal'>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(checked.plain)]);
  const plain = [...names].filter((name) => !isDeepStrictEqual(before[name], checked.plain[name]));
  return [...plain, ...Object.keys(checked.toSeal)].sort();
}
