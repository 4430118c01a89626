import { expect, test } from 'vitest';
import { piecesOf } from './linked-text.tsx';

const here = 'https://air.example';
const links = (text: string) => piecesOf(text, here).flatMap(({ path }) => (path === undefined ? [] : [path]));

test('addresses of this dashboard become links, with the stop of the sentence left out', () => {
  expect(links('Open https://air.example/signup/invite?__clerk_ticket=a.b-c. Good luck!')).toEqual([
    '/signup/invite?__clerk_ticket=a.b-c',
  ]);
});

test.each([
  'https://evil.example/x',
  'https://air.example.evil.example/x',
  'https://air.example@evil.example/x',
  'https://user@air.example/x',
  'http://air.example/x',
  'javascript:alert(1)',
])('%s stays text', (text) => {
  expect(links(`See ${text} now`)).toEqual([]);
});

test('nothing of the text is lost', () => {
  const text = 'a https://air.example/b c https://evil.example/d\nhttps://air.example/e';
  expect(
    piecesOf(text, here)
      .map(({ piece }) => piece)
      .join(''),
  ).toBe(text);
});
