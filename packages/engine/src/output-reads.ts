/**
 * Which actions' outputs the expressions of a definition read, so that a run's other outputs, up to a MiB each, stay in the
 * database. What an expression reads beyond what is said here it would find empty, so this errs on the side of too much:
 * strings and comments count as well, and `actions` in any form but a name behind it may read all of them.
 */
import type { ActionNode, CompiledDefinition } from './definition.ts';

/** Ids of actions, or that it may be any. */
export type OutputReads = ReadonlySet<string> | 'any';

/** `values`: all that is rendered when the action begins. */
export type NodeReads = { readonly when: OutputReads; readonly values: OutputReads };

type DefinitionReads = {
  readonly nodes: ReadonlyMap<string, NodeReads>;
  readonly outputs: OutputReads;
};

const known = new WeakMap<CompiledDefinition, DefinitionReads>();

export function readsOf(compiled: CompiledDefinition): DefinitionReads {
  const found = known.get(compiled);
  if (found) return found;
  const reads: DefinitionReads = {
    nodes: new Map(
      compiled.nodes.map((node) => [
        node.id,
        { when: outputsIn(node.when == null ? [] : [node.when]), values: outputsIn(expressionsOf(node)) },
      ]),
    ),
    outputs: outputsIn(templatesIn(compiled.definition.outputs)),
  };
  known.set(compiled, reads);
  return reads;
}

function expressionsOf(node: ActionNode): string[] {
  if (node.kind === 'prompt') return templatesIn(node.message);
  if (node.kind === 'playbook') return templatesIn(node.inputs);
  if (node.kind === 'action') return [...(node.for_each == null ? [] : [node.for_each]), ...templatesIn(node.input)];
  return [];
}

/** Of every string with an expression, all from the first one on: where each ends is the evaluator's affair. */
function templatesIn(value: unknown): string[] {
  const found: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each === 'string') {
      const from = each.indexOf('{{');
      if (from >= 0) found.push(each.slice(from));
    } else if (each !== null && typeof each === 'object') {
      for (const inner of Object.values(each)) left.push(inner);
    }
  }
  return found;
}

const mention = /\bactions\b/g;
/** `actions.x`, `actions['x']`; what follows tells whether its output is meant, and a call is not a name. */
const named =
  /actions\s*(?:\.\s*(?<plain>[A-Za-z_]\w*\b)(?!\s*\()|\[\s*(?:'(?<single>[^'\\]*)'|"(?<double>[^"\\]*)")\s*\])(?<other>\s*\.\s*(?:status|error)\b)?/y;

export function outputsIn(texts: readonly string[]): OutputReads {
  const ids = new Set<string>();
  for (const text of texts) {
    for (const { index } of text.matchAll(mention)) {
      named.lastIndex = index;
      const groups = named.exec(text)?.groups;
      const id = groups?.plain ?? groups?.single ?? groups?.double;
      if (id === undefined) return 'any';
      if (groups?.other === undefined) ids.add(id);
    }
  }
  return ids;
}
