import type { ActionDefinition, ConnectorDefinition } from '@airdeck/connector-kit/definition';

type Schema = Readonly<Record<string, unknown>>;

const made = '<!-- Made from the definition by `npm run generate`; never edited. -->';

const capabilityTexts: Readonly<Record<string, string>> = {
  test_connection: 'tests its connection',
  fetch_events: 'fetches events',
  fetch_metrics: 'fetches metrics',
  search: 'searches',
  actions: 'runs actions',
};

const effectTexts: Readonly<Record<ActionDefinition['effect'], string>> = {
  reads: 'Reads only.',
  changes: 'Changes something at the vendor.',
  destroys: 'Destroys something at the vendor; asks for confirmation when run by hand.',
};

/** The page of one connector, as Markdown. Everything on it comes from the definition. */
export function integrationPage(definition: ConnectorDefinition): string {
  const { documentation = {}, unconfirmed = [] } = definition;
  return joined([
    made,
    `# ${definition.name}`,
    line(definition.description),
    facts(definition),
    '## Connect',
    numbered(documentation.setup ?? []),
    schemaTable(definition.config_schema),
    titled('Rights the credentials need:', listed((documentation.permissions ?? []).map((one) => `\`${one}\``))),
    titled('## Events', schemaTable(definition.event_options_schema ?? {})),
    titled('## Metrics', schemaTable(definition.metric_options_schema ?? {})),
    ...(definition.actions.length > 0 ? ['## Actions', ...definition.actions.flatMap(actionParts)] : []),
    ...((documentation.notes ?? []).length > 0
      ? ['## Good to know', listed((documentation.notes ?? []).map(line))]
      : []),
    ...(unconfirmed.length > 0
      ? [
          '## Not confirmed',
          'Taken for granted about the vendor without a published source at hand:',
          listed(unconfirmed.map(line)),
        ]
      : []),
  ]);
}

/** The list of all pages. */
export function integrationIndex(definitions: readonly ConnectorDefinition[]): string {
  const actions = definitions.reduce((total, definition) => total + definition.actions.length, 0);
  const rows = definitions.map((definition) => [
    `[${definition.name}](${definition.definition_id}.md)`,
    definition.category.replaceAll('_', ' '),
    definition.capabilities.includes('fetch_events') ? 'yes' : '',
    String(definition.actions.length),
    (definition.unconfirmed ?? []).length > 0 ? 'see its page' : '',
  ]);
  return joined([
    made,
    '# Integrations',
    `${definitions.length} integrations with ${actions} actions. How to add one: [../add-a-connector.md](../add-a-connector.md).`,
    table(['Integration', 'Category', 'Events', 'Actions', 'Not confirmed'], rows),
  ]);
}

function facts({ vendor, product, category, capabilities, definition_id, documentation }: ConnectorDefinition): string {
  const can = capabilities.map((one) => capabilityTexts[one] ?? one).join(', ');
  const more = documentation?.url === undefined ? [] : [['API of the vendor', `<${documentation.url}>`]];
  return table(
    ['', ''],
    [
      ['Id', `\`${definition_id}\``],
      ['Vendor', vendor === product ? vendor : `${vendor}, ${product}`],
      ['Category', category.replaceAll('_', ' ')],
      ['Can', can],
      ...more,
    ],
  );
}

function actionParts(action: ActionDefinition): string[] {
  const repeat = action.idempotent ? 'May be repeated.' : 'Is not repeated when its outcome is unknown.';
  const limit = `At most ${action.timeout_s} s.`;
  return [
    `### ${action.friendly_name}`,
    `\`${action.action_id}\` – ${line(action.description)} ${[effectTexts[action.effect], repeat, limit].join(' ')}`,
    titled('Input:', schemaTable(action.input_schema)),
    titled('Output:', schemaTable(action.output_schema)),
  ];
}

/** The properties of an object's schema; empty when it names none. */
function schemaTable(schema: Schema): string {
  const required = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []);
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
  const rows = properties.map(([name, property]) => [
    `\`${name}\``,
    typeOf(property),
    required.has(name) ? 'yes' : '',
    explanation(property),
  ]);
  return rows.length === 0 ? '' : table(['Name', 'Type', 'Needed', 'Meaning'], rows);
}

function typeOf(property: Schema): string {
  if (property.secret === true) return 'secret';
  if (Array.isArray(property.enum)) return property.enum.map((one) => choiceOf(property, String(one))).join(', ');
  return property.type === undefined ? 'any' : [property.type].flat().join(' or ');
}

/** As the API takes it, with what forms call it. */
function choiceOf({ value_names: names }: Schema, value: string): string {
  const name =
    typeof names === 'object' && names !== null ? (names as Readonly<Record<string, unknown>>)[value] : undefined;
  return typeof name === 'string' ? `\`${value}\` (${name})` : `\`${value}\``;
}

function explanation(property: Schema): string {
  const words = [property.title, property.description].filter((one): one is string => typeof one === 'string');
  const hasDefault = property.default !== undefined && property.default !== '';
  const standard = hasDefault
    ? [`Default \`${typeof property.default === 'string' ? property.default : JSON.stringify(property.default)}\`.`]
    : [];
  const sentences = words.map((one) => (/[.:!?]$/.test(one) ? one : `${one}.`));
  return line([...sentences, ...standard].join(' '));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [cells(head), `|${head.map(() => ' --- |').join('')}`, ...rows.map(cells)].join('\n');
}

function titled(title: string, content: string): string {
  return content === '' ? '' : `${title}\n\n${content}`;
}

function listed(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function numbered(items: readonly string[]): string {
  return items.map((item, index) => `${index + 1}. ${line(item)}`).join('\n');
}

/** Definitions are text, not Markdown: one line, and nothing in it opens a tag. */
function line(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('<', '&lt;');
}

function joined(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
