import {
  type ActionNode,
  type Definition,
  dependenciesOf,
  forEachTemplate,
  MAX_ACTIONS,
  MAX_DEFINITION_BYTES,
} from './definition.ts';
import {
  type DefinitionProblem,
  definitionFields,
  execOptionFields,
  fieldProblems,
  fieldsByKind,
  isObject,
  problemAt,
  retryFields,
} from './definition-fields.ts';
import { ancestorsOf, cyclesIn, type Graph } from './definition-graph.ts';
import { treeProblems } from './definition-tree.ts';
import { expressionsIn, type FoundExpression, TooDeep } from './expression-scan.ts';
import { type ExpressionScope, expressionProblems } from './expression-validation.ts';
import type { ExpressionEvaluator } from './interfaces.ts';

export type { DefinitionProblem } from './definition-fields.ts';

/** More problems than this are not listed. */
export const MAX_PROBLEMS = 200;
/** Each is compiled, so their number bounds the work one document can cause. */
const MAX_EXPRESSIONS = 2_000;

type InputProblem = Pick<DefinitionProblem, 'path' | 'message' | 'reason' | 'values'>;

export type ValidationPorts = {
  readonly evaluator: Pick<ExpressionEvaluator, 'check' | 'reads' | 'split'>;
  readonly actionExists?: (name: string) => boolean;
  /** Problems of an action's input against its schema; parts that hold templates are unknown until the run. */
  readonly checkInput?: (name: string, input: unknown) => readonly InputProblem[];
  readonly playbookExists?: (playbookId: string) => boolean;
  /** Problems of the inputs given to a started definition; parts that hold templates are unknown until the run. */
  readonly checkPlaybookInputs?: (playbookId: string, inputs: unknown) => readonly InputProblem[];
  /** Id of the definition itself, where it has one: it must not start itself. */
  readonly ownPlaybookId?: string;
  /** Of all its expressions together, the same text once: what is saved is bounded, what was saved before is carried out. */
  readonly maxExpressionChars?: number;
  /**
   * Fields of `trigger`, which is opaque here. Where they are given, names and fields no run has are problems: what is saved is
   * judged so, what was saved before is carried out.
   */
  readonly triggerFields?: readonly string[];
  /** Fields of actions that only the executor understands; passed on untouched. */
  readonly extraFields?: readonly string[];
};

/**
 * All problems of a definition at once (at most `MAX_PROBLEMS`), each with the path of what it concerns; none means it can
 * be started. Accepts any value, whatever its shape. The meaning of an action is checked when its own shape is right, so a
 * mistake in one action does not hide those of another.
 */
export function validateDefinition(definition: unknown, ports: ValidationPorts): DefinitionProblem[] {
  const sizes = sizeProblems(definition);
  if (sizes.length > 0) return sizes;
  const problems = [...treeProblems(definition), ...fieldProblems(definition, '', definitionFields)];
  if (!isObject(definition) || !Array.isArray(definition.actions)) return bounded(problems);
  if (isObject(definition.exec_options))
    problems.push(...fieldProblems(definition.exec_options, 'exec_options', execOptionFields));
  const nodes = definition.actions.map((node: unknown, index): CheckedNode => {
    const path = `actions[${index}]`;
    const found = nodeShapeProblems(node, path, ports);
    problems.push(...found);
    return { node, path, sound: found.every(({ code }) => code === 'FIELD_UNKNOWN') };
  });
  return bounded([...problems, ...meaningProblems(definition, nodes, ports)]);
}

type CheckedNode = { readonly node: unknown; readonly path: string; readonly sound: boolean };
type SoundNode = { readonly node: ActionNode; readonly path: string };

/** Two looks may find the same thing, such as nesting. */
function bounded(problems: readonly DefinitionProblem[]): DefinitionProblem[] {
  const distinct = new Map(problems.map((problem) => [`${problem.code} ${problem.path} ${problem.message}`, problem]));
  return [...distinct.values()].slice(0, MAX_PROBLEMS);
}

/** Cheap refusals first, so that a hostile document costs nothing. */
function sizeProblems(definition: unknown): DefinitionProblem[] {
  const actions = isObject(definition) ? definition.actions : undefined;
  if (Array.isArray(actions) && actions.length > MAX_ACTIONS) {
    const values = { count: actions.length, maximum: MAX_ACTIONS };
    return [problemAt('actions', 'TOO_MANY_ACTIONS', 'PLAYBOOK_TOO_MANY_ACTIONS', values)];
  }
  try {
    const sizeBytes = Buffer.byteLength(JSON.stringify(definition) ?? '');
    if (sizeBytes <= MAX_DEFINITION_BYTES) return [];
    return [problemAt('', 'TOO_LARGE', 'PLAYBOOK_TOO_LARGE', { size: sizeBytes, maximum: MAX_DEFINITION_BYTES })];
  } catch {
    return [problemAt('', 'TOO_DEEP', 'PLAYBOOK_NOT_JSON')];
  }
}

