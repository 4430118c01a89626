/** Finds expressions in values, for validation only; what a template is the evaluator says. */
import { messageOf } from './errors.ts';
import type { ExpressionEvaluator } from './interfaces.ts';

/** `broken`: why the text cannot be taken apart; it is then the whole of it. */
export type FoundExpression = { readonly path: string; readonly text: string; readonly broken?: string };

type Split = ExpressionEvaluator['split'];

const MAX_DEPTH = 32;

export class TooDeep extends Error {}

/** Every `{{ … }}` in a value of any depth, with the path to its string. Throws `TooDeep`. */
export function expressionsIn(value: unknown, path: string, split: Split, depth = 0): FoundExpression[] {
  if (depth > MAX_DEPTH) throw new TooDeep(path);
  if (typeof value === 'string') return templatesIn(value, path, split);
  if (Array.isArray(value))
    return value.flatMap((item, index) => expressionsIn(item, `${path}[${index}]`, split, depth + 1));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) => expressionsIn(item, `${path}.${key}`, split, depth + 1));
}

function templatesIn(text: string, path: string, split: Split): FoundExpression[] {
  if (!text.includes('{{')) return [];
  try {
    const expressions = split(text).filter(({ kind }) => kind === 'expression');
    return expressions.map((part) => ({ path, text: part.text.trim() }));
  } catch (error) {
    return [{ path, text, broken: messageOf(error) }];
  }
}
