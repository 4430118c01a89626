import { parseQuery } from '@airdeck/query-language/parse';
import { completionAt } from '@airdeck/query-language/query-completion';
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
  const shipped = foundEvent(1, { fields: { ...event.fields, env: 'test', fields: { env: 'prod', user: 'inner' } } });
  const shown = [...columnValues(shipped), ...fieldValues(shipped)];
  expect(shown.map(({ name }) => name)).toEqual(expect.arrayContaining(['fields.user', 'fields.fields.env']));
  for (const { name, values } of shown) expect(valuesOfEvent(shipped, name), name).toEqual(values);
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

test.each(['_exists_:us', '_exists_:(us', 'NOT _exists_:"us'])(
  'the field that %s is completed with is the one asked for',
  async (text) => {
    const offers = { fields: [{ name: 'user agent', count: 3 }], values: async () => [] };
    const place = completionAt(text, text.length);
    const [offer] = await offersFor(place, offers, new AbortController().signal);
    expect(offer?.goesOn).toBe(false);
    const { start, end } = place.replace;
    const completed = `${text.slice(0, start)}${offer?.insert}${text.slice(end)}`;
    const whole = completed.includes('(') ? `${completed})` : completed;
    expect(JSON.stringify(parseQuery(whole))).toContain('"field":"user agent","match":{"kind":"exists"}');
  },
);
