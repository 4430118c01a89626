import { expect, test } from 'vitest';
import { avatarInitialsOf, initialsOf } from './initials.ts';

test.each([
  ['ada.lovelace@example.com', 'AL'],
  ['ada@example.com', 'A'],
  ['ada.b.lovelace@example.com', 'ABL'],
  ['a.b.c.d@example.com', 'ABCD'],
  ['maria.da.silva.e.souza@example.com', 'MDSES'],
  ['2fa.lovelace@example.com', 'FL'],
  ['ada.2024.(lovelace)@example.com', 'AL'],
  ['7@example.com', ''],
  ['𐐨da.lovelace@example.com', '𐐀L'],
  ['.ada..lovelace.@example.com', 'AL'],
  ['élodie.çelik@example.com', 'ÉÇ'],
  ['no-at-sign', 'N'],
  ['@example.com', ''],
  ['', ''],
])('%s gives %s', (username, initials) => {
  expect(initialsOf(username)).toBe(initials);
});

test.each([
  ['ada.b.lovelace@example.com', 'ABL'],
  ['maria.da.silva.e.souza@example.com', 'MS'],
  ['𐐨da.b.c.lovelace@example.com', '𐐀L'],
  ['', ''],
])('in an avatar, which has room for three, %s is %s', (username, initials) => {
  expect(avatarInitialsOf(username)).toBe(initials);
});
