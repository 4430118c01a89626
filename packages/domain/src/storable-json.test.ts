import { expect, test } from 'vitest';
import { storableJson, storableText } from './storable-json.ts';

test('NUL and half surrogates become the replacement character, in values and names', () => {
  const stored = storableJson({ 'a\0b': 'x\0', lone: '\ud83d', low: '\udc00y' });
  expect(JSON.parse(stored)).toEqual({ 'a\ufffdb': 'x\ufffd', lone: '\ufffd', low: '\ufffdy' });
});

test('everything else is kept, also text that only looks like an escape', () => {
  const value = { text: '\\u0000 \\\\u0000 \\\\\\ud800', emoji: '😀', path: 'C:\\u0000\\', n: 1.5, list: [null, true] };
  expect(JSON.parse(storableJson(value))).toEqual(value);
  expect(JSON.parse(storableJson(['\\\0', '\\\\\0']))).toEqual(['\\\ufffd', '\\\\\ufffd']);
});

test('plain text loses its NULs only', () => {
  expect(storableText('a\0b\n')).toBe('a\ufffdb\n');
});
