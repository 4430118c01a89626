import type { JsonObject } from '@airdeck/contracts/fields';
import type { DraftDefinition, PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { t } from '../../../../language/translate.ts';

export const actionKinds = [
  'action',
  'prompt',
  'delay',
  'playbook',
] as const satisfies readonly PlaybookAction['kind'][];
export type ActionKind = (typeof actionKinds)[number];

/** One action as the builder holds it: its id and kind are sure, everything else may still be missing or wrong. */
export type BuilderAction = JsonObject & { readonly id: string; readonly kind: ActionKind };

/** A definition as the builder holds it: every action has an id of its own and a kind. */
export type BuilderDefinition = Omit<DraftDefinition, 'actions'> & { readonly actions: readonly BuilderAction[] };

export const ACTION_ID = /^[a-z][a-z0-9_]{0,62}$/;
export const ACTIONS_MAX = 200;

/** Ids of the actions it runs after, in the order written; what is not a text is left out. */
export function dependenciesOf(action: JsonObject): readonly string[] {
  return Array.isArray(action.depends_on) ? action.depends_on.filter((id) => typeof id === 'string') : [];
}

/** The text of a field, empty where there is none. */
export function textAt(action: JsonObject, name: string): string {
  const value = action[name];
  return typeof value === 'string' ? value : '';
}

/** An id nobody has: the wanted one, or the first free of `wanted_2`, `wanted_3`, … */
export function freeId(wanted: string, taken: Iterable<string>): string {
  const used = new Set(taken);
  const base = idFrom(wanted);
  if (!used.has(base)) return base;
  for (let number = 2; ; number += 1) {
    const candidate = `${base.slice(0, 58)}_${number}`;
    if (!used.has(candidate)) return candidate;
  }
}

/** What comes nearest to the words and is an id: "Block address" is `block_address`. */
export function idFrom(words: string): string {
  const plain = words
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
    .slice(0, 60);
  return plain === '' ? 'step' : plain;
}

/** `ask_owner` as "Ask owner". */
export function wordsOf(id: string): string {
  const words = id.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export type ReadDefinition = {
  readonly definition: BuilderDefinition;
  /** Sentences about what had to be put right to show it. */
  readonly repairs: readonly string[];
};

/**
 * A stored or imported definition as the builder can hold it. Actions without an id, with one that is taken, or of an
 * unknown kind would have no place in the graph: they get an id, or are read as plain actions, and that is said.
 */
export function readDefinition(draft: DraftDefinition): ReadDefinition {
  const repairs: string[] = [];
  const taken = new Set<string>();
  const actions = draft.actions.map((raw, index): BuilderAction => {
    const given = typeof raw.id === 'string' && raw.id !== '' ? raw.id : undefined;
    const id = given !== undefined && !taken.has(given) ? given : freeId(given ?? 'step', taken);
    if (id !== given) repairs.push(repairWords(index, given, id));
    taken.add(id);
    const kind = actionKinds.find((each) => each === raw.kind);
    if (kind === undefined)
      repairs.push(t('Step {number} has no known kind and is shown as an action.', { number: index + 1 }));
    return { ...raw, id, kind: kind ?? 'action' };
  });
  return { definition: { ...draft, actions }, repairs };
}

function repairWords(index: number, given: string | undefined, id: string): string {
  return given === undefined
    ? t('Step {number} had no id and is now “{id}”.', { number: index + 1, id })
    : t('Two steps were called “{given}”; the second is now “{id}”.', { given, id });
}

/** An empty playbook of that name. */
export function emptyDefinition(name: string): BuilderDefinition {
  return {
    metadata: { name, description: '', author: '', updated_by: '' },
    inputs: { type: 'object', properties: {}, additionalProperties: false },
    actions: [],
    outputs: {},
    exec_options: { max_concurrent_actions: 4 },
  };
}
