/** What is wrong with one expression where it stands: its text, the names it reads, and whether those are there yet. */
import type { DefinitionProblem } from './definition-fields.ts';
import { type FoundExpression, itemNamesIn, referencesIn } from './expression-scan.ts';
import type { ExpressionProblem } from './interfaces.ts';

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
  { path, text }: FoundExpression,
  scope: ExpressionScope,
  ports: { readonly checkExpression: (text: string) => ExpressionProblem | null },
): DefinitionProblem[] {
  const problem = ports.checkExpression(text);
  if (problem) return [{ path, code: 'EXPRESSION_INVALID', message: `"${shortened(text)}": ${problem.message}` }];
  const references = referencesIn(text).flatMap(({ root, name }): DefinitionProblem[] =>
    root === 'inputs' ? inputReferenceProblems(path, name, scope) : actionReferenceProblems(path, name, scope),
  );
  const items = scope.hasItem ? [] : itemNamesIn(text);
  return [
    ...references,
    ...items.map((name): DefinitionProblem => {
      const message = `"${name}" exists only in the input of an action with for_each.`;
      return { path, code: 'ITEM_OUTSIDE_FOR_EACH', message };
    }),
  ];
}

function inputReferenceProblems(path: string, name: string, { inputs }: ExpressionScope): DefinitionProblem[] {
  if (inputs === null || inputs.has(name)) return [];
  return [{ path, code: 'REFERENCE_UNKNOWN', message: `There is no input "${name}".` }];
}

function actionReferenceProblems(path: string, name: string, scope: ExpressionScope): DefinitionProblem[] {
  if (!scope.actions.has(name)) return [{ path, code: 'REFERENCE_UNKNOWN', message: `There is no action "${name}".` }];
  if (scope.upstream.has(name)) return [];
  const message = `"${name}" is not among what this action depends on, so its result may not be there yet.`;
  return [{ path, code: 'REFERENCE_NOT_UPSTREAM', message }];
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
