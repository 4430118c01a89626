/**
 * Keeps a draft saved while it is edited.
 *
 * States: saved → (change) waiting → (pause over) saving → saved | failed | conflict. While one save is out, changes wait
 * for its answer; there is never a second one out. A save names the revision and the published version it is based on: a
 * conflict is somebody who saved the draft, or who published (or rolled back) meanwhile. A save whose answer got lost may
 * have been done all the same: if the next one is refused because of ourselves, it goes on from there. A tab that is closed
 * loses what was typed since the last save; the browser asks before.
 */
import { isRefusedWith } from '@airdeck/api-client/api-error';
import type { DraftDefinition, Playbook, PlaybookDraft } from '@airdeck/contracts/playbooks/schema';
import type { BuilderDefinition } from '../document/builder-action.ts';
import { sameJson } from '../document/json.ts';

export type SaveState =
  /** `at` is undefined as long as nothing was saved here. */
  | { readonly status: 'saved'; readonly at: Date | undefined }
  | { readonly status: 'waiting' }
  | { readonly status: 'saving' }
  | { readonly status: 'failed'; readonly error: unknown }
  /** Somebody else saved or published; what they have is beside it. */
  | { readonly status: 'conflict'; readonly theirs: Theirs };

/** Where in the history of a playbook a draft stands. */
type Standing = {
  /** Of the draft; 0 where none is kept. */
  readonly revision: number;
  /** The published version; 0 where there is none. */
  readonly version: number;
};

/** What somebody else made of the playbook meanwhile. */
export type Theirs = {
  readonly did: 'saved' | 'published';
  readonly definition: DraftDefinition;
  readonly by: string;
  /** ISO 8601. */
  readonly time: string;
  readonly at: Standing;
};

type Stored = {
  readonly draft: Pick<PlaybookDraft, 'definition' | 'revision' | 'updated_at' | 'updated_by'>;
  readonly published: DraftDefinition & Pick<Playbook, 'version' | 'updated_at'>;
};

type Dependencies = {
  readonly save: (body: { definition: BuilderDefinition; at: Standing }) => Promise<Pick<PlaybookDraft, 'revision'>>;
  readonly load: () => Promise<Stored>;
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
  /** Ends a conflict: goes on from where they are, with what is here or with what they have. */
  readonly resolve: (theirs: Theirs, keep: 'mine' | { readonly theirs: BuilderDefinition }) => void;
  /** The server stands elsewhere now, and holds what is here: after publishing, discarding or deleting. */
  readonly startOver: (at: Standing, definition: BuilderDefinition) => void;
};

const PAUSE_MS = 1200;

export function createDraftSaver(
  deps: Dependencies,
  start: { readonly definition: BuilderDefinition; readonly at: Standing },
): DraftSaver {
  const listeners = new Set<() => void>();
  let state: SaveState = { status: 'saved', at: undefined };
  let { definition: current, at } = start;
  // What the server holds as far as is known; undefined when it is known to hold something else.
  let kept: BuilderDefinition | undefined = start.definition;
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
      const { revision } = await deps.save({ definition: sent, at });
      settle(sent, { ...at, revision });
    } catch (error) {
      await refused(sent, error);
    }
  }

  function settle(sent: BuilderDefinition, next: Standing): void {
    at = next;
    kept = sent;
    if (sameJson(kept, current)) enter({ status: 'saved', at: deps.now() });
    else wait();
  }

  async function refused(sent: BuilderDefinition, error: unknown): Promise<void> {
    if (!isRefusedWith(error, 'CONFLICT')) return enter({ status: 'failed', error });
    try {
      const stored = await deps.load();
      const next = { revision: stored.draft.revision, version: stored.published.version };
      if (isOurs(stored.draft.definition, sent)) settle(sent, next);
      else enter({ status: 'conflict', theirs: theirsOf(stored, at) });
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
    revision: () => at.revision,
    change: (definition) => {
      current = definition;
      if (state.status === 'saving' || state.status === 'conflict') return;
      if (sameJson(kept, current) && state.status === 'saved') return;
      wait();
    },
    saveNow,
    resolve: (theirs, keep) => {
      const draftStays = theirs.did === 'published' && theirs.at.revision > 0;
      at = theirs.at;
      kept = keep === 'mine' || draftStays ? undefined : keep.theirs;
      if (keep !== 'mine') current = keep.theirs;
      // What was published is not what the draft holds, and has to be put there.
      if (kept === undefined) return wait();
      enter({ status: 'saved', at: new Date(theirs.time) });
    },
    startOver: (next, definition) => {
      callOff?.();
      at = next;
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

/** Who did what since we were at a place: the draft of that revision is still there, unless it was saved over. */
function theirsOf({ draft, published }: Stored, at: Standing): Theirs {
  const next = { revision: draft.revision, version: published.version };
  const isPublished = next.version !== at.version && (next.revision === at.revision || next.revision === 0);
  if (isPublished) {
    const { metadata, inputs, actions, outputs, exec_options, updated_at: time } = published;
    const definition = { metadata, inputs, actions, outputs, exec_options };
    return { did: 'published', definition, by: metadata.updated_by, time, at: next };
  }
  const { definition, updated_by: by, updated_at: time } = draft;
  return { did: 'saved', definition, by, time, at: next };
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
