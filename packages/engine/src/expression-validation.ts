/** What is wrong with one expression where it stands: its text, the names it reads, and whether those are there yet. */
import { type DefinitionProblem, problemAt } from './definition-fields.ts';
import type { FoundExpression } from './expression-scan.ts';
import type { ExpressionEvaluator, ExpressionRead } from './interfaces.ts';

export type ExpressionScope = {
  readonly actions: ReadonlySet<string>;
  /** Actions that are settled when the expression is evaluated. */
  readonly upstream: ReadonlySet<string>;
  /** Null when any input may be named. */
  readonly inputs: ReadonlySet<string> | null;
  /** Whether `item` and `index` exist here. */
  readonly hasItem: boolean;
  /** Fields of `trigger`; undefined where what no run has is let through. */
  readonly triggerFields?: ReadonlySet<string> | undefined;
};

/** What expressions see of a step and of a run (`ExpressionContext`). */
const stepFields: ReadonlySet<string> = new Set(['status', 'output', 'error']);
const runFields: ReadonlySet<string> = new Set(['id', 'tenant', 'started_at']);

export function expressionProblems(
  { path, text, broken }: FoundExpression,
  scope: ExpressionScope,
  ports: { readonly evaluator: Pick<ExpressionEvaluator, 'check' | 'reads'> },
): DefinitionProblem[] {
  const problem = broken ?? ports.evaluator.check(text)?.message;
  if (problem !== undefined) {
    const values = { expression: shortened(text), problem };
    return [problemAt(path, 'EXPRESSION_INVALID', 'PLAYBOOK_EXPRESSION_INVALID', values)];
  }
  const told = new Map<string, DefinitionProblem>();
  for (const read of ports.evaluator.reads(text)) {
    for (const each of readProblems(path, read, scope)) told.set(`${each.code} ${each.message}`, each);
  }
  return [...told.values()];
}

function readProblems(path: string, { name, fields }: ExpressionRead, scope: ExpressionScope): DefinitionProblem[] {
  const [first, second] = fields;
  switch (name) {
    case 'inputs':
      return first === undefined ? [] : inputReferenceProblems(path, first, scope);
    case 'actions':
      return first === undefined ? [] : actionReferenceProblems(path, { id: first, field: second }, scope);
    case 'item':
    case 'index':
      if (scope.hasItem) return [];
      return [problemAt(path, 'ITEM_OUTSIDE_FOR_EACH', 'PLAYBOOK_ITEM_OUTSIDE_FOR_EACH', { name })];
    default:
      return otherProblems(path, { name, field: first }, scope);
  }
}

function otherProblems(
  path: string,
  { name, field }: { name: string; field: string | undefined },
  { triggerFields }: ExpressionScope,
): DefinitionProblem[] {
  if (triggerFields === undefined) return [];
  const known = name === 'run' ? runFields : name === 'trigger' ? triggerFields : undefined;
  if (known === undefined) return [problemAt(path, 'REFERENCE_UNKNOWN', 'PLAYBOOK_NAME_UNKNOWN', { name })];
  if (field === undefined || known.has(field)) return [];
  return [problemAt(path, 'REFERENCE_UNKNOWN', 'PLAYBOOK_RUN_FIELD_UNKNOWN', { name: `${name}.${field}` })];
}

function inputReferenceProblems(path: string, name: string, { inputs }: ExpressionScope): DefinitionProblem[] {
  if (inputs === null || inputs.has(name)) return [];
  return [problemAt(path, 'REFERENCE_UNKNOWN', 'PLAYBOOK_INPUT_UNKNOWN', { name })];
}

function actionReferenceProblems(
  path: string,
  { id, field }: { id: string; field: string | undefined },
  scope: ExpressionScope,
): DefinitionProblem[] {
  if (!scope.actions.has(id)) return [problemAt(path, 'REFERENCE_UNKNOWN', 'PLAYBOOK_ACTION_UNKNOWN', { name: id })];
  if (!scope.upstream.has(id))
    return [problemAt(path, 'REFERENCE_NOT_UPSTREAM', 'PLAYBOOK_NOT_UPSTREAM', { name: id })];
  if (scope.triggerFields === undefined || field === undefined || stepFields.has(field)) return [];
  return [problemAt(path, 'REFERENCE_UNKNOWN', 'PLAYBOOK_STEP_FIELD_UNKNOWN', { name: `actions.${id}.${field}` })];
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
