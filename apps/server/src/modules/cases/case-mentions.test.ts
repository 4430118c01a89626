import { expect, test } from 'vitest';
import { mentionedIn } from './case-mentions.ts';

test.each<[string, string[]]>([
  ['@ada.lovelace@example.com please look', ['ada.lovelace@example.com']],
  ['Ask @ada@example.com, @Grace@Example.com.', ['ada@example.com', 'grace@example.com']],
  ['(@ada@example.com)', ['ada@example.com']],
  ["@o'brien@example.com knows", ["o'brien@example.com"]],
  ['@ada@example.com and again @ada@example.com', ['ada@example.com']],
  ['mail ada@example.com', []],
  ['@ada', []],
  ['a@@ada@example.com', []],
])('%s names %j', (comment, usernames) => {
  expect(mentionedIn(comment)).toEqual(usernames);
});

test('a comment that names everybody it can think of names twenty', () => {
  const comment = Array.from({ length: 100 }, (_, index) => `@user${index}@example.com`).join(' ');
  expect(mentionedIn(comment)).toHaveLength(20);
});

test('a comment made to be slow is not', () => {
  expect(mentionedIn(`@${'a'.repeat(10_000)}`)).toEqual([]);
});
