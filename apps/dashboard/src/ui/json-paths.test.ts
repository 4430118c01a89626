import { expect, test } from 'vitest';
import { childPath, hasLeaves, matchingPaths } from './json-paths.ts';

const event = { host: { name: 'web-1' }, tags: ['ssh', 'web'], 'odd key': null };

test('a search finds keys and values and keeps the way to them', () => {
  expect(matchingPaths(event, 'WEB')).toEqual({
    paths: new Set(['$', '$.host', '$.host.name', '$.tags', '$.tags[1]']),
    matches: 2,
  });
  expect(matchingPaths(event, 'null').paths).toContain('$["odd key"]');
  expect(matchingPaths(event, 'absent')).toEqual({ paths: new Set(), matches: 0 });
});

test('paths are those people paste', () => {
  expect([childPath('$', 'a_b'), childPath('$.a', 0), childPath('$', 'a.b')]).toEqual(['$.a_b', '$.a[0]', '$["a.b"]']);
});

test('values are counted at every depth, not what holds them', () => {
  expect(hasLeaves(event, 4)).toBe(true);
  expect(hasLeaves(event, 5)).toBe(false);
  expect(hasLeaves({ empty: [{}] }, 1)).toBe(false);
});
