// @vitest-environment node
import { filterOperators } from '@airdeck/contracts/search/schema';
import { describe, expect, test } from 'vitest';
import {
  filterText,
  negated,
  switched,
  withFilter,
  withoutFilter,
} from '../../components/event-criteria/filter-list.ts';
import { filterOps, type UrlFilter } from '../../components/event-criteria/url-filter.ts';
import { parseSearch, stringifySearch } from '../../lib/search-params.ts';
import { eventSearch } from './event-search.ts';

const from = (address: string) => eventSearch(parseSearch(address));

test('the operators of addresses are those of the API', () => {
  expect([...filterOps].toSorted()).toEqual([...filterOperators].toSorted());
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
});
