import { hasExpression, isWholeExpression } from './expression-text.ts';

/** A value as the expression that gives it; texts stay as they are, as text may stand around expressions. */
export function asExpression(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : `{{ ${JSON.stringify(value)} }}`;
}

/** The value an expression stands for, where it is nothing but a written value; otherwise nothing. */
export function asValue(value: unknown): unknown {
  if (!hasExpression(value)) return value;
  if (!isWholeExpression(value)) return undefined;
  try {
    return JSON.parse(value.trim().slice(2, -2));
  } catch {
    return undefined;
  }
}
