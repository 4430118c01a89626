import type { FastifyRequest } from 'fastify';
import type { GraylogRecord } from './graylog-data.ts';
import { firstText, integerOf, objectOf } from './request-values.ts';

type Page = {
  readonly items: readonly GraylogRecord[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
};

/** `page` and `per_page`, and a `query` that matches as loosely as the server's does. */
export function pageOf(records: Iterable<GraylogRecord>, request: FastifyRequest): Page & { query: string } {
  const parameters = objectOf(request.query);
  const query = firstText(parameters.query);
  const wanted = (/^title:"(.*)"$/.exec(query)?.[1] ?? query).replaceAll('\\"', '"').toLowerCase();
  const found = [...records]
    .filter((record) => String(record.title).toLowerCase().includes(wanted))
    .toSorted((a, b) => String(a.title).localeCompare(String(b.title), 'en'));
  const page = Math.max(integerOf(parameters.page, 1), 1);
  const perPage = Math.max(integerOf(parameters.per_page, 50), 1);
  return { items: found.slice((page - 1) * perPage, page * perPage), page, perPage, total: found.length, query };
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
