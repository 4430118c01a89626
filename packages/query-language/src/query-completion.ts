import type { Span } from './query-problem.ts';
import { type QueryToken, tokenize } from './query-tokens.ts';

/** What can be completed where the cursor is. */
export type Completion = {
  /**
   * Best first: names of fields that a value follows, names that are the value themselves (of `_exists_`), values of `field`,
   * or operators (AND, OR, NOT). Empty inside phrases and patterns.
   */
  readonly offers: readonly ('field' | 'name' | 'value' | 'operator')[];
  /** Whose values, for `value`. */
  readonly field: string | undefined;
  /** What was typed before the cursor, without quotes and escapes. */
  readonly typed: string;
  /** What the chosen completion replaces. */
  readonly replace: Span;
};

/** Says what to offer at the cursor (a UTF-16 offset). Never throws, also for text that is not a query. */
export function completionAt(text: string, cursor: number): Completion {
  const at = Math.min(Math.max(0, cursor), text.length);
  const tokens = tokenize(text);
  const index = tokens.findIndex(({ start, end }) => start < at && at <= end);
  const token = tokens[index];
  const here = { start: at, end: at };
  if (token === undefined || !isTyping(token, at)) {
    const context = contextBefore(tokens, token === undefined ? 0 : index + 1);
    return { ...offer(context, ''), typed: '', replace: here };
  }
  const typed = typedOf(text, token, at);
  const replace = { start: token.start, end: token.end };
  const context = contextBefore(tokens, index);
  // Inside a phrase that is no value, or inside a pattern, there is nothing to choose from.
  const isFree = token.kind === 'word' || token.kind === 'field' || isOperatorWord(token);
  if (!isFree && context.place !== 'value') return { offers: [], field: undefined, typed, replace };
  if (token.kind === 'regex' || (token.kind === 'bad' && text[token.start] !== '"')) {
    return { offers: [], field: undefined, typed, replace };
  }
  return { ...offer(context, typed), typed, replace };
}

function isTyping(token: QueryToken, at: number): boolean {
  if (token.kind === 'phrase') return at < token.end;
  return (
    token.kind === 'word' ||
    token.kind === 'field' ||
    token.kind === 'bad' ||
    token.kind === 'regex' ||
    isOperatorWord(token)
  );
}

/** Someone who wrote `OR` may be on the way to `ORIGIN`. */
function isOperatorWord({ kind, text }: QueryToken): boolean {
  return (kind === 'and' || kind === 'or' || kind === 'not') && /^[A-Z]+$/.test(text);
}

function typedOf(text: string, token: QueryToken, at: number): string {
  const [part] = tokenize(text.slice(token.start, at));
  const written = text.slice(token.start, at);
  if (written.startsWith('"')) return written.slice(1).replaceAll(/\\(["\\])/g, '$1');
  return token.kind === 'word' && part?.kind === 'word' && part.end === written.length ? part.text : written;
}

type Context = {
  readonly place: 'term' | 'value' | 'bound';
  readonly field: string | undefined;
  readonly afterTerm: boolean;
};

/** Reads the tokens before `index`: which field the next value belongs to, and whether a term has just ended. */
function contextBefore(tokens: readonly QueryToken[], index: number): Context {
  const groups: (string | undefined)[] = [];
  let field: string | undefined;
  let inRange = false;
  let afterTerm = false;
  let awaiting = false;
  for (const { kind, text } of tokens.slice(0, index)) {
    if (kind === 'space' || kind === 'colon') continue;
    if (kind === 'field') {
      field = text;
      awaiting = true;
    } else if (kind === 'open') {
      groups.push(awaiting ? field : groups.at(-1));
      awaiting = false;
    } else if (kind === 'close') groups.pop();
    else if (kind === 'range-open') inRange = true;
    else if (kind === 'range-close') inRange = false;
    afterTerm = kind === 'close' || kind === 'range-close' || isValue(kind);
    if (isValue(kind) || kind === 'range-close') awaiting = false;
  }
  if (inRange) return { place: 'bound', field: undefined, afterTerm: false };
  const group = groups.at(-1);
  if (awaiting) return { place: 'value', field, afterTerm: false };
  return { place: group === undefined ? 'term' : 'value', field: group, afterTerm };
}

function isValue(kind: QueryToken['kind']): boolean {
  return kind === 'word' || kind === 'phrase' || kind === 'regex' || kind === 'bad';
}

function offer({ place, field, afterTerm }: Context, typed: string): Pick<Completion, 'offers' | 'field'> {
  if (place === 'bound') return { offers: [], field: undefined };
  if (field === '_exists_') return { offers: ['name'], field: undefined };
  const operators = afterTerm ? (['operator'] as const) : [];
  const subject = place === 'value' ? ('value' as const) : ('field' as const);
  const operatorsFirst = afterTerm && (typed === '' || /^[A-Z]+$/.test(typed));
  const offers = operatorsFirst ? [...operators, subject] : [subject, ...operators];
  return { offers, field: place === 'value' ? field : undefined };
}
