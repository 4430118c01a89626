import { ApiError } from '@airdeck/api-client/api-error';
import type { Connector, ConnectorSummary } from '@airdeck/contracts/connectors/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Integration } from '@airdeck/contracts/integrations/schema';
import { momentText } from '@airdeck/domain/moment-text';
import { defaultValues, formFields, isNothing, isSecretMask } from '../../components/schema-form/form-schema.ts';
import { focusFirstProblem } from '../../components/schema-form/problem-summary.tsx';
import { problemsUnder, type SchemaProblem, schemaProblems } from '../../components/schema-form/schema-problems.ts';
import { t } from '../../language/translate.ts';
import type { FieldWords } from '../../lib/rebased-fields.ts';
import type { ConnectorChange, NewConnector } from '../../queries/connectors.ts';
import type { Reader } from '../../ui/reader.ts';

export type Fetching = { readonly enabled: boolean; readonly options: JsonObject };

/** What a person fills in of a connector. */
export type ConnectorDraft = {
  readonly name: string;
  readonly config: JsonObject;
  readonly events: Fetching;
  readonly metrics: Fetching;
};

export type DraftProblems = {
  readonly name: string | undefined;
  readonly config: readonly SchemaProblem[];
  readonly events: readonly SchemaProblem[];
  readonly metrics: readonly SchemaProblem[];
};

export const noProblems: DraftProblems = { name: undefined, config: [], events: [], metrics: [] };
export const NAME_MAX = 100;

const off: Fetching = { enabled: false, options: {} };

