/**
 * Checks an input that may hold templates against the schema it has to fit when it is rendered: what is written out is
 * checked, what a template will give is not known yet.
 */
import type { JsonObject } from '@airdeck/contracts/fields';
import { ExpressionError } from '@airdeck/expression/expression-error';
import { hasTemplate, splitTemplate } from '@airdeck/expression/template';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { compiledIfSound, type SchemaProblem, schemaProblem, uncheckable } from '../actions/schema-check.ts';

export type InputCheck = (input: unknown) => SchemaProblem[];

/** Whether such a schema fits can depend on values that are not known yet. */
const DEPENDS_ON_VALUES = /\/(anyOf|oneOf|not|if|then|else|contains|dependentSchemas|uniqueItems|\$defs|definitions)\b/;

/** Compiled once for each owner of a schema (an action, a playbook's inputs), and kept as long as that. */
export function createInputCheck(
  compile: (schema: JsonObject) => ValidateFunction,
): (owner: object, schema: JsonObject) => InputCheck {
  const kept = new WeakMap<object, InputCheck>();
  return (owner, schema) => {
    const known = kept.get(owner);
    if (known !== undefined) return known;
    const validate = compiledIfSound(compile, schema);
    const check: InputCheck = (input) => {
      if (validate === undefined) return [uncheckable('')];
      if (validate(input)) return [];
      const templates = holdsTemplate(input);
      const problems = (validate.errors ?? []).filter((error) => !templates || isCertain(error, input));
      return problems.map((error) => schemaProblem(error, ''));
    };
    kept.set(owner, check);
    return check;
  };
}

function isCertain(error: ErrorObject, input: unknown): boolean {
  if (DEPENDS_ON_VALUES.test(error.schemaPath)) return false;
  const value = valueAt(input, segmentsOf(error.instancePath));
  if (typeof value !== 'string' || !hasTemplate(value)) return true;
  // A template among other text gives text, whatever it stands for; alone it gives a value of any type.
  return error.keyword === 'type' && !isWholeTemplate(value);
}

export function isWholeTemplate(text: string): boolean {
  try {
    const parts = splitTemplate(text);
    return parts.length === 1 && parts[0]?.kind === 'expression';
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

function holdsTemplate(value: unknown): boolean {
  if (typeof value === 'string') return hasTemplate(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsTemplate);
}

function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(value: unknown, segments: readonly string[]): unknown {
  let inner = value;
  for (const segment of segments) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, segment)) return undefined;
    inner = (inner as Record<string, unknown>)[segment];
  }
  return inner;
}