function nodeShapeProblems(node: unknown, path: string, ports: ValidationPorts): DefinitionProblem[] {
  if (!isObject(node)) return [problemAt(path, 'NOT_AN_OBJECT', 'PLAYBOOK_NOT_AN_OBJECT')];
  const fields =
    typeof node.kind === 'string' && Object.hasOwn(fieldsByKind, node.kind) ? fieldsByKind[node.kind] : undefined;
  if (!fields) return [problemAt(`${path}.kind`, 'FIELD_INVALID', 'PLAYBOOK_KIND_UNKNOWN')];
  const problems = fieldProblems(node, path, fields, ports.extraFields ?? []);
  if (isObject(node.retry)) problems.push(...fieldProblems(node.retry, `${path}.retry`, retryFields));
  if (node.kind === 'prompt' && problems.length === 0) problems.push(...defaultOptionProblems(node, path));
  // The engine passes on what it does not know, but lists are an action's alone.
  if (node.kind !== 'action' && node.for_each != null)
    problems.push(problemAt(`${path}.for_each`, 'FIELD_INVALID', 'PLAYBOOK_LIST_ONLY_OF_ACTIONS'));
  return problems;
}

function defaultOptionProblems(node: Record<string, unknown>, path: string): DefinitionProblem[] {
  const { default_option: chosen, options } = node;
  if (chosen == null || !Array.isArray(options) || options.some((option) => option.value === chosen)) return [];
  const values = { chosen: String(chosen) };
  return [problemAt(`${path}.default_option`, 'FIELD_INVALID', 'PLAYBOOK_DEFAULT_NOT_AMONG_OPTIONS', values)];
}

function meaningProblems(
  definition: Record<string, unknown>,
  nodes: readonly CheckedNode[],
  ports: ValidationPorts,
): DefinitionProblem[] {
  const sound = nodes.flatMap(({ node, path, sound: ok }): SoundNode[] =>
    ok ? [{ node: node as ActionNode, path }] : [],
  );
  const graph = graphOf(nodes);
  const problems = [...duplicateProblems(nodes), ...graphProblems(sound, graph)];
  const inputs = knownInputs(definition);
  const everything = new Set(graph.keys());
  const triggerFields = ports.triggerFields && new Set(ports.triggerFields);
  const { split } = ports.evaluator;
  const checks: { found: FoundExpression; scope: ExpressionScope }[] = [];
  for (const { node, path } of sound) {
    problems.push(...targetProblems(node, path, ports));
    const scope = { actions: everything, upstream: ancestorsOf(node.id, graph), inputs, triggerFields };
    for (const part of expressionsOf(node, path, split)) {
      problems.push(...part.problems);
      for (const found of part.found) checks.push({ found, scope: { ...scope, hasItem: part.hasItem } });
    }
  }
  const outputs = collected('outputs', false, () => expressionsIn(definition.outputs ?? {}, 'outputs', split));
  problems.push(...outputs.problems);
  const scope = { actions: everything, upstream: everything, inputs, triggerFields, hasItem: false };
  for (const found of outputs.found) checks.push({ found, scope });
  if (checks.length > MAX_EXPRESSIONS) {
    const values = { count: checks.length, maximum: MAX_EXPRESSIONS };
    return [...problems, problemAt('actions', 'TOO_MANY_EXPRESSIONS', 'PLAYBOOK_TOO_MANY_EXPRESSIONS', values)];
  }
  const size = [...new Set(checks.map(({ found }) => found.text))].reduce((sum, { length }) => sum + length, 0);
  const { maxExpressionChars: maximum = Number.POSITIVE_INFINITY } = ports;
  if (size > maximum) {
    const values = { count: size, maximum };
    return [...problems, problemAt('actions', 'TOO_MANY_EXPRESSIONS', 'PLAYBOOK_EXPRESSIONS_TOO_LONG', values)];
  }
  return [...problems, ...checks.flatMap(({ found, scope: at }) => expressionProblems(found, at, ports))];
}

/** Also of actions with mistakes, so that nobody is told that an action standing there does not exist. */
function graphOf(nodes: readonly CheckedNode[]): Graph {
  const graph = new Map<string, readonly string[]>();
  for (const { node, sound } of nodes) {
    if (!isObject(node) || typeof node.id !== 'string') continue;
    graph.set(node.id, sound ? dependenciesOf(node as ActionNode) : []);
  }
  return graph;
}

