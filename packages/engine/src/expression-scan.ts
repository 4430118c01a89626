/** Finds expressions in values and names in expressions, for validation only; what a template is the evaluator says. */
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

export type Reference = { readonly root: 'actions' | 'inputs'; readonly name: string };

const referencePattern = /(?<![\w.$])(actions|inputs)\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*\])/g;

/** `actions.x`, `inputs.y` and their bracket forms, ignoring what stands inside string literals. */
export function referencesIn(expression: string): Reference[] {
  const found: Reference[] = [];
  const literals = literalRanges(expression);
  for (const match of expression.matchAll(referencePattern)) {
    const [, root, ...names] = match;
    const name = names.find((each) => each !== undefined);
    const inLiteral = literals.some(([start, end]) => match.index > start && match.index < end);
    if (name !== undefined && !inLiteral) found.push({ root: root === 'actions' ? 'actions' : 'inputs', name });
  }
  return found;
}

const itemPattern = /(?<![\w.$])(item|index)(?!\w)/g;
/** A comprehension gives the name a meaning of its own. */
const bindingPattern = /\.\s*(?:all|exists|exists_one|filter|map)\s*\(\s*(item|index)\s*,/g;

/** Which of `item` and `index` the expression reads from outside, each once. */
export function itemNamesIn(expression: string): ('item' | 'index')[] {
  const literals = literalRanges(expression);
  const bound = new Set([...expression.matchAll(bindingPattern)].map(([, name]) => name));
  const found = new Set<'item' | 'index'>();
  for (const match of expression.matchAll(itemPattern)) {
    const inLiteral = literals.some(([start, end]) => match.index > start && match.index < end);
    const name = match[1] === 'item' ? 'item' : 'index';
    if (!inLiteral && !bound.has(name)) found.add(name);
  }
  return [...found];
}

function literalRanges(text: string): [number, number][] {
  const ranges: [number, number][] = [];
  for (const match of text.matchAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g)) {
    ranges.push([match.index, match.index + match[0].length - 1]);
  }
  return ranges;
}
