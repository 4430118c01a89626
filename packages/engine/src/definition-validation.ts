import { type ActionNode, type Definition, dependenciesOf, MAX_ACTIONS, MAX_DEFINITION_BYTES } from './definition.ts';
import {
  type DefinitionProblem,
  definitionFields,
  execOptionFields,
  fieldProblems,
  fieldsByKind,
  isObject,
  retryFields,
} from './definition-fields.ts';
import { ancestorsOf, cyclesIn, type Graph } from './definition-graph.ts';
import { expressionsIn, type FoundExpression, referencesIn, TooDeep } from './expression-scan.ts';
import type { ExpressionProblem } from './interfaces.ts';

export type { DefinitionProblem } from './definition-fields.ts';

export type ValidationPorts = {
  /** `ExpressionEvaluator.check`. */
  readonly checkExpression: (text: string) => ExpressionProblem | null;
  readonly actionExists?: (name: string) => boolean;
  /** Problems of an action's input against its schema; parts that hold templates are unknown until the run. */
  readonly checkInput?: (
    name: string,
    input: unknown,
  ) => readonly { readonly path: string; readonly message: string }[];
  /** Fields of actions that only the executor understands; passed on untouched. */
  readonly extraFields?: readonly string[];
};

/**
 * All problems of a definition at once, each with the path of what it concerns; none means it can be started.
 * Accepts any value, whatever its shape. Meaning is checked only where the shape is right.
 */
export function validateDefinition(definition: unknown, ports: ValidationPorts): DefinitionProblem[] {
  const sizes = sizeProblems(definition);
  if (sizes.length > 0) return sizes;
  const problems = fieldProblems(definition, '', definitionFields);
  if (!isObject(definition) || !Array.isArray(definition.actions)) return problems;
  if (isObject(definition.exec_options))
    problems.push(...fieldProblems(definition.exec_options, 'exec_options', execOptionFields));
  const shapes = definition.actions.flatMap((node, index) => nodeShapeProblems(node, `actions[${index}]`, ports));
  problems.push(...shapes);
  if (problems.some(({ code }) => code !== 'FIELD_UNKNOWN')) return problems;
  return [...problems, ...meaningProblems(definition as Definition, ports)];
}

/** Cheap refusals first, so that a hostile document costs nothing. */
function sizeProblems(definition: unknown): DefinitionProblem[] {
  const actions = isObject(definition) ? definition.actions : undefined;
  if (Array.isArray(actions) && actions.length > MAX_ACTIONS) {
    return [
      { path: 'actions', code: 'TOO_MANY_ACTIONS', message: `${actions.length} actions; at most ${MAX_ACTIONS}.` },
    ];
  }
  try {
    const sizeBytes = Buffer.byteLength(JSON.stringify(definition) ?? '');
    if (sizeBytes <= MAX_DEFINITION_BYTES) return [];
    return [{ path: '', code: 'TOO_LARGE', message: `${sizeBytes} bytes; at most ${MAX_DEFINITION_BYTES}.` }];
  } catch {
    return [{ path: '', code: 'TOO_DEEP', message: 'Not JSON, or nested too deeply.' }];
  }
}

function nodeShapeProblems(node: unknown, path: string, ports: ValidationPorts): DefinitionProblem[] {
  if (!isObject(node)) return [{ path, code: 'NOT_AN_OBJECT', message: 'Must be an object.' }];
  const unsupported = unsupportedProblems(node, path);
  if (unsupported.length > 0) return unsupported;
  const fields =
    typeof node.kind === 'string' && Object.hasOwn(fieldsByKind, node.kind) ? fieldsByKind[node.kind] : undefined;
  if (!fields)
    return [{ path: `${path}.kind`, code: 'FIELD_INVALID', message: 'Must be "action", "prompt" or "delay".' }];
  const problems = fieldProblems(node, path, fields, ['for_each', ...(ports.extraFields ?? [])]);
  if (isObject(node.retry)) problems.push(...fieldProblems(node.retry, `${path}.retry`, retryFields));
  if (node.kind === 'prompt' && problems.length === 0) problems.push(...defaultOptionProblems(node, path));
  return problems;
}

function unsupportedProblems(node: Record<string, unknown>, path: string): DefinitionProblem[] {
  if (node.kind === 'playbook') {
    return [
      { path: `${path}.kind`, code: 'FIELD_UNSUPPORTED', message: 'Starting another definition is not supported yet.' },
    ];
  }
  if (node.for_each == null) return [];
  return [
    { path: `${path}.for_each`, code: 'FIELD_UNSUPPORTED', message: 'Repeating an action is not supported yet.' },
  ];
}

function defaultOptionProblems(node: Record<string, unknown>, path: string): DefinitionProblem[] {
  const { default_option: chosen, options } = node;
  if (chosen == null || !Array.isArray(options) || options.some((option) => option.value === chosen)) return [];
  return [{ path: `${path}.default_option`, code: 'FIELD_INVALID', message: `"${chosen}" is not among the options.` }];
}

