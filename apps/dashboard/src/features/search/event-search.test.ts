import { filterOperators, searchCriteriaSchema, searchLimits } from '@airdeck/contracts/search/schema';
import { describe, expect, test } from 'vitest';
import {
  filterText,
  negated,
  switched,
  withFilter,
  withoutFilter,
} from '../../components/event-criteria/filter-list.ts';
import {
  FILTER_VALUE_MAX,
  FILTER_VALUES_MAX,
  filterOps,
  type UrlFilter,
} from '../../components/event-criteria/url-filter.ts';
import { addTexts } from '../../language/translate.ts';
import { parseSearch, stringifySearch } from '../../lib/search-params.ts';
import { eventSearch } from './event-search.ts';
import { criteriaOf } from './search-selection.ts';

const from = (address: string) => eventSearch(parseSearch(address));

test('the operators and bounds of addresses are those of the API', () => {
  expect([...filterOps].toSorted()).toEqual([...filterOperators].toSorted());
  expect([FILTER_VALUE_MAX, FILTER_VALUES_MAX]).toEqual([searchLimits.filterValueMax, searchLimits.filterValuesMax]);
});

describe('the address', () => {
  test('brings back what was put into it', () => {
    const search = {
      integrations: ['okta:system_log', 'sshd'],
      connector_id: '01920000-0000-7000-8000-000000000301',
      query: 'user:"O\'Brien & co" AND port:[1 TO 5]',
      timeRange: { start: 'now-7d', end: 'now' },
      filters: [
        { field: 'user', op: 'is', value: '12345678901234567890' },
        { field: 'host', op: 'one_of', value: ['a', 'b,c'] },
        { field: 'src_ip', op: 'exists', off: true },
      ],
      columns: ['host', 'fields.user agent'],
      saved: '01920000-0000-7000-8000-000000000302',
      event: 'graylog:AbC-9',
      live: true,
    };
    expect(from(stringifySearch(search))).toEqual(search);
  });

  test('typed by hand takes a comma for a list', () => {
    expect(from('?integrations=okta,sshd').integrations).toEqual(['okta', 'sshd']);
  });

  test('drops what means nothing instead of passing it on', () => {
    const search = from(
      `?timeRange={"start":5}&filters=[{"field":"a"},{"op":"is"},{"field":"a","op":"is"},{"field":"a","op":"drop"},7,null]&saved=x&live=1&columns=[]&connector_id='`,
    );
    expect(Object.values(search).filter((value) => value !== undefined)).toEqual([]);
  });
});

describe('an address with more than a search takes', () => {
  const filter = (op: string, value: unknown) => ({ field: 'host', op, value });
  const many = (count: number) => Array.from({ length: count }, (_, index) => `host-${index}`);

  test.each([
    ['a longer value', [filter('is', 'x'.repeat(1001))]],
    ['a longer value of several', [filter('one_of', ['a', 'x'.repeat(1001)])]],
    ['more values', [filter('one_of', many(101))]],
    ['more filters', many(51).map((host) => filter('is', host))],
  ])('(%s) is refused by the server, never searched by a part', (_, filters) => {
    const search = eventSearch({ filters });
    expect(searchCriteriaSchema.safeParse(criteriaOf(search)).success).toBe(false);
  });

  test('(more sources) is refused by the server, too', () => {
    expect(searchCriteriaSchema.safeParse(criteriaOf(eventSearch({ integrations: many(51) }))).success).toBe(false);
  });

  test('what is just within the bounds is searched as it is', () => {
    const filters = [filter('is', 'x'.repeat(1000)), filter('one_of', many(100))];
    expect(criteriaOf(eventSearch({ filters })).filters).toEqual(filters);
  });
});

describe('filters', () => {
  const is: UrlFilter = { field: 'user', op: 'is', value: 'root' };
  const other: UrlFilter = { field: 'host', op: 'exists' };

  test('"not this value" takes the place of "only this value"', () => {
    expect(withFilter([is, other], { ...is, op: 'is_not' })).toEqual([other, { ...is, op: 'is_not' }]);
    expect(withFilter([is], is)).toEqual([is]);
    expect(withFilter([is], { ...is, value: 'bob' })).toHaveLength(2);
  });

  test('turned round twice are what they were; some cannot be turned round', () => {
    const round = negated(is);
    expect(round === undefined ? undefined : negated(round)).toEqual(is);
    expect(negated({ field: 'a', op: 'starts_with', value: 'b' })).toBeUndefined();
  });

  test('are switched off and on, and taken away', () => {
    expect(switched(switched(is))).toEqual(is);
    expect(switched(is)).toEqual({ ...is, off: true });
    expect(withoutFilter([is], 0)).toBeUndefined();
  });

  test('are said in words', () => {
    expect(filterText({ ...is, op: 'is_not', value: '' })).toBe('user is not (empty)');
    expect(filterText({ field: 'a', op: 'one_of', value: ['b', 'c'] })).toBe('a is one of b, c');
  });

  test('are said in the language of the page, also where a value is empty', () => {
    addTexts('en', { '(empty)': '(vazio)' });
    expect(filterText({ ...is, value: '' })).toBe('user is (vazio)');
  });
});
