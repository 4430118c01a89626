import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router';

/**
 * The router's own parser turns `?code=123456` into a number and loses digits of long ones. Here only objects, lists,
 * quoted texts and booleans are decoded; numbers stay text until a screen asks for one.
 */
const encoded = /^[[{"]/;

function decodeValue(value: string): unknown {
  if (value === 'true') return true;
  if (value === 'false') return false;
  if (!encoded.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export const parseSearch = parseSearchWith(decodeValue);

// The writer quotes a text exactly when the parser above would read it as something else; it asks by whether this throws.
export const stringifySearch = stringifySearchWith(JSON.stringify, (value) => {
  if (decodeValue(value) === value) throw new SyntaxError('plain text');
  return value;
});

type Search = Record<string, unknown>;

const TEXT_MAX = 500;

/** A text parameter; undefined when absent, empty or of another kind. */
export function textParam(search: Search, name: string, maxLength = TEXT_MAX): string | undefined {
  const value = search[name];
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text.slice(0, maxLength) : undefined;
}

export function flagParam(search: Search, name: string): boolean | undefined {
  const value = search[name];
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}

/** A whole number from `min`; undefined when absent or anything else. */
export function wholeNumberParam(search: Search, name: string, min = 0): number | undefined {
  const value = search[name];
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= min ? number : undefined;
}

/** One of an enumeration; undefined for anything else. */
export function choiceParam<const T extends string>(
  search: Search,
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = search[name];
  return choices.find((choice) => choice === value);
}

/**
 * Values of one filter, read from `filters` (`{ "status": ["open"] }`) or from `filters.status=open,closed` typed by
 * hand. Without `choices` any text is taken. Undefined when nothing is chosen.
 */
export function filterParam(search: Search, name: string): string[] | undefined;
export function filterParam<const T extends string>(
  search: Search,
  name: string,
  choices: readonly T[],
): T[] | undefined;
export function filterParam(search: Search, name: string, choices?: readonly string[]): string[] | undefined {
  const filters = search.filters;
  const nested = typeof filters === 'object' && filters !== null ? (filters as Search)[name] : undefined;
  const given = nested ?? search[`filters.${name}`];
  const list = Array.isArray(given) ? given : typeof given === 'string' ? given.split(',') : [];
  const texts = list.filter((value): value is string => typeof value === 'string' && value !== '');
  const allowed = choices === undefined ? texts : choices.filter((choice) => texts.includes(choice));
  const unique = [...new Set(allowed)].map((value) => value.slice(0, TEXT_MAX)).slice(0, 50);
  return unique.length === 0 ? undefined : unique;
}

/** The same object without its undefined values, as search types with optional keys want it. */
export function defined<T extends Record<string, unknown>>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** The `filters` parameter; undefined when no filter is set, so that the URL stays clean. */
export function filtersOf<T extends Record<string, unknown>>(filters: T) {
  const set = defined(filters);
  return Object.keys(set).length === 0 ? undefined : set;
}
