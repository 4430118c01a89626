import { describe, expect, test } from 'vitest';
import {
  defined,
  filterParam,
  filtersOf,
  flagParam,
  parseSearch,
  stringifySearch,
  textParam,
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

  test('a filter is read nested or flat, without repeats and unknown values', () => {
    const statuses = ['open', 'closed'] as const;
    expect(filterParam({ filters: { status: ['closed', 'nonsense', 'closed'] } }, 'status', statuses)).toEqual([
      'closed',
    ]);
    expect(filterParam({ 'filters.status': 'closed,open' }, 'status', statuses)).toEqual(['open', 'closed']);
    expect(filterParam({ filters: { status: ['nonsense'] } }, 'status', statuses)).toBeUndefined();
    expect(filterParam({ filters: { source: ['fw-1', '', 7] } }, 'source')).toEqual(['fw-1']);
    expect(filterParam({ filters: 'broken' }, 'source')).toBeUndefined();
  });

  test('without any filter the parameter disappears', () => {
    expect(filtersOf({ status: undefined })).toBeUndefined();
    expect(defined({ a: undefined, b: 0 })).toEqual({ b: 0 });
  });
});
