import { describe, expect, it } from 'vitest';
import { callOfLink, collectPages, nextLinkOf, nextOffset } from './paging.ts';
import { failureOf } from './vendor-server-fixture.ts';

/** Pages 0, 1, 2 … of three items each; `last` is the last one. */
const source = (last: number) => async (page: number) => ({
  items: [page * 3, page * 3 + 1, page * 3 + 2],
  next: page < last ? page + 1 : undefined,
});

describe('walking through pages', () => {
  it('gathers all of them in order', async () => {
    const all = await collectPages({ vendor: 'Example', first: 0, fetch: source(2) });
    expect(all).toEqual({ items: [0, 1, 2, 3, 4, 5, 6, 7, 8], next: undefined, isCut: false });
  });

  it.each([
    [{ maxPages: 2 }, { items: [0, 1, 2, 3, 4, 5], next: 2, isCut: true }],
    [{ maxItems: 4 }, { items: [0, 1, 2, 3], next: 2, isCut: true }],
    [{ maxItems: 3 }, { items: [0, 1, 2], next: 1, isCut: true }],
  ])('stops at the bound %j and says that there is more', async (bounds, expected) => {
    expect(await collectPages({ vendor: 'Example', first: 0, fetch: source(9), ...bounds })).toEqual(expected);
  });

  it('says that a last page was cut', async () => {
    const cut = await collectPages({ vendor: 'Example', first: 0, fetch: source(0), maxItems: 2 });
    expect(cut).toEqual({ items: [0, 1], next: undefined, isCut: true });
  });

  it.each([[[1, 0]], [[1, 2, 1]], [[0]]])('notices the circle %j instead of walking it', async (order) => {
    let step = 0;
    const fetch = async () => ({ items: ['x'], next: { cursor: order[Math.min(step++, order.length - 1)] ?? 0 } });
    const work = collectPages({ vendor: 'Example', first: { cursor: 0 }, fetch });
    expect(await failureOf(work)).toMatchObject({ code: 'VENDOR_ANSWER_UNREADABLE' });
  });

  it.each([
    [{ offset: 0, limit: 10, count: 10, total: 25 }, 10],
    [{ offset: 20, limit: 10, count: 5, total: 25 }, undefined],
    [{ offset: 0, limit: 10, count: 10 }, 10],
    [{ offset: 0, limit: 10, count: 9 }, undefined],
    [{ offset: 10, limit: 10, count: 0, total: 25 }, undefined],
  ])('goes from %j to offset %s', (page, next) => {
    expect(nextOffset(page)).toBe(next);
  });
});

describe('the link to the next page', () => {
  it.each([
    ['<https://a.example/x?after=1,2;3>; rel="next"', 'https://a.example/x?after=1,2;3'],
    ['<https://a.example/self>; rel="self", <https://a.example/n>; rel="next"', 'https://a.example/n'],
    ['<https://a.example/n>; title="x"; rel=next', 'https://a.example/n'],
    ['<https://a.example/n>; rel="prev next"', 'https://a.example/n'],
    ['<https://a.example/n>; rel="nextish"', undefined],
    ['<https://a.example/n', undefined],
    ['', undefined],
  ])('in %j is %s', (link, target) => {
    expect(nextLinkOf({ link })).toBe(target);
  });

  const base = 'https://api.example/v1';

  it.each([
    ['https://api.example/v1/logs?after=a%2Bb+c', { path: '/logs', rawQuery: 'after=a%2Bb+c' }],
    ['/v1/logs', { path: '/logs' }],
    ['https://API.example:443/v1/logs?$skiptoken=x', { path: '/logs', rawQuery: '$skiptoken=x' }],
  ])('%s is followed as %j', (target, call) => {
    expect(callOfLink({ vendor: 'Example', base, target })).toEqual(call);
  });

  it.each([
    'https://evil.example/v1/logs',
    'https://api.example.evil.example/v1/logs',
    'http://api.example/v1/logs',
    'https://api.example:8443/v1/logs',
    'https://user@api.example/v1/logs',
    '//evil.example/v1/logs',
    'https://api.example/v2/logs',
    'https://api.example/v1/../admin',
    'https://api.example/v1',
    'javascript:1',
    'https://[',
  ])('%s is not followed: the credentials would go along', (target) => {
    expect(() => callOfLink({ vendor: 'Example', base, target })).toThrow(
      expect.objectContaining({ code: 'VENDOR_ANSWER_UNREADABLE' }),
    );
  });
});
