import type { JsonObject } from '@airdeck/contracts/fields';

export type PlaybookInput = {
  name: string;
  label: string;
  description: string;
  required: boolean;
  type: string;
  /** Of a list: what it is of; of what else is there: undefined. */
  items: string | undefined;
  /** The default of the schema, as it would be typed. */
  start: string;
};

/** The inputs of a playbook as its schema lists them. */
export function inputsOf(schema: JsonObject): PlaybookInput[] {
  const { properties, required } = schema;
  if (typeof properties !== 'object' || properties === null) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, given]) => {
    const { title, description, type, items, default: start } = objectOf(given);
    const { type: itemType } = objectOf(items);
    return {
      name,
      label: typeof title === 'string' ? title : name.replaceAll('_', ' '),
      description: typeof description === 'string' ? description : '',
      required: needed.includes(name),
      type: typeof type === 'string' ? type : 'string',
      items: type !== 'array' ? undefined : typeof itemType === 'string' ? itemType : 'string',
      start: typedText(start),
    };
  });
}

function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}

/** Nothing for what would be read as something else when it is sent. */
function typedText(value: unknown): string {
  if (Array.isArray(value)) {
    const parts = value.map((each) => (Array.isArray(each) ? '' : typedText(each)));
    return parts.every((part) => part !== '' && part === part.trim() && !/[,\n]|\{\{/.test(part))
      ? parts.join(', ')
      : '';
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** What of a case may fill an input, as the template for it. */
export function templatesFor(groupNames: readonly string[]): string[] {
  return [
    ...groupNames.map((name) =>
      /^[A-Za-z_]\w*$/.test(name) ? `{{ group.${name} }}` : `{{ group[${JSON.stringify(name)}] }}`,
    ),
    ...['reference', 'name', 'severity', 'id'].map((name) => `{{ case.${name} }}`),
  ];
}

/** The value of a case an input is probably meant for, by its name, else its default; values of a case are texts. */
export function guessFor({ name, type, items, start }: PlaybookInput, groupNames: readonly string[]): string {
  if (start !== '') return start;
  if (type === 'string') return guessByName(name.toLowerCase(), groupNames);
  if (items !== 'string') return '';
  const one = guessByName(name.toLowerCase(), groupNames);
  return one.startsWith('{{ group') ? one.replace(/^\{\{ (.*) \}\}$/, '{{ [$1] }}') : '';
}

/** Empty when nothing is near. */
function guessByName(name: string, groupNames: readonly string[]): string {
  const templates = templatesFor(groupNames);
  const same = groupNames.findIndex((group) => group.toLowerCase() === name);
  if (same !== -1) return templates[same] ?? '';
  if (/case|reference|ticket/.test(name)) return name.endsWith('id') ? '{{ case.id }}' : '{{ case.reference }}';
  if (name === 'severity') return '{{ case.severity }}';
  const kinds = [/(^|_)(ip|addr|address)/, /(^|_)(user|account|username)/, /(^|_)(host|hostname|device|computer)/];
  const kind = kinds.find((pattern) => pattern.test(name));
  const near = kind === undefined ? -1 : groupNames.findIndex((group) => kind.test(group.toLowerCase()));
  return near === -1 ? '' : (templates[near] ?? '');
}

/** Inputs as the call takes them: a number, a flag or a list that was typed is one; templates and texts stay as they are. */
export function inputValues(inputs: readonly PlaybookInput[], typed: Readonly<Record<string, string>>): JsonObject {
  const values: JsonObject = {};
  for (const input of inputs) {
    const text = (typed[input.name] ?? '').trim();
    if (text !== '') values[input.name] = inputValue(text, input);
  }
  return values;
}

function inputValue(text: string, { type, items }: PlaybookInput): unknown {
  if (items !== undefined && items !== 'object' && !text.includes('{{')) {
    const parts = text.split(/[,\n]/).map((part) => part.trim());
    return parts.filter((part) => part !== '').map((part) => simpleValue(part, items));
  }
  return simpleValue(text, type);
}

function simpleValue(text: string, type: string): unknown {
  if ((type === 'integer' || type === 'number') && Number.isFinite(Number(text))) return Number(text);
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
}
