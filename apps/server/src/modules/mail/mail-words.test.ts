import { outcomeTexts } from '@airdeck/contracts/outcome-texts';
import { describe, expect, it } from 'vitest';
import { unknownReader, wordLocales, wordsFor } from './mail-words.ts';
import { portuguese } from './portuguese.ts';

const placesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

/** Of names and of places alone there is nothing to translate. */
const sameInBoth = new Set(['{name},', 'Tenant: {tenant}']);

describe('what mails and notices say in Portuguese', () => {
  it('fills in what the English sentence fills in, or a name would be lost or an empty place shown', () => {
    const different = Object.entries(portuguese).filter(([text, said]) => `${placesOf(text)}` !== `${placesOf(said)}`);
    expect(different).toEqual([]);
  });

  it('is a translation everywhere, not English left where it was', () => {
    const same = Object.entries(portuguese).filter(([text, said]) => said.trim() === '' || said === text);
    expect(same.map(([text]) => text).filter((text) => !sameInBoth.has(text))).toEqual([]);
  });

  it('has every reason for which there is no report', () => {
    const reasons = Object.entries(outcomeTexts).filter(([name]) => /REPORT_/.test(name));
    expect(reasons.map(([, text]) => text).filter((text) => !(text in portuguese))).toEqual([]);
    expect(reasons.length).toBeGreaterThan(5);
  });

  it('is said to whoever reads it, and English to everybody else', () => {
    const saidTo = (locale: string) =>
      wordsFor({ locale, timeZone: '' }).say('{by} assigned this case to you.', { by: 'Ana {by}' });
    expect(saidTo('pt-BR')).toBe('Ana {by} atribuiu este caso a você.');
    expect(saidTo('en-US')).toBe('Ana {by} assigned this case to you.');
    expect(saidTo('en-CA')).toBe(saidTo('en-US'));
    expect(wordsFor({ locale: 'pt-BR', timeZone: '' }).told('Making it was never finished.')).toBe(
      'Ele nunca chegou a ser terminado.',
    );
    expect(wordsFor({ locale: 'pt-BR', timeZone: '' }).told('toString')).toBe('toString');
    expect(wordsFor(unknownReader).told('Making it was never finished.')).toBe('Making it was never finished.');
    expect(wordLocales).toEqual(['en-US', 'pt-BR']);
  });
});

it('a time is that of the reader’s zone, which it names', () => {
  const time = new Date('2026-11-23T02:05:00Z');
  const read = (locale: string, timeZone: string) => wordsFor({ locale, timeZone }).minute(time);
  expect(read('pt-BR', 'America/Sao_Paulo')).toBe('nov 22, 2026 11:05 PM America/Sao_Paulo');
  expect(read('en-US', 'America/Toronto')).toBe('Nov 22, 2026 9:05 PM America/Toronto');
  expect(wordsFor(unknownReader).minute(time)).toBe('Nov 23, 2026 2:05 AM UTC');
  // Of a newer machine: a mail that cannot be written would keep all others waiting.
  expect(read('en-US', 'Mars/Olympus')).toBe('Nov 23, 2026 2:05 AM UTC');
});
