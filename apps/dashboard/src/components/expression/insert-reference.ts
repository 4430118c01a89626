import { expressionsIn } from './expression-text.ts';

type Insertion = {
  readonly text: string;
  /** Where the cursor goes on. */
  readonly cursor: number;
};

type Where = {
  readonly text: string;
  /** What is selected is replaced. */
  readonly from: number;
  readonly to: number;
  /** The whole text is an expression, as of a condition; otherwise expressions stand in braces. */
  readonly bare: boolean;
};

/** A text with a reference put in at the cursor; braces are added where none are around it. */
export function insertReference(expression: string, { text, from, to, bare }: Where): Insertion {
  const isInside = bare || isInExpression(text, from);
  const piece = isInside ? expression : `{{ ${expression} }}`;
  return { text: text.slice(0, from) + piece + text.slice(to), cursor: from + piece.length };
}

function isInExpression(text: string, at: number): boolean {
  if (expressionsIn(text).some(({ from, to }) => at >= from && at <= to)) return true;
  // One that was begun and has no end yet.
  const open = text.lastIndexOf('{{', at - 1);
  return open >= 0 && at >= open + 2 && !text.includes('}}', open);
}