/** A new connector: the defaults of the integration, under a name that is still free. */
export function newDraft(integration: Integration, connectors: readonly ConnectorSummary[]): ConnectorDraft {
  const taken = new Set(connectors.map(({ name }) => name.toLowerCase()));
  let name = integration.name;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${integration.name} ${number}`;
  return { name, config: defaultValues(integration.config_schema), events: off, metrics: off };
}

/** A connector as its form starts with it. */
export function draftOf(connector: Connector): ConnectorDraft {
  return {
    name: connector.name,
    config: connector.config,
    events: { enabled: connector.events_enabled, options: connector.events_options },
    metrics: { enabled: connector.metrics_enabled, options: connector.metrics_options },
  };
}

/** Switched on for the first time it starts with the defaults. */
export function switched(fetching: Fetching, enabled: boolean, schema: JsonObject | null): Fetching {
  const isFirst = enabled && Object.keys(fetching.options).length === 0;
  return { enabled, options: isFirst && schema !== null ? defaultValues(schema) : fetching.options };
}

/** What stands in the way of saving; the server judges again. */
export function draftProblems(draft: ConnectorDraft, integration: Integration): DraftProblems {
  const options = (fetching: Fetching, schema: JsonObject | null) =>
    fetching.enabled && schema !== null ? schemaProblems(schema, fetching.options) : [];
  return {
    name: nameProblem(draft.name),
    config: schemaProblems(integration.config_schema, draft.config),
    events: options(draft.events, integration.event_options_schema),
    metrics: options(draft.metrics, integration.metric_options_schema),
  };
}

export function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return t('Enter a name.');
  return name.trim().length > NAME_MAX ? t('At most {max} characters.', { max: NAME_MAX }) : undefined;
}

/** Problems the server named, by field. None when it named no field: then the failure is shown as a whole. */
export function refusedProblems(error: unknown, integration: Integration): DraftProblems {
  if (!(error instanceof ApiError)) return noProblems;
  const { details } = error;
  return {
    name: details.find(({ path }) => path === 'name' || path === 'body.name')?.message,
    config: problemsUnder('config', integration.config_schema, details),
    events: problemsUnder('events_options', integration.event_options_schema ?? {}, details),
    metrics: problemsUnder('metrics_options', integration.metric_options_schema ?? {}, details),
  };
}

export function hasProblems({ name, config, events, metrics }: DraftProblems): boolean {
  return name !== undefined || config.length + events.length + metrics.length > 0;
}

export function nameId(idPrefix: string): string {
  return `${idPrefix}-name`;
}

export function partPrefix(idPrefix: string, part: 'config' | 'events' | 'metrics'): string {
  return `${idPrefix}-${part}`;
}

/** Sends the focus to the first field with a problem, in the order of the form. */
export function focusFirst(problems: DraftProblems, integration: Integration, idPrefix: string): void {
  if (problems.name !== undefined) {
    document.getElementById(nameId(idPrefix))?.focus();
    return;
  }
  const parts = [
    { part: 'config', schema: integration.config_schema },
    { part: 'events', schema: integration.event_options_schema ?? {} },
    { part: 'metrics', schema: integration.metric_options_schema ?? {} },
  ] as const;
  const first = parts.find(({ part }) => problems[part].length > 0);
  if (first !== undefined) focusFirstProblem(first.schema, problems[first.part], partPrefix(idPrefix, first.part));
}

export function newConnectorOf(draft: ConnectorDraft, integration: Integration): NewConnector {
  return {
    definition_id: integration.id,
    name: draft.name.trim(),
    config: draft.config,
    events_enabled: draft.events.enabled,
    events_options: draft.events.enabled ? draft.events.options : {},
    metrics_enabled: draft.metrics.enabled,
    metrics_options: draft.metrics.enabled ? draft.metrics.options : {},
  };
}

/** Only what differs, so that nothing somebody else changed meanwhile is written over. Empty when nothing does. */
export function changeOf(saved: ConnectorDraft, draft: ConnectorDraft): ConnectorChange {
  const config = changedFields(saved.config, draft.config);
  const { events, metrics } = draft;
  return {
    ...(draft.name.trim() === saved.name ? {} : { name: draft.name.trim() }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(events.enabled === saved.events.enabled ? {} : { events_enabled: events.enabled }),
    ...(optionsDiffer(saved.events, events) ? { events_options: events.options } : {}),
    ...(metrics.enabled === saved.metrics.enabled ? {} : { metrics_enabled: metrics.enabled }),
    ...(optionsDiffer(saved.metrics, metrics) ? { metrics_options: metrics.options } : {}),
  };
}

/** Options of what is switched off are not looked at. */
function optionsDiffer(saved: Fetching, draft: Fetching): boolean {
  return draft.enabled && !isSame(saved.options, draft.options);
}

/** A field that is gone is sent as null, which removes it. */
function changedFields(before: JsonObject, after: JsonObject): JsonObject {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].filter((name) => !isSame(before[name], after[name])).map((name) => [name, after[name] ?? null]),
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** JSON with sorted keys: the order somebody filled in fields says nothing. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? ''
  );
}

/** As people read it; of a secret only that it is another one. */
export function draftWords(draft: ConnectorDraft, integration: Integration, reader: Reader): FieldWords {
  const parts = [
    { schema: integration.config_schema, values: draft.config, under: '' },
    { schema: integration.event_options_schema, values: draft.events.options, under: `${t('Events')}, ` },
    { schema: integration.metric_options_schema, values: draft.metrics.options, under: `${t('Metrics')}, ` },
  ];
  return {
    [t('Name')]: draft.name,
    ...Object.fromEntries(
      parts.flatMap(({ schema, values, under }) =>
        schema === null
          ? []
          : formFields(schema).map(({ name, label }) => [`${under}${label}`, valueWords(values[name], reader)]),
      ),
    ),
    [t('Fetch events')]: draft.events.enabled ? t('On') : t('Off'),
    [t('Fetch metrics')]: draft.metrics.enabled ? t('On') : t('Off'),
  };
}

function valueWords(value: unknown, reader: Reader): string {
  if (isNothing(value)) return '';
  if (isSecretMask(value)) return t('set {at}', { at: momentText(new Date(value.set_at), reader) });
  if (typeof value === 'boolean') return value ? t('On') : t('Off');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What was changed of `before`, laid over what is saved now. */
export function rebased(before: ConnectorDraft, draft: ConnectorDraft, now: ConnectorDraft): ConnectorDraft {
  const change = changeOf(before, draft);
  const config = { ...now.config, ...change.config };
  return {
    name: change.name ?? now.name,
    config: Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null)),
    events: {
      enabled: change.events_enabled ?? now.events.enabled,
      options: change.events_options ?? now.events.options,
    },
    metrics: {
      enabled: change.metrics_enabled ?? now.metrics.enabled,
      options: change.metrics_options ?? now.metrics.options,
    },
  };
}
