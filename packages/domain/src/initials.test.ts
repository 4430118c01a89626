import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test.each([
  ['ada.lovelace@example.com', 'AL'],
  ['ada@example.com', 'A'],
  ['ada.b.lovelace@example.com', 'ABL'],
  ['a.b.c.d@example.com', 'ABC'],
  ['.ada..lovelace.@example.com', 'AL'],
  ['élodie.çelik@example.com', 'ÉÇ'],
  ['no-at-sign', 'N'],
  ['@example.com', ''],
  ['', ''],
])('%s gives %s', (username, initials) => {
  expect(initialsOf(username)).toBe(initials);
});