function meaningProblems(definition: Definition, ports: ValidationPorts): DefinitionProblem[] {
  const { actions } = definition;
  const graph: Graph = new Map(actions.map((node) => [node.id, dependenciesOf(node)]));
  const problems = [...duplicateProblems(actions), ...graphProblems(actions, graph)];
  const inputs = knownInputs(definition);
  actions.forEach((node, index) => {
    const path = `actions[${index}]`;
    if (node.kind === 'action') problems.push(...actionProblems(node.action, node.input ?? {}, path, ports));
    const upstream = ancestorsOf(node.id, graph);
    const scope = { actions: new Set(graph.keys()), upstream, inputs };
    problems.push(
      ...collected(path, () => expressionsOf(node, path)).flatMap((found) =>
        'code' in found ? [found] : expressionProblems(found, scope, ports),
      ),
    );
  });
  const everything = new Set(graph.keys());
  const scope = { actions: everything, upstream: everything, inputs };
  const outputs = collected('outputs', () => expressionsIn(definition.outputs ?? {}, 'outputs'));
  return [
    ...problems,
    ...outputs.flatMap((found) => ('code' in found ? [found] : expressionProblems(found, scope, ports))),
  ];
}

function collected(path: string, find: () => FoundExpression[]): (FoundExpression | DefinitionProblem)[] {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return [{ path, code: 'TOO_DEEP', message: 'Values are nested too deeply.' }];
  }
}

function duplicateProblems(actions: readonly ActionNode[]): DefinitionProblem[] {
  const seen = new Set<string>();
  return actions.flatMap(({ id }, index): DefinitionProblem[] => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ path: `actions[${index}].id`, code: 'ID_DUPLICATE', message: `Another action is called "${id}" too.` }];
  });
}

function graphProblems(actions: readonly ActionNode[], graph: Graph): DefinitionProblem[] {
  const unknown = actions.flatMap((node, index) =>
    dependenciesOf(node).flatMap((id, at): DefinitionProblem[] =>
      graph.has(id)
        ? []
        : [
            {
              path: `actions[${index}].depends_on[${at}]`,
              code: 'DEPENDENCY_UNKNOWN',
              message: `There is no action "${id}".`,
            },
          ],
    ),
  );
  const cycles = cyclesIn(graph).map((members): DefinitionProblem => {
    const index = actions.findIndex(({ id }) => id === members[0]);
    const shown = [...members, members[0]].join(' → ');
    return {
      path: `actions[${index}].depends_on`,
      code: 'CYCLE',
      message: `These actions wait for each other: ${shown}.`,
    };
  });
  return [...unknown, ...cycles];
}

function actionProblems(name: string, input: unknown, path: string, ports: ValidationPorts): DefinitionProblem[] {
  if (ports.actionExists && !ports.actionExists(name)) {
    return [{ path: `${path}.action`, code: 'ACTION_UNKNOWN', message: `There is no action "${name}".` }];
  }
  return (ports.checkInput?.(name, input) ?? []).map((problem) => {
    const at = problem.path === '' ? `${path}.input` : `${path}.input.${problem.path}`;
    return { path: at, code: 'INPUT_INVALID', message: problem.message };
  });
}

/** Input names when the inputs' schema lists them and allows no others; null when any name may be given. */
function knownInputs({ inputs }: Definition): ReadonlySet<string> | null {
  if (!inputs || !isObject(inputs.properties)) return inputs && Object.keys(inputs).length > 0 ? null : new Set();
  return new Set(Object.keys(inputs.properties));
}

function expressionsOf(node: ActionNode, path: string): FoundExpression[] {
  const found = node.when ? [{ path: `${path}.when`, text: node.when }] : [];
  if (node.kind === 'action') return [...found, ...expressionsIn(node.input ?? {}, `${path}.input`)];
  return node.kind === 'prompt' ? [...found, ...expressionsIn(node.message, `${path}.message`)] : found;
}

type Scope = {
  readonly actions: ReadonlySet<string>;
  readonly upstream: ReadonlySet<string>;
  readonly inputs: ReadonlySet<string> | null;
};

function expressionProblems(
  { path, text }: FoundExpression,
  scope: Scope,
  ports: ValidationPorts,
): DefinitionProblem[] {
  const problem = ports.checkExpression(text);
  if (problem) return [{ path, code: 'EXPRESSION_INVALID', message: `"${shortened(text)}": ${problem.message}` }];
  return referencesIn(text).flatMap(({ root, name }): DefinitionProblem[] => {
    if (root === 'inputs') {
      if (scope.inputs === null || scope.inputs.has(name)) return [];
      return [{ path, code: 'REFERENCE_UNKNOWN', message: `There is no input "${name}".` }];
    }
    if (!scope.actions.has(name))
      return [{ path, code: 'REFERENCE_UNKNOWN', message: `There is no action "${name}".` }];
    if (scope.upstream.has(name)) return [];
    const message = `"${name}" is not among what this action depends on, so its result may not be there yet.`;
    return [{ path, code: 'REFERENCE_NOT_UPSTREAM', message }];
  });
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
