import { type Definition, definitionHash, type TraitsByName } from './definition.ts';
import { validateDefinition } from './definition-validation.ts';
import { EngineError } from './errors.ts';
import type { ExpressionEvaluator } from './interfaces.ts';

const MAX_VALID_HASHES = 1_000;

export type ValidityDeps = {
  readonly evaluator: ExpressionEvaluator;
  /** Contents found to be without problems. */
  readonly validHashes: Set<string>;
};

/**
 * Definitions are validated when they are saved; this keeps a bad one out however it got here. Once per content. Throws
 * DEFINITION_INVALID (details.problems).
 */
export function requireValid(
  { definition, traits }: { readonly definition: Definition; readonly traits: TraitsByName },
  deps: ValidityDeps,
): void {
  const hash = definitionHash(definition, traits);
  if (deps.validHashes.has(hash)) return;
  const nodes = Array.isArray(definition?.actions) ? definition.actions : [];
  const extraFields = [...new Set(nodes.flatMap((node) => Object.keys(node ?? {})))];
  const problems = validateDefinition(definition, { evaluator: deps.evaluator, extraFields });
  if (problems.length > 0) throw new EngineError('DEFINITION_INVALID', 'The definition has problems.', { problems });
  if (deps.validHashes.size >= MAX_VALID_HASHES) deps.validHashes.clear();
  deps.validHashes.add(hash);
}
