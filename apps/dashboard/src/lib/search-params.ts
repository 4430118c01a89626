import { limits } from '@airdeck/contracts/limits';
import { listText, listValues } from '@airdeck/contracts/value-list';
import { isUuid } from '@airdeck/domain/uuid';
import { stringifySearchWith } from '@tanstack/react-router';

type Search = Record<string, unknown>;

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

const FLAT_FILTER = 'filters.';

/**
 * Reads an address; of a parameter given twice the last one counts. `filters.status=open`, as the specification writes
 * it, is read as a part of `filters`: the router keeps what it was given beside what a route has checked, so that as a
 * parameter of its own it would outlast the filter that is taken away.
 */
export function parseSearch(address: string): Search {
  const given = [...new URLSearchParams(address)].map(([name, value]) => [name, decodeValue(value)] as const);
  const flat = given.filter(([name]) => name.startsWith(FLAT_FILTER));
  const search: Search = Object.fromEntries(given.filter(([name]) => !name.startsWith(FLAT_FILTER)));
  const { filters } = search;
  // Those of the search screen are a list, and have no names.
  if (flat.length === 0 || Array.isArray(filters)) return search;
  const named = Object.fromEntries(flat.map(([name, value]) => [name.slice(FLAT_FILTER.length), value]));
  return { ...search, filters: typeof filters === 'object' ? { ...named, ...filters } : named };
}

// The writer quotes a text exactly when the parser above would read it as something else; it asks by whether this throws.
export const stringifySearch = stringifySearchWith(JSON.stringify, (value) => {
  if (decodeValue(value) === value) throw new SyntaxError('plain text');
  return value;
});

const TEXT_MAX = 500;
const REDIRECT_MAX = 2000;

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

/** The page of a list, from 1. Beyond those the routes take it is the last of them, which says itself that it is empty. */
export function pageParam(search: Search): number | undefined {
  const page = wholeNumberParam(search, 'page', 1);
  return page === undefined ? undefined : Math.min(page, limits.pageMax);
}

/** A time in any form `Date` reads, as ISO; undefined for anything else, and for years the routes do not take. */
export function timeParam(search: Search, name: string): string | undefined {
  const text = textParam(search, name, 40);
  const time = text === undefined ? Number.NaN : Date.parse(text);
  const iso = Number.isNaN(time) ? '' : new Date(time).toISOString();
  // Longer years begin with a sign, which is before any digit.
  return iso > '0001' ? iso : undefined;
}

/** Both ends of a time, by their names; neither when it is turned round, which the server refuses. */
export function timeRangeParams<Start extends string, End extends string>(search: Search, start: Start, end: End) {
  const [from, until] = [timeParam(search, start), timeParam(search, end)];
  const isTurned = from !== undefined && until !== undefined && from >= until;
  const range = isTurned ? {} : { [start]: from, [end]: until };
  return range as { [Name in Start | End]?: string | undefined };
}

/** A uuid in lower case; undefined for anything else. */
export function idParam(search: Search, name: string): string | undefined {
  const text = textParam(search, name, 36)?.toLowerCase();
  return text !== undefined && isUuid(text) ? text : undefined;
}

/** Search of the screens that keep where a sign-in was asked for; who follows it makes it safe first. */
export function redirectSearch(search: Search): { redirect?: string | undefined } {
  const redirect = textParam(search, 'redirect', REDIRECT_MAX + 1);
  // Half of an address would lead somewhere nobody asked for.
  return checkedSearch({ redirect: redirect !== undefined && redirect.length > REDIRECT_MAX ? undefined : redirect });
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
 * Values of one filter, read from `filters`: a list (`{ "status": ["open"] }`), or a text as somebody types it
 * (`{ "status": "open,closed" }`). Without `choices` any text is taken. Undefined when nothing is chosen.
 */
export function filterParam(search: Search, name: string): string[] | undefined;
export function filterParam<const T extends string>(
  search: Search,
  name: string,
  choices: readonly T[],
): T[] | undefined;
export function filterParam(search: Search, name: string, choices?: readonly string[]): string[] | undefined {
  const filters = search.filters;
  const given = typeof filters === 'object' && filters !== null ? (filters as Search)[name] : undefined;
  const list = Array.isArray(given) ? given : typeof given === 'string' ? listValues(given) : [];
  const texts = list.filter((value): value is string => typeof value === 'string' && value !== '');
  const allowed = choices === undefined ? texts : choices.filter((choice) => texts.includes(choice));
  const unique = [...new Set(allowed)].map((value) => value.slice(0, TEXT_MAX)).slice(0, 50);
  return unique.length === 0 ? undefined : unique;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> | undefined };

/**
 * What `validateSearch` of a route returns: every parameter the route knows, also as undefined. The router lays it over
 * what was typed, so that a key left out would reach the screen unchecked. All parameters may be left out of a link.
 */
export function checkedSearch<T extends Record<string, unknown>>(every: T): Defined<T> {
  return every as Defined<T>;
}

/** The same object without its undefined values; never for what a route has checked, see above. */
export function defined<T extends Record<string, unknown>>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** The `filters` parameter; undefined when no filter is set, so that the URL stays clean. */
export function filtersOf<T extends Record<string, unknown>>(filters: T) {
  const set = defined(filters);
  return Object.keys(set).length === 0 ? undefined : set;
}

/** Values as the one text a route takes, as many whole ones as fit: a cut one would find nothing. */
export function joinedValues(values: readonly string[] | undefined): string | undefined {
  let joined = '';
  for (const value of values ?? []) {
    const text = listText([value]);
    const next = joined === '' ? text : `${joined},${text}`;
    if (next.length <= limits.textListMax) joined = next;
  }
  return joined === '' ? undefined : joined;
}
