import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import type { Reference, ReferenceGroup } from '../../../../components/expression/references.ts';
import { objectOf, typeOf } from '../../../../components/schema-form/form-schema.ts';
import { typeWords } from '../../../../components/schema-form/type-words.ts';
import { t } from '../../../../language/translate.ts';
import { upstreamOf } from './action-graph.ts';
import { type BuilderAction, type BuilderDefinition, textAt, wordsOf } from './builder-action.ts';
import { isObject } from './json.ts';

/** What the builder knows about what actions give. */
export type Known = {
  readonly actions: ReadonlyMap<string, ActionDefinition>;
  readonly playbooks: ReadonlyMap<string, Pick<Playbook, 'id' | 'version' | 'metadata' | 'inputs' | 'outputs'>>;
};

const DEPTH_MAX = 4;
/** Of one schema; nobody looks through more, and a description somebody imported may hold thousands. */
const FIELDS_MAX = 80;

/**
 * Everything an expression of an action may read, nearest first: items of its list, what went before, inputs, the start.
 * `undefined` stands for the outputs of the playbook, which are made when all is over.
 */
export function availableReferences(
  definition: BuilderDefinition,
  actionId: string | undefined,
  known: Known,
): ReferenceGroup[] {
  const own = definition.actions.find(({ id }) => id === actionId);
  const before =
    own === undefined ? definition.actions.map(({ id }) => id).toReversed() : upstreamOf(definition.actions, own.id);
  const groups: ReferenceGroup[] = [
    ...(own === undefined ? [] : itemGroup(own, definition, known)),
    { title: t('Inputs'), references: fieldsOf(definition.inputs, 'inputs') },
    ...before.flatMap((id): ReferenceGroup[] => {
      const action = definition.actions.find((each) => each.id === id);
      return action === undefined ? [] : [{ title: wordsOf(id), references: resultsOf(action, known) }];
    }),
    { title: t('This run'), references: ofTheRun },
  ];
  return groups.filter(({ references }) => references.length > 0);
}

const ofTheRun: readonly Reference[] = [
  {
    expression: 'trigger.trigger_type',
    about: t('What started it: manual, event or workflow'),
    type: t('text'),
  },
  { expression: 'trigger.username', about: t('Who started it'), type: t('text') },
  { expression: 'trigger.case_id', about: t('The case it answers; null without one'), type: t('text') },
  { expression: 'run.id', about: t('Id of this run'), type: t('text') },
  { expression: 'run.tenant', about: t('Id of the tenant it runs in'), type: t('text') },
  { expression: 'run.started_at', about: t('When it started'), type: t('text') },
];

/** What an action leaves behind. */
function resultsOf(action: BuilderAction, known: Known): Reference[] {
  const base = memberOf('actions', action.id);
  const status: Reference = {
    expression: `${base}.status`,
    about: t('success, error or cancelled'),
    type: t('text'),
  };
  return [...outputsOf(action, base, known), status];
}

function outputsOf(action: BuilderAction, base: string, known: Known): Reference[] {
  const output = `${base}.output`;
  switch (action.kind) {
    case 'prompt':
      return [
        { expression: `${output}.option`, about: optionWords(action), type: t('text') },
        { expression: `${output}.username`, about: t('Who answered'), type: t('text') },
        { expression: `${output}.comment`, about: t('What they wrote with it'), type: t('text') },
      ];
    case 'delay':
      return [];
    case 'playbook': {
      const outputs = known.playbooks.get(textAt(action, 'playbook_id'))?.outputs ?? {};
      return Object.keys(outputs).map((name) => ({ expression: memberOf(output, name), about: '', type: '' }));
    }
    case 'action': {
      const schema = known.actions.get(textAt(action, 'action'))?.output_schema ?? {};
      const whole: Reference = { expression: output, about: t('All it answers'), type: '' };
      if (textAt(action, 'for_each') === '') return [...fieldsOf(schema, output), whole];
      return [
        { expression: output, about: t('Its answers, one for each item'), type: t('list') },
        ...fieldsOf(schema, `${output}[0]`),
      ];
    }
  }
}

function optionWords(action: BuilderAction): string {
  const options = Array.isArray(action.options) ? action.options.filter(isObject) : [];
  const values = options.map(({ value }) => String(value ?? '')).filter((value) => value !== '');
  return values.length === 0 ? t('The answer') : t('The answer: {values}', { values: values.join(` ${t('or')} `) });
}

/** `item` and `index`, for an action that runs once for each item of a list. */
function itemGroup(action: BuilderAction, definition: BuilderDefinition, known: Known): ReferenceGroup[] {
  const list = textAt(action, 'for_each');
  if (list.trim() === '') return [];
  const items = objectOf(schemaOf(list, definition, known).items);
  return [
    {
      title: t('Each item'),
      references: [
        { expression: 'item', about: t('The item it runs for'), type: typeWords(items) ?? '' },
        ...fieldsOf(items, 'item'),
        { expression: 'index', about: t('Its place in the list, from 0'), type: t('number') },
      ],
    },
  ];
}

/** The schema behind a plain reference; an empty one where the expression is more than that, or nobody says. */
function schemaOf(expression: string, { inputs, actions }: BuilderDefinition, known: Known): JsonObject {
  const plain = expression.trim().replace(/^\{\{\s*([\s\S]*?)\s*\}\}$/, '$1');
  const [root, ...path] = plain.split('.');
  if (root === 'inputs') return along(inputs, path);
  const [id, output, ...rest] = path;
  if (root !== 'actions' || output !== 'output') return {};
  const action = actions.find((each) => each.id === id);
  return along(known.actions.get(textAt(action ?? {}, 'action'))?.output_schema ?? {}, rest);
}

function along(schema: JsonObject, path: readonly string[]): JsonObject {
  return path.reduce((at, name) => objectOf(objectOf(at.properties)[name]), schema);
}

/** The fields of an object schema as references, those of nested objects behind theirs. */
function fieldsOf(schema: JsonObject, base: string): Reference[] {
  const found: Reference[] = [];
  visit(schema, base, 1);
  return found;

  function visit(object: JsonObject, under: string, depth: number): void {
    for (const [name, property] of Object.entries(objectOf(object.properties))) {
      if (found.length >= FIELDS_MAX) return;
      const own = objectOf(property);
      const expression = memberOf(under, name);
      found.push({ expression, about: aboutOf(own), type: typeWords(own) ?? '' });
      if (depth >= DEPTH_MAX) continue;
      if (typeOf(own) === 'array') visit(objectOf(own.items), `${expression}[0]`, depth + 1);
      else visit(own, expression, depth + 1);
    }
  }
}

/** A name that is no word of the language stands in brackets. */
function memberOf(base: string, name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `${base}.${name}` : `${base}[${JSON.stringify(name)}]`;
}

function aboutOf({ title, description }: JsonObject): string {
  const words = [description, title].find((text) => typeof text === 'string' && text !== '');
  return typeof words === 'string' ? words : '';
}
