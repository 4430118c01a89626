import { objectOf } from './request-values.ts';

type Term = { readonly path: readonly string[]; readonly operator: string; readonly value: string };

export type FalconFilter = (record: unknown) => boolean;

/**
 * The part of Falcon Query Language an integration needs: `field:'text'`, `field:>='text'`, numbers bare, joined by `+`.
 * Undefined for anything else, which the vendor answers with 400. `partial`: fields whose text the vendor takes for the
 * beginning of a value.
 */
export function parseFilter(text: string, partial: readonly string[] = []): FalconFilter | undefined {
  if (text === '') return () => true;
  const terms: Term[] = [];
  let rest = text;
  while (rest !== '') {
    const match = /^([\w.]{1,60}):(>=|<=|>|<)?(?:'([^'\\*]{0,500})'|(\d{1,9}))(?:\+(?=.)|$)/.exec(rest);
    if (match === null) return undefined;
    terms.push({ path: (match[1] ?? '').split('.'), operator: match[2] ?? '=', value: match[3] ?? match[4] ?? '' });
    rest = rest.slice(match[0].length);
  }
  return (record) =>
    terms.every((term) => (partial.includes(term.path.join('.')) ? begins(term, record) : holds(term, record)));
}

/** `updated_timestamp|asc`, also with a dot; undefined when it cannot be read. */
export function parseSort(text: string): ((a: unknown, b: unknown) => number) | undefined {
  if (text === '') return () => 0;
  const match = /^([\w.]{1,60}?)[|.](asc|desc)$/.exec(text);
  if (match === null) return undefined;
  const path = (match[1] ?? '').split('.');
  const sign = match[2] === 'asc' ? 1 : -1;
  return (a, b) => sign * compare(valueAt(a, path), valueAt(b, path));
}

function holds({ path, operator, value }: Term, record: unknown): boolean {
  const found = valueAt(record, path);
  const order = typeof found === 'number' ? found - Number(value) : compare(found, value);
  if (operator === '=') return typeof found === 'string' ? found.toLowerCase() === value.toLowerCase() : order === 0;
  if (operator === '>=') return order >= 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order < 0;
}

function begins({ path, operator, value }: Term, record: unknown): boolean {
  const found = valueAt(record, path);
  return operator === '=' && typeof found === 'string' && found.toLowerCase().startsWith(value.toLowerCase());
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => objectOf(at)[name], record);
}
