/** What is wrong with one expression where it stands: its text, the names it reads, and whether those are there yet. */
import { type DefinitionProblem, problemAt } from './definition-fields.ts';
import { type FoundExpression, itemNamesIn, referencesIn } from './expression-scan.ts';
import type { ExpressionEvaluator } from './interfaces.ts';

export type ExpressionScope = {
  readonly actions: ReadonlySet<string>;
  /** Actions that are settled when the expression is evaluated. */
  readonly upstream: ReadonlySet<string>;
  /** Null when any input may be named. */
  readonly inputs: ReadonlySet<string> | null;
  /** Whether `item` and `index` exist here. */
  readonly hasItem: boolean;
};

export function expressionProblems(
  { path, text, broken }: FoundExpression,
  scope: ExpressionScope,
  ports: { readonly evaluator: Pick<ExpressionEvaluator, 'check'> },
): DefinitionProblem[] {
  const problem = broken ?? ports.evaluator.check(text)?.message;
  if (problem !== undefined) {
    const values = { expression: shortened(text), problem };
    return [problemAt(path, 'EXPRESSION_INVALID', 'PLAYBOOK_EXPRESSION_INVALID', values)];
  }
  const references = referencesIn(text).flatMap(({ root, name }): DefinitionProblem[] =>
    root === 'inputs' ? inputReferenceProblems(path, name, scope) : actionReferenceProblems(path, name, scope),
  );
  const items = scope.hasItem ? [] : itemNamesIn(text);
  return [
    ...references,
    ...items.map((name) => problemAt(path, 'ITEM_OUTSIDE_FOR_EACH', 'PLAYBOOK_ITEM_OUTSIDE_FOR_EACH', { name })),
  ];
}

function inputReferenceProblems(path: string, name: string, { inputs }: ExpressionScope): DefinitionProblem[] {
  if (inputs === null || inputs.has(name)) return [];
  return [problemAt(path, 'REFERENCE_UNKNOWN', 'PLAYBOOK_INPUT_UNKNOWN', { name })];
}

function actionReferenceProblems(path: string, name: string, scope: ExpressionScope): DefinitionProblem[] {
  if (!scope.actions.has(name)) return [problemAt(path, 'REFERENCE_UNKNOWN', 'PLAYBOOK_ACTION_UNKNOWN', { name })];
  if (scope.upstream.has(name)) return [];
  return [problemAt(path, 'REFERENCE_NOT_UPSTREAM', 'PLAYBOOK_NOT_UPSTREAM', { name })];
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
