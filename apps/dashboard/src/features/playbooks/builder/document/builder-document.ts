/**
 * The one document behind graph, form and text: a definition, what is selected, and what was before.
 *
 * Always true: `past` ends with what `undo` brings back, `future` begins with what `redo` brings back; a change empties
 * `future`; selected ids are ids of the definition. Typing in one field is one step back, as long as nothing comes between.
 */
import type { JsonObject } from '@airdeck/contracts/fields';
import { ACTIONS_MAX, type BuilderAction, type BuilderDefinition } from './builder-action.ts';
import {
  addAction,
  changeAction,
  connectActions,
  deleteActions,
  disconnectActions,
  duplicateActions,
  moveAction,
  renameAction,
  renameInput,
} from './edit-definition.ts';
import { sameJson } from './json.ts';

export type BuilderDocument = {
  readonly definition: BuilderDefinition;
  readonly selection: readonly string[];
  readonly past: readonly BuilderDefinition[];
  readonly future: readonly BuilderDefinition[];
  /** Names what is being typed; the next change of the same name joins the last one. */
  readonly typing: string | undefined;
};

export type Change =
  | { type: 'add'; action: BuilderAction; after: readonly string[]; before?: readonly string[] }
  | { type: 'change'; id: string; fields: JsonObject; typing?: string }
  | { type: 'rename'; id: string; to: string }
  | { type: 'rename-input'; from: string; to: string }
  | { type: 'delete'; ids: readonly string[] }
  | { type: 'duplicate'; ids: readonly string[] }
  | { type: 'move'; id: string; by: number }
  | { type: 'connect'; from: string; to: string }
  | { type: 'disconnect'; from: string; to: string }
  | { type: 'settings'; fields: Partial<Omit<BuilderDefinition, 'actions'>>; typing?: string }
  | { type: 'replace'; definition: BuilderDefinition; typing?: string }
  | { type: 'select'; ids: readonly string[] }
  | { type: 'pause' }
  | { type: 'undo' }
  | { type: 'redo' };

/** A change that makes more of them. */
export type Adding = Extract<Change, { type: 'add' | 'duplicate' }>;

const HISTORY_MAX = 200;

export function openDocument(definition: BuilderDefinition): BuilderDocument {
  return { definition, selection: [], past: [], future: [], typing: undefined };
}

export function changeDocument(document: BuilderDocument, change: Change): BuilderDocument {
  switch (change.type) {
    case 'undo':
      return stepBack(document);
    case 'redo':
      return stepForward(document);
    case 'select':
      return selecting(document, change.ids);
    case 'pause':
      return document.typing === undefined ? document : { ...document, typing: undefined };
    case 'add':
    case 'duplicate':
      return hasRoomFor(document.definition, change) ? editing(document, change) : document;
    default:
      return editing(document, change);
  }
}

/** More than that no server takes, not even to say what is wrong with it. */
export function hasRoomFor({ actions }: BuilderDefinition, adding: Adding): boolean {
  const more = adding.type === 'add' ? 1 : actions.filter(({ id }) => adding.ids.includes(id)).length;
  return actions.length + more <= ACTIONS_MAX;
}

function editing(document: BuilderDocument, change: Edit): BuilderDocument {
  const { definition, select } = edited(document.definition, change);
  const typing = 'typing' in change ? change.typing : undefined;
  return remembering(document, definition, { select, typing });
}

type Edit = Exclude<Change, { type: 'undo' | 'redo' | 'select' | 'pause' }>;
type Edited = { definition: BuilderDefinition; select?: readonly string[] | undefined };

function edited(before: BuilderDefinition, change: Edit): Edited {
  switch (change.type) {
    case 'add': {
      const { definition, id } = addAction(before, change.action, change);
      return { definition, select: [id] };
    }
    case 'change':
      return { definition: changeAction(before, change.id, change.fields) };
    case 'rename': {
      const definition = renameAction(before, change.id, change.to);
      return definition === before ? { definition } : { definition, select: [change.to] };
    }
    case 'rename-input':
      return { definition: renameInput(before, change.from, change.to) };
    case 'delete':
      return { definition: deleteActions(before, change.ids) };
    case 'duplicate': {
      const { definition, copies } = duplicateActions(before, change.ids);
      return { definition, select: copies };
    }
    case 'move':
      return { definition: moveAction(before, change.id, change.by) };
    case 'connect':
      return { definition: connectActions(before, change) };
    case 'disconnect':
      return { definition: disconnectActions(before, change) };
    case 'settings':
      return { definition: { ...before, ...change.fields } };
    case 'replace':
      return { definition: change.definition };
  }
}

type How = { select: readonly string[] | undefined; typing: string | undefined };

function remembering(
  document: BuilderDocument,
  definition: BuilderDefinition,
  { select, typing }: How,
): BuilderDocument {
  const { past } = document;
  if (sameJson(definition, document.definition)) return selecting(document, select ?? document.selection);
  const joins = typing !== undefined && typing === document.typing && past.length > 0;
  return {
    definition,
    selection: existing(definition, select ?? document.selection),
    past: joins ? past : [...past, document.definition].slice(-HISTORY_MAX),
    future: [],
    typing,
  };
}

function stepBack(document: BuilderDocument): BuilderDocument {
  const definition = document.past.at(-1);
  if (definition === undefined) return document;
  return {
    definition,
    selection: existing(definition, document.selection),
    past: document.past.slice(0, -1),
    future: [document.definition, ...document.future],
    typing: undefined,
  };
}

function stepForward(document: BuilderDocument): BuilderDocument {
  const [definition, ...future] = document.future;
  if (definition === undefined) return document;
  return {
    definition,
    selection: existing(definition, document.selection),
    past: [...document.past, document.definition],
    future,
    typing: undefined,
  };
}

function selecting(document: BuilderDocument, ids: readonly string[]): BuilderDocument {
  const selection = existing(document.definition, ids);
  return sameJson(selection, document.selection) ? document : { ...document, selection, typing: undefined };
}

function existing({ actions }: BuilderDefinition, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => actions.some((action) => action.id === id));
}
