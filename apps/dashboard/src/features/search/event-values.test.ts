import { parseQuery } from '@airdeck/query-language/parse';
import { expect, test } from 'vitest';
import { columnValues, fieldValues, valuesOfEvent } from './event-values.ts';
import { offersFor } from './query-offers.ts';
import { foundEvent } from './search-fixtures.ts';

const event = foundEvent(1);

test('a value is found under the name a query uses, a column before a field of the same name', () => {
  expect(valuesOfEvent(event, 'user')).toEqual(['root']);
  expect(valuesOfEvent(event, 'fields.user')).toEqual(['original']);
  expect(valuesOfEvent(event, 'port')).toEqual(['4711']);
  expect(valuesOfEvent(event, 'deep.er.x')).toEqual(['1', '2']);
  expect(valuesOfEvent(event, '_id')).toEqual([event.id]);
  expect(valuesOfEvent(event, 'dst_ip')).toEqual([]);
  expect(valuesOfEvent(event, 'no.such')).toEqual([]);
});

test('every name a detail shows leads back to its value', () => {
  const shown = [...columnValues(event), ...fieldValues(event)];
  expect(shown.map(({ name }) => name)).toContain('fields.user');
  for (const { name, values } of shown) expect(valuesOfEvent(event, name), name).toEqual(values);
});

test('fields of a hostile depth and number end', () => {
  let deep: Record<string, unknown> = { end: 1 };
  for (let index = 0; index < 5000; index++) deep = { a: deep };
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, index]));
  expect(fieldValues(foundEvent(1, { fields: { ...wide, deep } })).length).toBeLessThanOrEqual(500);
});

test('what is offered can be searched, whatever characters it has', async () => {
  const offers = {
    fields: [
      { name: 'user agent', count: 3 },
      { name: 'agent', count: undefined },
    ],
    values: async () => [{ value: 'a"b\\c (d)', count: 1 }],
  };
  const place = { typed: 'agent', replace: { start: 0, end: 5 }, field: undefined };
  const fields = await offersFor({ ...place, offers: ['field'] }, offers, new AbortController().signal);
  expect(fields.map(({ insert }) => insert)).toEqual(['agent:', '"user agent":']);
  const values = await offersFor({ ...place, offers: ['value'], field: 'agent' }, offers, new AbortController().signal);
  expect(parseQuery(`agent:${values[0]?.insert}`)).toMatchObject({
    ok: true,
    tree: { field: 'agent', match: { text: 'a"b\\c (d)' } },
  });
});
