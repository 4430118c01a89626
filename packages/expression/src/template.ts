import { ExpressionError } from './expression-error.ts';

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `position`: where the expression begins in the template. */
  | { readonly kind: 'expression'; readonly text: string; readonly position: number };

/**
 * Takes a text apart into literal pieces and the expressions between `{{` and `}}`. Braces inside an expression's strings,
 * comments and map literals do not end it. Throws `TEMPLATE_UNCLOSED` or `TEMPLATE_EMPTY`.
 */
export function splitTemplate(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (;;) {
    const open = template.indexOf('{{', at);
    if (open < 0) {
      if (at < template.length) parts.push({ kind: 'text', text: template.slice(at) });
      return parts;
    }
    if (open > at) parts.push({ kind: 'text', text: template.slice(at, open) });
    const close = findClose(template, open + 2);
    if (close < 0) throw new ExpressionError('TEMPLATE_UNCLOSED', 'This {{ has no closing }}.', open);
    const raw = template.slice(open + 2, close);
    if (raw.trim() === '') throw new ExpressionError('TEMPLATE_EMPTY', 'There is nothing between {{ and }}.', open);
    parts.push({ kind: 'expression', text: raw, position: open + 2 });
    at = close + 2;
  }
}

/** Whether any expression would be looked for; cheap enough for every string of an event. */
export function hasTemplate(text: string): boolean {
  return text.includes('{{');
}

/** Position of the `}}` that ends the expression starting at `from`, or -1. */
function findClose(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const char = text[at];
    if (char === '"' || char === "'") {
      at = skipString(text, at);
    } else if (char === '/' && text[at + 1] === '/') {
      const end = text.indexOf('\n', at);
      if (end < 0) return -1;
      at = end + 1;
    } else if (char === '{') {
      depth += 1;
      at += 1;
    } else if (char === '}' && depth > 0) {
      depth -= 1;
      at += 1;
    } else if (char === '}') {
      return text[at + 1] === '}' ? at : -1;
    } else {
      at += 1;
    }
  }
  return -1;
}

/** Position after the string literal that starts at `at`: one or three quotes, raw or with escapes. */
function skipString(text: string, at: number): number {
  const quote = text[at] ?? '';
  const raw = /[rR]/.test(text[at - 1] ?? '');
  const closing = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  let end = at + closing.length;
  while (end < text.length && !text.startsWith(closing, end)) end += !raw && text[end] === '\\' ? 2 : 1;
  return end + closing.length;
}