type FoundExpressions = {
  readonly found: readonly FoundExpression[];
  readonly problems: readonly DefinitionProblem[];
  /** Whether they may read `item` and `index`. */
  readonly hasItem: boolean;
};

function collected(path: string, hasItem: boolean, find: () => FoundExpression[]): FoundExpressions {
  try {
    return { found: find(), problems: [], hasItem };
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return {
      found: [],
      problems: [problemAt(path, 'TOO_DEEP', 'PLAYBOOK_TOO_DEEP')],
      hasItem,
    };
  }
}

function expressionsOf(node: ActionNode, path: string, split: ExpressionEvaluator['split']): FoundExpressions[] {
  const parts: FoundExpressions[] = [];
  if (node.when) parts.push({ found: [{ path: `${path}.when`, text: node.when }], problems: [], hasItem: false });
  if (node.kind === 'action') {
    const repeated = node.for_each ?? null;
    if (repeated !== null)
      parts.push(collected(path, false, () => expressionsIn(forEachTemplate(repeated), `${path}.for_each`, split)));
    parts.push(collected(path, repeated !== null, () => expressionsIn(node.input ?? {}, `${path}.input`, split)));
  } else if (node.kind === 'playbook') {
    parts.push(collected(path, false, () => expressionsIn(node.inputs ?? {}, `${path}.inputs`, split)));
  } else if (node.kind === 'prompt') {
    parts.push(collected(path, false, () => expressionsIn(node.message, `${path}.message`, split)));
  }
  return parts;
}

function duplicateProblems(nodes: readonly CheckedNode[]): DefinitionProblem[] {
  const seen = new Set<string>();
  return nodes.flatMap(({ node, path }): DefinitionProblem[] => {
    const id = isObject(node) && typeof node.id === 'string' ? node.id : undefined;
    if (id === undefined || !seen.has(id)) {
      if (id !== undefined) seen.add(id);
      return [];
    }
    return [problemAt(`${path}.id`, 'ID_DUPLICATE', 'PLAYBOOK_ID_DUPLICATE', { id })];
  });
}

function graphProblems(nodes: readonly SoundNode[], graph: Graph): DefinitionProblem[] {
  const unknown = nodes.flatMap(({ node, path }) =>
    dependenciesOf(node).flatMap((id, at): DefinitionProblem[] =>
      graph.has(id)
        ? []
        : [problemAt(`${path}.depends_on[${at}]`, 'DEPENDENCY_UNKNOWN', 'PLAYBOOK_ACTION_UNKNOWN', { name: id })],
    ),
  );
  const cycles = cyclesIn(graph).map((members): DefinitionProblem => {
    const first = nodes.find(({ node }) => node.id === members[0]);
    const shown = [...members, members[0]].join(' → ');
    return problemAt(`${first?.path ?? 'actions'}.depends_on`, 'CYCLE', 'PLAYBOOK_CYCLE', { actions: shown });
  });
  return [...unknown, ...cycles];
}

/** Whether what the node calls or starts exists, and takes what it is given. */
function targetProblems(node: ActionNode, path: string, ports: ValidationPorts): DefinitionProblem[] {
  if (node.kind === 'action') {
    if (ports.actionExists && !ports.actionExists(node.action)) {
      return [problemAt(`${path}.action`, 'ACTION_UNKNOWN', 'PLAYBOOK_ACTION_UNKNOWN', { name: node.action })];
    }
    return inputProblems(`${path}.input`, ports.checkInput?.(node.action, node.input ?? {}));
  }
  if (node.kind !== 'playbook') return [];
  const { playbook_id: id } = node;
  if (id === ports.ownPlaybookId) {
    return [problemAt(`${path}.playbook_id`, 'PLAYBOOK_RECURSIVE', 'PLAYBOOK_STARTS_ITSELF')];
  }
  if (ports.playbookExists && !ports.playbookExists(id)) {
    return [problemAt(`${path}.playbook_id`, 'PLAYBOOK_UNKNOWN', 'PLAYBOOK_UNKNOWN', { id })];
  }
  return inputProblems(`${path}.inputs`, ports.checkPlaybookInputs?.(id, node.inputs ?? {}));
}

function inputProblems(path: string, found: readonly InputProblem[] = []): DefinitionProblem[] {
  return found.map((problem) => ({
    ...problem,
    path: problem.path === '' ? path : `${path}.${problem.path}`,
    code: 'INPUT_INVALID',
  }));
}

/** Input names when the inputs' schema lists them and allows no others; null when any name may be given. */
function knownInputs({ inputs }: Pick<Definition, 'inputs'>): ReadonlySet<string> | null {
  if (!isObject(inputs)) return new Set();
  if (isObject(inputs.properties)) return new Set(Object.keys(inputs.properties));
  return Object.keys(inputs).length > 0 ? null : new Set();
}
