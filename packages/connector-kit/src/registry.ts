import type { ActionDefinition, ConnectorDefinition } from './definition.ts';
import { schemaProblems } from './json-schema.ts';

export interface ConnectorRegistry {
  /** By name, visible or not. */
  list(): readonly ConnectorDefinition[];
  find(definitionId: string): ConnectorDefinition | undefined;
  /** All actions of all connectors, by id. */
  listActions(): readonly ActionDefinition[];
  findAction(actionId: string): ActionDefinition | undefined;
}

/** Thrown at boot with everything that is wrong, not only the first thing. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The connectors cannot be used:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

const SLUG = /^[a-z][a-z0-9_]{0,62}$/;

/** Builds the registry after checking that every definition keeps its own promises. Throws `RegistryError`. */
export function createRegistry(definitions: readonly ConnectorDefinition[]): ConnectorRegistry {
  const problems = [
    ...duplicates(
      'definition',
      definitions.map((definition) => definition.definition_id),
    ),
    ...duplicates(
      'action',
      definitions.flatMap((definition) => definition.actions.map((action) => action.action_id)),
    ),
    ...definitions.flatMap(definitionProblems),
  ];
  if (problems.length > 0) throw new RegistryError(problems);

  const sorted = definitions.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const actions = sorted
    .flatMap((definition) => definition.actions)
    .toSorted((a, b) => (a.action_id < b.action_id ? -1 : 1));
  const byId = new Map(sorted.map((definition) => [definition.definition_id, definition]));
  const actionsById = new Map(actions.map((action) => [action.action_id, action]));
  return {
    list: () => sorted,
    find: (definitionId) => byId.get(definitionId),
    listActions: () => actions,
    findAction: (actionId) => actionsById.get(actionId),
  };
}

function definitionProblems(definition: ConnectorDefinition): string[] {
  const at = definition.definition_id;
  const declared = new Set<string>(definition.capabilities);
  const problems: string[] = [];
  if (!SLUG.test(at)) problems.push(`${at}: the definition id must be a slug`);
  if (declared.size !== definition.capabilities.length) problems.push(`${at}: a capability is declared twice`);
  const implemented = {
    test_connection: definition.testConnection !== undefined,
    fetch_events: definition.fetchEvents !== undefined,
    fetch_metrics: definition.fetchMetrics !== undefined,
    search: definition.search !== undefined,
    actions: definition.actions.length > 0,
  };
  for (const [capability, exists] of Object.entries(implemented)) {
    if (declared.has(capability) && !exists) problems.push(`${at}: declares ${capability} but does not implement it`);
    if (!declared.has(capability) && exists) problems.push(`${at}: implements ${capability} but does not declare it`);
  }
  if (declared.has('fetch_events') && definition.event_options_schema === undefined) {
    problems.push(`${at}: fetch_events needs an event_options_schema`);
  }
  if (declared.has('fetch_metrics') && definition.metric_options_schema === undefined) {
    problems.push(`${at}: fetch_metrics needs a metric_options_schema`);
  }
  problems.push(...named(`${at}.config_schema`, schemaProblems(definition.config_schema)));
  if (definition.event_options_schema) {
    problems.push(...named(`${at}.event_options_schema`, schemaProblems(definition.event_options_schema)));
  }
  if (definition.metric_options_schema) {
    problems.push(...named(`${at}.metric_options_schema`, schemaProblems(definition.metric_options_schema)));
  }
  problems.push(...named(`${at}:`, documentationProblems(definition)));
  return [...problems, ...definition.actions.flatMap((action) => actionProblems(definition, action))];
}

/** These go onto a page that people read: an address they can open, and sentences. */
function documentationProblems({ documentation, unconfirmed = [] }: ConnectorDefinition): string[] {
  const { url, setup = [], permissions = [], notes = [] } = documentation ?? {};
  const problems: string[] = [];
  if (url !== undefined && !url.startsWith('https://')) problems.push('documentation.url must begin with https://');
  if ([...setup, ...notes, ...unconfirmed].some((text) => !/^\S.*[.:!?)]$/s.test(text))) {
    problems.push('setup, notes and unconfirmed are sentences');
  }
  if (permissions.some((text) => text.trim() === '')) problems.push('a permission is empty');
  return problems;
}

function actionProblems(definition: ConnectorDefinition, action: ActionDefinition): string[] {
  const at = action.action_id;
  const problems: string[] = [];
  const [prefix, verb, ...rest] = at.split('.');
  if (prefix !== definition.definition_id || verb === undefined || !SLUG.test(verb) || rest.length > 0) {
    problems.push(`${at}: the action id must be ${definition.definition_id}.<verb>`);
  }
  if (action.definition_id !== definition.definition_id) problems.push(`${at}: names another definition`);
  if (action.vendor !== definition.vendor || action.product !== definition.product) {
    problems.push(`${at}: vendor and product must be those of its definition`);
  }
  if (!(action.timeout_s > 0 && action.timeout_s <= 3600))
    problems.push(`${at}: timeout_s must be above 0, at most 3600`);
  if (action.effect === 'reads' && !action.idempotent) problems.push(`${at}: an action that only reads is idempotent`);
  problems.push(...named(`${at}.input_schema`, schemaProblems(action.input_schema)));
  problems.push(...named(`${at}.output_schema`, schemaProblems(action.output_schema)));
  problems.push(...named(`${at}:`, action.problems ?? []));
  return problems;
}

function named(where: string, problems: readonly string[]): string[] {
  return problems.map((problem) => `${where} ${problem}`);
}

function duplicates(kind: string, ids: readonly string[]): string[] {
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [...new Set(repeated)].map((id) => `${id}: this ${kind} id is used twice`);
}
