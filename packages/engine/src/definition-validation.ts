import type { Definition } from './definition.ts';
import type { ExpressionEvaluator } from './interfaces.ts';
export type DefinitionProblem = { readonly path: string; readonly code: string; readonly message: string };
export function checkDefinition(_definition: Definition, _evaluator: ExpressionEvaluator): DefinitionProblem[] {
  return [];
}
