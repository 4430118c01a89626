import type { FastifyRequest } from 'fastify';
import type { GraylogRecord } from './graylog-data.ts';
import { firstText, integerOf, objectOf } from './request-values.ts';

type Page = {
  readonly items: readonly GraylogRecord[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
};

/** `page`, `per_page` and `query`; the words of a 400 where the query cannot be read. */
export function pageOf(records: Iterable<GraylogRecord>, request: FastifyRequest): (Page & { query: string }) | string {
  const parameters = objectOf(request.query);
  const query = firstText(parameters.query);
  const accepts = readQuery(query);
  if (typeof accepts === 'string') return accepts;
  const found = [...records]
    .filter((record) => accepts(String(record.title)))
    .toSorted((a, b) => String(a.title).localeCompare(String(b.title), 'en'));
  const page = Math.max(integerOf(parameters.page, 1), 1);
  const perPage = Math.max(integerOf(parameters.per_page, 50), 1);
  return { items: found.slice((page - 1) * perPage, page * perPage), page, perPage, total: found.length, query };
}

type AcceptsTitle = (title: string) => boolean;

/** Words, or a field with a value that may stand in quotes; a backslash keeps a quote from ending it and stays in it. */
const chunks = /\S+:[<>=~]{0,2}'(?:[^'\\]|\\.)*'|\S+:[<>=~]{0,2}"(?:[^"\\]|\\.)*"|\S+/g;

/**
 * As the server reads it: decoded once more than any address is, nothing unescaped, and all values of one field as choices.
 * Whatever the field, it is the title here.
 */
function readQuery(encoded: string): AcceptsTitle | string {
  if (encoded === '' || encoded === '*') return () => true;
  const query = decoded(encoded);
  if (query === undefined) return `Invalid argument in search query: Illegal hex characters in escape (%) pattern`;
  const choices = [...query.trim().matchAll(chunks)].flatMap(([chunk]) => valuesOf(chunk).map(readValue));
  return choices.length === 0 ? () => true : (title) => choices.some((accepts) => accepts(title));
}

function decoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function valuesOf(chunk: string): string[] {
  const colon = chunk.indexOf(':');
  if (colon === -1) return [chunk];
  const values = chunk.slice(colon + 1).split(',');
  return values.map((value) => value.trim()).filter((value) => value !== '');
}

/** Part of the title in any case, unless the value begins with a comparison. */
function readValue(quoted: string): AcceptsTitle {
  const value = quoted.replaceAll(/^["']|["']$/g, '');
  const [, sign = '', compared = value] = /^(>=|<=|=~|[<>=])(.+)$/s.exec(value) ?? [];
  const operand = sign === '' ? value : compared.trim();
  return (title) => {
    if (sign === '>') return title > operand;
    if (sign === '>=') return title >= operand;
    if (sign === '<') return title < operand;
    if (sign === '<=') return title <= operand;
    if (sign === '=') return title === operand;
    return title.toLowerCase().includes(operand.toLowerCase());
  };
}

/** The envelope of `/paginated`. */
export function pageList({ items, page, perPage, total, query }: Page & { query: string }): GraylogRecord {
  return {
    query,
    pagination: { total, count: items.length, page, per_page: perPage },
    total,
    sort: 'title',
    order: 'asc',
    elements: items,
    attributes: [{ id: 'title', title: 'Title' }],
    defaults: { sort: { id: 'title', direction: 'ASC' } },
  };
}

/** The envelope of the older lists, under a name of their own. */
export function oldPageList(
  name: string,
  { items, page, perPage, total, query }: Page & { query: string },
): GraylogRecord {
  return { total, page, per_page: perPage, count: items.length, [name]: items, query };
}
