/**
 * Keeps a draft saved while it is edited.
 *
 * States: saved → (change) waiting → (pause over) saving → saved | failed | conflict. While one save is out, changes wait
 * for its answer; there is never a second one out. A save names the revision it is based on. A save whose answer got lost
 * may have been done all the same: if the next one is refused because of ourselves, it goes on from there. A tab that is
 * closed loses what was typed since the last save; the browser asks before.
 */
import { ApiError } from '@airdeck/api-client/api-error';
import type { PlaybookDraft } from '@airdeck/contracts/playbooks/schema';
import type { BuilderDefinition } from '../document/builder-action.ts';
import { sameJson } from '../document/json.ts';

export type SaveState =
  /** `at` is undefined as long as nothing was saved here. */
  | { readonly status: 'saved'; readonly at: Date | undefined }
  | { readonly status: 'waiting' }
  | { readonly status: 'saving' }
  | { readonly status: 'failed'; readonly error: unknown }
  /** Somebody else saved; what they have is beside it. */
  | { readonly status: 'conflict'; readonly theirs: PlaybookDraft };

type Saved = Pick<PlaybookDraft, 'revision'>;

type Dependencies = {
  readonly save: (body: { definition: BuilderDefinition; revision: number }) => Promise<Saved>;
  readonly load: () => Promise<PlaybookDraft>;
  /** Calls back after a time; the answer calls it off. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
  readonly now: () => Date;
};

export type DraftSaver = {
  readonly state: () => SaveState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly revision: () => number;
  /** The definition as it is now. */
  readonly change: (definition: BuilderDefinition) => void;
  /** Saves what is not saved yet; true when all is. */
  readonly saveNow: () => Promise<boolean>;
  /** Ends a conflict: goes on from their revision, with what is here or with what they have. */
  readonly resolve: (theirs: PlaybookDraft, keep: 'mine' | { readonly theirs: BuilderDefinition }) => void;
  /** The server has another revision now, and holds what is here: after publishing or discarding. */
  readonly startOver: (revision: number, definition: BuilderDefinition) => void;
};

const PAUSE_MS = 1200;

export function createDraftSaver(
  deps: Dependencies,
  start: { readonly definition: BuilderDefinition; readonly revision: number },
): DraftSaver {
  const listeners = new Set<() => void>();
  let state: SaveState = { status: 'saved', at: undefined };
  let { definition: current, definition: kept, revision } = start;
  let callOff: (() => void) | undefined;
  let out: Promise<void> | undefined;

  function enter(next: SaveState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  async function send(): Promise<void> {
    const sent = current;
    enter({ status: 'saving' });
    try {
      const answer = await deps.save({ definition: sent, revision });
      settle(sent, answer.revision);
    } catch (error) {
      await refused(sent, error);
    }
  }

  function settle(sent: BuilderDefinition, nextRevision: number): void {
    revision = nextRevision;
    kept = sent;
    if (sameJson(kept, current)) enter({ status: 'saved', at: deps.now() });
    else wait();
  }

  async function refused(sent: BuilderDefinition, error: unknown): Promise<void> {
    if (!(error instanceof ApiError && error.code === 'CONFLICT')) return enter({ status: 'failed', error });
    try {
      const theirs = await deps.load();
      if (isOurs(theirs.definition, sent)) settle(sent, theirs.revision);
      else enter({ status: 'conflict', theirs });
    } catch (failure) {
      enter({ status: 'failed', error: failure });
    }
  }

  function wait(): void {
    callOff?.();
    enter({ status: 'waiting' });
    callOff = deps.after(PAUSE_MS, () => void saveNow());
  }

  async function saveNow(): Promise<boolean> {
    callOff?.();
    // Others may have been waiting too, and be first.
    while (out !== undefined) await out;
    if (state.status === 'conflict') return false;
    if (sameJson(kept, current)) {
      if (state.status !== 'saved') enter({ status: 'saved', at: deps.now() });
      return true;
    }
    out = send().finally(() => {
      out = undefined;
    });
    await out;
    // What was typed while it was out goes along.
    return sameState(state, 'waiting') ? await saveNow() : sameState(state, 'saved');
  }

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    revision: () => revision,
    change: (definition) => {
      current = definition;
      if (state.status === 'saving' || state.status === 'conflict') return;
      if (sameJson(kept, current) && state.status === 'saved') return;
      wait();
    },
    saveNow,
    resolve: (theirs, keep) => {
      revision = theirs.revision;
      if (keep === 'mine') return wait();
      kept = keep.theirs;
      current = keep.theirs;
      enter({ status: 'saved', at: new Date(theirs.updated_at) });
    },
    startOver: (next, definition) => {
      callOff?.();
      revision = next;
      kept = definition;
      current = definition;
      enter({ status: 'saved', at: undefined });
    },
  };
}

// The compiler believes a state it narrowed before a call stays.
function sameState(state: SaveState, status: SaveState['status']): boolean {
  return state.status === status;
}

/** Whether the server holds what we sent; who wrote it is the server's own part. */
function isOurs(theirs: PlaybookDraft['definition'], sent: BuilderDefinition): boolean {
  const plain = ({
    metadata,
    inputs,
    actions,
    outputs,
    exec_options,
  }: PlaybookDraft['definition'] | BuilderDefinition) => ({
    name: metadata.name,
    description: metadata.description,
    inputs: sorted(inputs),
    actions: sorted(actions),
    outputs: sorted(outputs),
    exec_options: sorted(exec_options),
  });
  return sameJson(plain(theirs), plain(sent));
}

/** Stores give the keys of an object back in an order of their own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
