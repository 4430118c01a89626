import { limits } from '@airdeck/contracts/limits';
import { describe, expect, test } from 'vitest';
import {
  defined,
  filterParam,
  filtersOf,
  flagParam,
  pageParam,
  parseSearch,
  stringifySearch,
  textParam,
  timeParam,
  wholeNumberParam,
} from './search-params.ts';

describe('search parameters in the address', () => {
  test.each([
    ['?code=123456', { code: '123456' }],
    ['?code=1e5', { code: '1e5' }],
    ['?token=12345678901234567890', { token: '12345678901234567890' }],
    ['?q=null', { q: 'null' }],
    ['?oauth_callback=true', { oauth_callback: true }],
    ['?filters=%7B%22status%22%3A%5B%22open%22%5D%7D', { filters: { status: ['open'] } }],
    ['?q=%7Bnot+json', { q: '{not json' }],
    ['?q=x&filters.status=open,closed&filters.type=a', { q: 'x', filters: { status: 'open,closed', type: 'a' } }],
    ['?filters.status=open&filters=%7B%22status%22%3A%5B%22closed%22%5D%7D', { filters: { status: ['closed'] } }],
    ['?filters.status=open&filters=%5B%22of+the+search%22%5D', { filters: ['of the search'] }],
  ])('%s keeps its meaning', (address, search) => {
    expect(parseSearch(address)).toEqual(search);
  });

  test.each([
    { q: 'plain words' },
    { q: '123456' },
    { q: 'true' },
    { q: '"quoted"' },
    { q: '[1]' },
    { q: '{broken' },
    { flag: true, filters: { status: ['open', 'closed'] } },
  ])('%j comes back as it was written', (search) => {
    expect(parseSearch(stringifySearch(search))).toEqual(search);
  });

  test('plain text is written without quotes', () => {
    expect(stringifySearch({ q: '203.0.113.7' })).toBe('?q=203.0.113.7');
  });
});

describe('reading one parameter', () => {
  test('a text is bounded, and empty is absent', () => {
    expect(textParam({ q: 'x'.repeat(900) }, 'q')).toHaveLength(500);
    expect(textParam({ q: '' }, 'q')).toBeUndefined();
    expect(textParam({ q: { a: 1 } }, 'q')).toBeUndefined();
  });

  test('flags and whole numbers take nothing else', () => {
    expect([true, 'true', 'yes', 1].map((value) => flagParam({ f: value }, 'f'))).toEqual([
      true,
      true,
      undefined,
      undefined,
    ]);
    expect(['3', 3, '-1', '1e3', 1.5].map((value) => wholeNumberParam({ n: value }, 'n'))).toEqual([
      3,
      3,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('a page beyond what the routes take is the last they take, which says itself that it is empty', () => {
    const pages = ['2', '1000000', '1000001', '999999999', 999_999_999, '0', 'x', undefined];
    expect(pages.map((page) => pageParam({ page }))).toEqual([
      ...[2, limits.pageMax, limits.pageMax, limits.pageMax, limits.pageMax],
      ...[undefined, undefined, undefined],
    ]);
  });

  test('a time of a year the routes do not take is none', () => {
    const times = [
      '9999-12-31T23:59:59Z',
      '9999-12-31T23:59:59-12:00',
      '+010000-01-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
    ];
    expect(times.map((start) => timeParam({ start }, 'start'))).toEqual([
      '9999-12-31T23:59:59.000Z',
      ...[undefined, undefined, undefined],
    ]);
  });

  test('a filter is read as a list or as a text, without repeats and unknown values', () => {
    const statuses = ['open', 'closed'] as const;
    expect(filterParam({ filters: { status: ['closed', 'nonsense', 'closed'] } }, 'status', statuses)).toEqual([
      'closed',
    ]);
    expect(filterParam({ filters: { status: 'closed,open' } }, 'status', statuses)).toEqual(['open', 'closed']);
    expect(filterParam({ filters: { status: ['nonsense'] } }, 'status', statuses)).toBeUndefined();
    expect(filterParam({ filters: { source: ['fw-1', '', 7] } }, 'source')).toEqual(['fw-1']);
    expect(filterParam({ filters: 'broken' }, 'source')).toBeUndefined();
  });

  test('without any filter the parameter disappears', () => {
    expect(filtersOf({ status: undefined })).toBeUndefined();
    expect(defined({ a: undefined, b: 0 })).toEqual({ b: 0 });
  });
});
