import type { JsonObject } from '@airdeck/contracts/fields';

export type PlaybookInput = { name: string; label: string; description: string; required: boolean; type: string };

/** The inputs of a playbook as its schema lists them. */
export function inputsOf(schema: JsonObject): PlaybookInput[] {
  const { properties, required } = schema;
  if (typeof properties !== 'object' || properties === null) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, given]) => {
    const { title, description, type } = (typeof given === 'object' && given !== null ? given : {}) as JsonObject;
    return {
      name,
      label: typeof title === 'string' ? title : name.replaceAll('_', ' '),
      description: typeof description === 'string' ? description : '',
      required: needed.includes(name),
      type: typeof type === 'string' ? type : 'string',
    };
  });
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

/** The value of a case an input is probably meant for, by its name; empty when nothing is near. */
export function guessFor(input: string, groupNames: readonly string[]): string {
  const name = input.toLowerCase();
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

/** Inputs as the call takes them: a number or a flag that was typed is one; templates and texts stay as they are. */
export function inputValues(inputs: readonly PlaybookInput[], typed: Readonly<Record<string, string>>): JsonObject {
  const values: JsonObject = {};
  for (const { name, type } of inputs) {
    const text = (typed[name] ?? '').trim();
    if (text !== '') values[name] = inputValue(text, type);
  }
  return values;
}

function inputValue(text: string, type: string): unknown {
  if ((type === 'integer' || type === 'number') && Number.isFinite(Number(text))) return Number(text);
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
}
