import type { SearchColumn } from './search-columns.ts';

export type QueryParams = Readonly<Record<string, string | number | readonly string[]>>;

/** Hands out bound parameters; the same value of the same type is bound once. */
export type Params = {
  readonly values: QueryParams;
  text(value: string): string;
  texts(values: readonly string[]): string;
  /** Whole milliseconds. */
  integer(value: number): string;
  number(value: number): string;
  address(value: string): string;
  uuid(value: string): string;
};

export function createParams(): Params {
  const values: Record<string, string | number | readonly string[]> = {};
  const bound = new Map<string, string>();
  function bind(type: string, value: string | number | readonly string[]): string {
    const key = `${type} ${JSON.stringify(value)}`;
    const known = bound.get(key);
    if (known !== undefined) return known;
    const name = `p${bound.size}`;
    values[name] = value;
    const placeholder = `{${name}:${type}}`;
    bound.set(key, placeholder);
    return placeholder;
  }
  return {
    values,
    text: (value) => bind('String', value),
    texts: (list) => bind('Array(String)', list),
    integer: (value) => bind('Int64', value),
    number: (value) => bind('Float64', value),
    address: (value) => bind('IPv6', value),
    uuid: (value) => bind('UUID', value),
  };
}

/** The column as text. */
export function columnText({ kind, column }: SearchColumn): string {
  return kind === 'id' ? `toString(${column})` : column;
}

export type PathExpressions = {
  /** Whether a condition holds for any value of the field: the value itself, or any element of a list. */
  some(condition: (value: string) => string): string;
  /** Whether the field is there: a value, a list with something in it, or an object with something in it. */
  present(): string;
};

/**
 * Reads a path of the JSON column. Lists are searched in every element, also lists of objects on the way (`a.b` in
 * `{"a":[{"b":1}]}`), but not lists directly inside lists.
 *
 * Single values are compared as texts of the typed path, without reading anything else; rows that hold a list are read as
 * JSON, because its elements may be of any types. `if`, `and` and `or` only evaluate what is needed.
 */
export function pathExpressions(path: readonly string[], params: Params): PathExpressions {
  const value = columnOf(path);
  const onTheWay = path.slice(0, -1).map((_, index) => {
    const list = columnOf(path.slice(0, index + 1));
    const elements = path
      .slice(index + 1)
      .reduce((inner, key) => elementsAt(inner, params.text(key)), elementsOf(list));
    return { list, elements };
  });
  const inLists = (condition: (elements: string) => string) =>
    onTheWay.map(({ list, elements }) => ` or (${isList(list)} and ${condition(elements)})`).join('');
  return {
    some(condition) {
      const inElements = (elements: string) => `arrayExists(v -> ${condition('v')}, ${textsOf(elements)})`;
      const direct = `if(${isList(value)}, ${inElements(elementsOf(value))}, ifNull(${condition(`${value}::Nullable(String)`)}, 0))`;
      return `(${direct}${inLists(inElements)})`;
    },
    present() {
      const inElements = (elements: string) => `arrayExists(v -> v not in ('', 'null', '{}', '[]'), ${elements})`;
      const direct = `if(${isList(value)}, ${inElements(elementsOf(value))}, dynamicType(${value}) != 'None')`;
      return `(${direct} or notEmpty(JSONAllPaths(fields.^${quotedKey(path.join('.'))}))${inLists(inElements)})`;
    },
  };
}

/** The single value under a path as text; null for events without it, and for lists and objects. */
export function pathText(path: readonly string[]): string {
  const value = columnOf(path);
  return `if(${isList(value)}, null, ${value}::Nullable(String))`;
}

function columnOf(path: readonly string[]): string {
  return ['fields', ...path.map(quotedKey)].join('.');
}

/** An identifier of plain letters and digits whatever the name is, so no name can end it or look like something else. */
export function quotedKey(name: string): string {
  const escaped = [...new TextEncoder().encode(name)].map((byte) => {
    const char = String.fromCharCode(byte);
    return /[0-9A-Za-z_]/.test(char) ? char : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `\`${escaped.join('')}\``;
}

function isList(value: string): string {
  return `startsWith(dynamicType(${value}), 'Array(')`;
}

/** JSON of each element of a list. */
function elementsOf(list: string): string {
  return `JSONExtractArrayRaw(assumeNotNull(toJSONString(${list})))`;
}

/** JSON of what the elements, where they are objects, hold under a key; lists there count as their elements. */
function elementsAt(elements: string, key: string): string {
  const held = `arrayMap(o -> JSONExtractRaw(o, ${key}), ${elements})`;
  return `arrayFlatten(arrayMap(h -> if(startsWith(h, '['), JSONExtractArrayRaw(h), [h]), ${held}))`;
}

/** Texts of the elements that are single values. */
function textsOf(elements: string): string {
  const single = `arrayFilter(j -> j not in ('', 'null') and substring(j, 1, 1) not in ('{', '['), ${elements})`;
  return `arrayMap(j -> if(startsWith(j, '"'), JSONExtractString(j), j), ${single})`;
}
