/** Changes of a definition, each giving a new one. Ids that are not there change nothing. */
import type { JsonObject } from '@airdeck/contracts/fields';
import { circleThrough } from './action-graph.ts';
import { type BuilderAction, type BuilderDefinition, dependenciesOf, freeId } from './builder-action.ts';
import { isObject, mapTexts, withFields } from './json.ts';
import { type Renaming, renamedIn, renamedInText } from './named-in-expressions.ts';

/** Fields whose whole text is an expression. */
const bareFields = ['when', 'for_each'] as const;

type Place = {
  /** Runs after these. */
  readonly after: readonly string[];
  /** And before these, which no longer wait for `after` themselves. */
  readonly before?: readonly string[];
};

/** Adds an action with an id of its own; answers that id too. */
export function addAction(
  definition: BuilderDefinition,
  action: BuilderAction,
  { after, before = [] }: Place,
): { definition: BuilderDefinition; id: string } {
  const ids = definition.actions.map((each) => each.id);
  const id = freeId(action.id, ids);
  const known = after.filter((each) => ids.includes(each));
  const added = waitingFor({ ...action, id }, known);
  const others = definition.actions.map((each) =>
    before.includes(each.id)
      ? waitingFor(each, [...dependenciesOf(each).filter((dependency) => !known.includes(dependency)), id])
      : each,
  );
  // In the text it stands behind the last action it runs after.
  const at = Math.max(-1, ...known.map((each) => ids.indexOf(each)));
  const place = known.length === 0 ? others.length : at + 1;
  return { definition: { ...definition, actions: others.toSpliced(place, 0, added) }, id };
}

export function changeAction(definition: BuilderDefinition, id: string, fields: JsonObject): BuilderDefinition {
  const { id: _id, ...rest } = fields;
  return eachAction(definition, (action) => (action.id === id ? withFields(action, rest) : action));
}

/** Calls an action otherwise, wherever it is named. A name that is taken or empty changes nothing. */
export function renameAction(definition: BuilderDefinition, id: string, to: string): BuilderDefinition {
  const taken = definition.actions.map((action) => action.id);
  if (to === '' || taken.includes(to) || !taken.includes(id)) return definition;
  const followed = withReferencesRenamed(definition, { root: 'actions', from: id, to });
  return eachAction(followed, (action) => {
    const { depends_on } = action;
    const names = Array.isArray(depends_on) ? depends_on.map((each: unknown) => (each === id ? to : each)) : undefined;
    const renamed: BuilderAction = action.id === id ? { ...action, id: to } : action;
    return names === undefined || !dependenciesOf(action).includes(id) ? renamed : { ...renamed, depends_on: names };
  });
}

/** Calls an input otherwise, in the schema and wherever it is named. */
export function renameInput(definition: BuilderDefinition, from: string, to: string): BuilderDefinition {
  const { inputs } = definition;
  const properties = isObject(inputs.properties) ? inputs.properties : {};
  if (to === '' || !Object.hasOwn(properties, from) || Object.hasOwn(properties, to)) return definition;
  const named = Object.entries(properties).map(([name, schema]): [string, unknown] => [
    name === from ? to : name,
    schema,
  ]);
  const required = Array.isArray(inputs.required)
    ? inputs.required.map((name: unknown) => (name === from ? to : name))
    : undefined;
  return {
    ...withReferencesRenamed(definition, { root: 'inputs', from, to }),
    inputs: withFields({ ...inputs, properties: Object.fromEntries(named) }, { required }),
  };
}

/** Every expression with something called otherwise. */
function withReferencesRenamed(definition: BuilderDefinition, renaming: Renaming): BuilderDefinition {
  const inText = (text: string) => renamedInText(text, renaming);
  const renamed = eachAction(definition, (action) => {
    const bare = bareFields.flatMap((name): [string, string][] => {
      const text = action[name];
      return typeof text === 'string' ? [[name, renamedIn(inText(text), renaming)]] : [];
    });
    const { id, depends_on, ...rest } = action;
    const texts = mapTexts(rest, inText) as JsonObject;
    const next = { ...texts, ...Object.fromEntries(bare) };
    const isSame = Object.entries(next).every(([name, value]) => value === action[name]);
    return isSame ? action : { ...action, ...next };
  });
  return { ...renamed, outputs: mapTexts(definition.outputs, inText) as JsonObject };
}

