import { createHash } from 'node:crypto';
import type { ActionTraits } from './interfaces.ts';
import { orderedJsonText } from './json-value.ts';

/** Largest number of actions a definition may hold. */
export const MAX_ACTIONS = 200;
/** Range of `exec_options.max_concurrent_actions`. */
export const MAX_CONCURRENT_ACTIONS = 64;
/** Used when a definition does not say how many of its actions may run at once. */
export const DEFAULT_CONCURRENT_ACTIONS = 4;
/** Largest size of a definition as JSON text, in bytes. */
export const MAX_DEFINITION_BYTES = 1_048_576;

/** Largest number of items one `for_each` may give. */
export const MAX_ITEMS = 1_000;
/** `iteration` of the step that stands for a whole list; its items count from 0. */
export const LIST_ITERATION = -1;

/** Before the hashes of definitions that can be taken again. */
const CONTENT_HASH = 'content-';

/** Wire names stay as a person writes them, hence snake_case in this file. Other keys pass through untouched. */
export type Definition = {
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** JSON Schema (type object) of the run's inputs. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly actions: readonly ActionNode[];
  /** Templates rendered when the run succeeds. */
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly exec_options?: {
    readonly max_concurrent_actions?: number;
    /** Seconds from start until the run ends with RUN_TIMED_OUT. */
    readonly timeout_s?: number;
  };
};

export type ActionNode = CallNode | PromptNode | DelayNode | PlaybookNode;

type NodeBase = {
  readonly id: string;
  readonly depends_on?: readonly string[];
  /** Condition; false skips the action. */
  readonly when?: string | null;
  /** `fail` (default) ends the run with the action's error; `continue` lets successors run. */
  readonly on_error?: 'fail' | 'continue';
  readonly [extra: string]: unknown;
};

/** Calls the executor. */
export type CallNode = NodeBase & {
  readonly kind: 'action';
  readonly action: string;
  /** Of an action with `for_each`, its expressions may read `item` and `index` (from 0). */
  readonly input?: unknown;
  /**
   * Expression, bare or as one `{{ … }}`, that gives a list: the action is carried out once per item, each with its own
   * retries and timeout. `when` is asked once, before the list. The action's output is the list of outputs in order.
   */
  readonly for_each?: string | null;
  readonly retry?: { readonly max_attempts?: number; readonly backoff_s?: number } | null;
  readonly timeout_s?: number | null;
};

/** Asks a person and waits for the answer. */
export type PromptNode = NodeBase & {
  readonly kind: 'prompt';
  readonly message: string;
  readonly options: readonly PromptOption[];
  readonly approvers?: Readonly<Record<string, unknown>> | null;
  readonly expires_in_s?: number | null;
  readonly default_option?: string | null;
};

export type PromptOption = { readonly value: string; readonly label: string; readonly style?: string };

/** Waits a fixed time. */
export type DelayNode = NodeBase & { readonly kind: 'delay'; readonly seconds: number };

/** Starts a run of another definition and waits for its end; the output is that run's outputs. */
export type PlaybookNode = NodeBase & {
  readonly kind: 'playbook';
  /** Known to `EngineDeps.resolvePlaybook`; never read as a template. */
  readonly playbook_id: string;
  readonly inputs?: Readonly<Record<string, unknown>> | null;
  /** Seconds until the started run ends with RUN_TIMED_OUT. */
  readonly timeout_s?: number | null;
};

export type TraitsByName = Readonly<Record<string, ActionTraits>>;

/** A definition with the look-ups the planner needs; immutable, shared between runs of the same definition. */
export type CompiledDefinition = {
  readonly definition: Definition;
  readonly traits: TraitsByName;
  readonly nodes: readonly ActionNode[];
  readonly byId: ReadonlyMap<string, ActionNode>;
  readonly maxConcurrent: number;
};

/** Prepares a definition that has passed `validateDefinition`. */
export function compileDefinition(definition: Definition, traits: TraitsByName): CompiledDefinition {
  return {
    definition,
    traits,
    nodes: definition.actions,
    byId: new Map(definition.actions.map((node) => [node.id, node])),
    maxConcurrent: definition.exec_options?.max_concurrent_actions ?? DEFAULT_CONCURRENT_ACTIONS,
  };
}

/**
 * Content address under which a definition and the traits it runs with are stored once per tenant. It is taken from what is
 * stored, whatever the order of its keys, so that `isContentOf` can take it again from the row.
 */
export function definitionHash(definition: Definition, traits: TraitsByName): string {
  const text = orderedJsonText([definition, traits]);
  return `${CONTENT_HASH}${createHash('sha256').update(text).digest('hex')}`;
}

/** False when a stored definition is not what it was stored as. Nothing can be said of hashes of the earlier kind. */
export function isContentOf(hash: string, definition: Definition, traits: TraitsByName): boolean {
  return !hash.startsWith(CONTENT_HASH) || hash === definitionHash(definition, traits);
}

const carefulTraits: ActionTraits = { effect: 'destroys', idempotent: false };

/** Traits of an action; one nobody described is treated as the most dangerous kind. */
export function traitsOf(compiled: CompiledDefinition, name: string): ActionTraits {
  return Object.hasOwn(compiled.traits, name) ? (compiled.traits[name] ?? carefulTraits) : carefulTraits;
}

/** The definition of a run that makes one call; `input` is data and is never read as a template. */
export function singleActionDefinition(call: {
  readonly name: string;
  readonly retry?: CallNode['retry'];
  readonly timeoutS?: number;
  readonly extra?: Readonly<Record<string, unknown>>;
}): Definition {
  return {
    inputs: { type: 'object', properties: { input: {} } },
    actions: [
      {
        ...call.extra,
        id: 'action',
        kind: 'action',
        action: call.name,
        input: '{{ inputs.input }}',
        ...(call.retry ? { retry: call.retry } : {}),
        ...(call.timeoutS === undefined ? {} : { timeout_s: call.timeoutS }),
      },
    ],
    outputs: { output: '{{ actions.action.output }}' },
  };
}

export function dependenciesOf(node: ActionNode): readonly string[] {
  return node.depends_on ?? [];
}

export function continuesOnError(node: ActionNode): boolean {
  return node.on_error === 'continue';
}

/** The list expression of a `for_each` as a template, whichever way it is written. */
export function forEachTemplate(text: string): string {
  const trimmed = text.trim();
  // The line break keeps a comment at the end of the expression from swallowing the braces.
  return trimmed.startsWith('{{') ? trimmed : `{{ ${trimmed}\n}}`;
}
