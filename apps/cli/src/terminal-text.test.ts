import { expect, it } from 'vitest';
import { terminalText } from './terminal-text.ts';

const hostile = '\u001b[2J\u009b2J\u009d0;title\u0007\rall is well\u0000\u0008\u007f\u2028\u202enol\u2066';

it('leaves a terminal nothing to obey', () => {
  expect(terminalText(hostile)).toBe(
    '\\u001b[2J\\u009b2J\\u009d0;title\\u0007\\u000dall is well\\u0000\\u0008\\u007f\\u2028\\u202enol\\u2066',
  );
});

it('leaves lines of JSON the same JSON', () => {
  const value = { message: hostile, [hostile]: '"\\u0041' };
  const line = terminalText(JSON.stringify(value));
  expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
  expect(JSON.parse(line)).toEqual(value);
});

it('leaves words, tables and other scripts as they are', () => {
  const text = 'a\tb\n  ça – 日本語 🔑 \\u0041';
  expect(terminalText(text)).toBe(text);
});
