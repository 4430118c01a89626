/** What can be said while typing, without asking the server. It judges everything again. */
import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { formFields, isNothing, objectOf } from '../../../../components/schema-form/form-schema.ts';
import { t } from '../../../../language/translate.ts';
import { findCircle, upstreamOf } from './action-graph.ts';
import { ACTION_ID, type BuilderAction, type BuilderDefinition, dependenciesOf, textAt } from './builder-action.ts';
import { isObject } from './json.ts';
import { actionsNamedBy, actionsNamedIn } from './named-in-expressions.ts';
import type { PlacedProblem } from './problem-places.ts';

type Catalogue = ReadonlyMap<string, ActionDefinition>;
type Found = { field: string; message: string };

/** `catalogue` is undefined while it is not known. */
export function localProblems(definition: BuilderDefinition, catalogue: Catalogue | undefined): PlacedProblem[] {
  const { actions, metadata } = definition;
  const own = actions.flatMap((action) =>
    [...idProblems(action), ...kindProblems(action, catalogue), ...referenceProblems(action, actions)].map((found) => ({
      ...found,
      actionId: action.id,
    })),
  );
  const circle = findCircle(actions);
  return [
    ...(metadata.name.trim() === '' ? [whole('metadata.name', t('Give the playbook a name.'))] : []),
    ...(actions.length === 0 ? [whole('actions', t('Add the first step.'))] : []),
    ...(circle === undefined ? [] : [{ actionId: circle[0], field: 'depends_on', message: circleWords(circle) }]),
    ...own,
  ];
}

/** The members of a circle, as a sentence. */
export function circleWords(circle: readonly string[]): string {
  const [first] = circle;
  const closed = first !== undefined && circle.at(-1) !== first ? [...circle, first] : circle;
  return t('These would wait for each other: {circle}.', { circle: closed.join(' → ') });
}

function whole(field: string, message: string): PlacedProblem {
  return { actionId: undefined, field, message };
}

function idProblems({ id }: BuilderAction): Found[] {
  const isGood = ACTION_ID.test(id);
  return isGood ? [] : [{ field: 'id', message: t('Begin with a lower-case letter; then letters, digits and _.') }];
}

function kindProblems(action: BuilderAction, catalogue: Catalogue | undefined): Found[] {
  switch (action.kind) {
    case 'action':
      return actionProblems(action, catalogue);
    case 'prompt':
      return promptProblems(action);
    case 'delay':
      return typeof action.seconds === 'number' ? [] : [{ field: 'seconds', message: t('Say how long it waits.') }];
    case 'playbook':
      return textAt(action, 'playbook_id') === '' ? [{ field: 'playbook_id', message: t('Choose a playbook.') }] : [];
  }
}

function actionProblems(action: BuilderAction, catalogue: Catalogue | undefined): Found[] {
  const name = textAt(action, 'action');
  if (name === '') return [{ field: 'action', message: t('Choose what it does.') }];
  if (catalogue === undefined) return [];
  const known = catalogue.get(name);
  if (known === undefined) return [{ field: 'action', message: t('There is no action “{name}”.', { name }) }];
  return missingInput(known.input_schema, action.input);
}

/** Required fields that are empty; what an expression will give is not known yet. */
function missingInput(schema: JsonObject, input: unknown): Found[] {
  const value = isObject(input) ? input : {};
  return formFields(schema).flatMap(({ name, required, kind, label, schema: own }): Found[] => {
    if (!required || own.default !== undefined) return [];
    const given = value[name];
    if (kind === 'group') return isNothing(given) ? missingInput(own, {}).map((found) => below(found, name)) : [];
    return given === undefined || given === '' || given === null
      ? [{ field: `input.${name}`, message: t('{label} is needed.', { label }) }]
      : [];
  });
}

function below({ field, message }: Found, name: string): Found {
  return { field: field.replace(/^input\./, `input.${name}.`), message };
}

function promptProblems(action: BuilderAction): Found[] {
  const options = Array.isArray(action.options) ? action.options.map(objectOf) : [];
  const values = options.map((option) => textAt(option, 'value'));
  const chosen = textAt(action, 'default_option');
  return [
    ...(textAt(action, 'message').trim() === '' ? [{ field: 'message', message: t('Write what is asked.') }] : []),
    ...(options.length === 0 ? [{ field: 'options', message: t('Give at least one answer.') }] : []),
    ...options.flatMap((option, index) =>
      textAt(option, 'label').trim() === '' || textAt(option, 'value').trim() === ''
        ? [{ field: `options.${index}`, message: t('Say what this answer is called.') }]
        : [],
    ),
    ...(new Set(values).size < values.length
      ? [{ field: 'options', message: t('Two answers have the same value.') }]
      : []),
    ...(chosen !== '' && !values.includes(chosen)
      ? [{ field: 'default_option', message: t('“{chosen}” is not one of the answers.', { chosen }) }]
      : []),
  ];
}

function referenceProblems(action: BuilderAction, actions: readonly BuilderAction[]): Found[] {
  const known = new Set(actions.map(({ id }) => id));
  const upstream = new Set(upstreamOf(actions, action.id));
  const unknown = dependenciesOf(action)
    .filter((id) => !known.has(id))
    .map((id) => ({ field: 'depends_on', message: t('There is no step “{id}” to run after.', { id }) }));
  const { when, for_each, id: _id, depends_on: _depends, ...rest } = action;
  const named: [string, string[]][] = [
    ['when', actionsNamedBy(typeof when === 'string' ? when : '')],
    ['for_each', actionsNamedBy(typeof for_each === 'string' ? for_each : '')],
    ...Object.entries(rest).flatMap(([field, value]): [string, string[]][] =>
      isObject(value)
        ? Object.entries(value).map(([name, part]): [string, string[]] => [`${field}.${name}`, actionsNamedIn(part)])
        : [[field, actionsNamedIn(value)]],
    ),
  ];
  const early = named.flatMap(([field, ids]) =>
    ids
      .filter((id) => !upstream.has(id))
      .map((id) => ({
        field,
        message: known.has(id)
          ? t('“{id}” may not have run by then. Let this run after it.', { id })
          : t('There is no step “{id}”.', { id }),
      })),
  );
  return [...unknown, ...early];
}
