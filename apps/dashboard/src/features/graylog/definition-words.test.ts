import { expect, test } from 'vitest';
import { readDefinitions } from '../../queries/graylog-answers.ts';
import { matchingDefinitions, scheduleWords } from './definition-words.ts';

test.each([
  [60_000, 300_000, 'every 1 min over 5 min'],
  [60_000, null, 'every 1 min'],
  [null, 3_600_000, 'over 1 h'],
  [null, null, null],
])('evaluated each %s ms over %s ms: %s', (execute_every_ms, search_within_ms, words) => {
  expect(scheduleWords({ execute_every_ms, search_within_ms }, 'en-US')).toBe(words);
});

const definitions = readDefinitions({
  events: [
    { id: 'b', title: 'Port scan', priority: 2, enabled: true, query: 'action:deny', notifications: [] },
    {
      id: 'a',
      title: 'Failed logons',
      priority: 1,
      enabled: false,
      notifications: [{ id: 'n', title: 'Mail to the team' }],
    },
    { id: 'c', title: 'Old one', priority: 3, enabled: null },
  ],
});
const found = (search: Parameters<typeof matchingDefinitions>[1]) =>
  matchingDefinitions(definitions, search).map(({ id }) => id);

test('they stand by title, and every word is looked for in what a definition says and who it tells', () => {
  expect(found({})).toEqual(['a', 'c', 'b']);
  expect(found({ q: 'SCAN deny' })).toEqual(['b']);
  expect(found({ q: 'mail' })).toEqual(['a']);
});

test('filters take what they name; a state nobody knows is neither of both', () => {
  expect(found({ filters: { state: ['disabled'] } })).toEqual(['a']);
  expect(found({ filters: { state: ['enabled', 'disabled'] } })).toEqual(['a', 'b']);
  expect(found({ filters: { priority: ['2', '3'] } })).toEqual(['c', 'b']);
});
