import { expect, it } from 'vitest';
import { browserLocale } from './browser-locale.ts';

it.each([
  [undefined, 'en-US'],
  ['', 'en-US'],
  ['*', 'en-US'],
  ['pt-BR,pt;q=0.9,en-US;q=0.8', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['en-CA, en;q=0.5', 'en-CA'],
  ['EN-gb', 'en-US'],
  ['de-DE,de;q=0.9,pt;q=0.8,en;q=0.7', 'pt-BR'],
  ['\u0000;;;,,,', 'en-US'],
])('who sends %j begins in %s', (header, locale) => {
  expect(browserLocale(header)).toBe(locale);
});