/** Takes actions away. What waited for one of them waits for what that one had waited for. */
export function deleteActions(definition: BuilderDefinition, ids: readonly string[]): BuilderDefinition {
  let rest = definition;
  for (const id of ids) rest = withoutAction(rest, id);
  return rest;
}

function withoutAction(definition: BuilderDefinition, id: string): BuilderDefinition {
  const gone = definition.actions.find((action) => action.id === id);
  if (gone === undefined) return definition;
  const inherited = dependenciesOf(gone).filter((each) => each !== id);
  const actions = definition.actions
    .filter((action) => action.id !== id)
    .map((action) => {
      const waits = dependenciesOf(action);
      if (!waits.includes(id)) return action;
      const healed = waits.flatMap((each) => (each === id ? inherited.filter((one) => one !== action.id) : [each]));
      return waitingFor(action, [...new Set(healed)]);
    });
  return { ...definition, actions };
}

/** Copies actions; copies that waited for each other still do, now among themselves. Answers the ids of the copies. */
export function duplicateActions(
  definition: BuilderDefinition,
  ids: readonly string[],
): { definition: BuilderDefinition; copies: readonly string[] } {
  const originals = definition.actions.filter((action) => ids.includes(action.id));
  const taken = definition.actions.map((action) => action.id);
  const copyOf = new Map<string, string>();
  for (const { id } of originals) copyOf.set(id, freeId(id, [...taken, ...copyOf.values()]));
  let copied: BuilderDefinition = { ...definition, actions: originals };
  // First to names nobody has, so that one copy's new name is never taken for another's old one.
  for (const [id, copy] of copyOf) copied = renameAction(copied, id, copy);
  const last = Math.max(-1, ...originals.map(({ id }) => taken.indexOf(id)));
  const actions = definition.actions.toSpliced(last + 1, 0, ...copied.actions);
  return { definition: { ...definition, actions }, copies: copied.actions.map(({ id }) => id) };
}

/** Puts an action earlier or later in the text; when it runs is not changed by that. */
export function moveAction(definition: BuilderDefinition, id: string, by: number): BuilderDefinition {
  const from = definition.actions.findIndex((action) => action.id === id);
  const moved = definition.actions[from];
  if (moved === undefined) return definition;
  const to = Math.max(0, Math.min(definition.actions.length - 1, from + by));
  return { ...definition, actions: definition.actions.toSpliced(from, 1).toSpliced(to, 0, moved) };
}

/** Lets `to` run after `from`; nothing happens where that would close a circle. */
export function connectActions(
  definition: BuilderDefinition,
  { from, to }: { from: string; to: string },
): BuilderDefinition {
  const known = (id: string) => definition.actions.some((action) => action.id === id);
  if (!known(from) || !known(to) || circleThrough(definition.actions, { from, to }) !== undefined) return definition;
  return eachAction(definition, (action) =>
    action.id === to && !dependenciesOf(action).includes(from)
      ? waitingFor(action, [...dependenciesOf(action), from])
      : action,
  );
}

export function disconnectActions(
  definition: BuilderDefinition,
  { from, to }: { from: string; to: string },
): BuilderDefinition {
  return eachAction(definition, (action) =>
    action.id === to && dependenciesOf(action).includes(from)
      ? waitingFor(
          action,
          dependenciesOf(action).filter((each) => each !== from),
        )
      : action,
  );
}

function waitingFor(action: BuilderAction, ids: readonly string[]): BuilderAction {
  return withFields(action, { depends_on: ids.length === 0 ? undefined : ids });
}

function eachAction(
  definition: BuilderDefinition,
  change: (action: BuilderAction) => BuilderAction,
): BuilderDefinition {
  const actions = definition.actions.map(change);
  return actions.every((action, index) => action === definition.actions[index])
    ? definition
    : { ...definition, actions };
}
