import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { texts as entryTexts } from '../language/pt-BR/entry.ts';
import { texts as screenTexts } from '../language/pt-BR/screens.ts';
import { areaOf, notTexts } from './areas.ts';
import { checkedFiles, partsOf, wantedTexts, writtenTexts } from './catalogues.ts';
import { earlyFiles } from './early-files.ts';
import { reasonTexts } from './reason-texts.ts';
import { filledRefusals } from './server-texts.ts';

const files = checkedFiles();
const wanted = wantedTexts(files);
const written = writtenTexts();

describe('the sources', () => {
  test('show no text past the catalogue', () => {
    const bare = files
      .filter(({ showsTexts }) => showsTexts)
      .flatMap(({ path, bare: found }) => found.map(({ line, text }) => `${path}:${line} ${text}`));
    expect(bare).toEqual([]);
  });

  test('write every text out where it is translated', () => {
    expect(files.flatMap(({ path, notLiteral }) => notLiteral.map(({ line }) => `${path}:${line}`))).toEqual([]);
  });

  test('count one thing with other words than several, unless they are no things: "1 refused", "2 refused"', () => {
    const plain = (text: string) => text.split('##', 1)[0] ?? text;
    const same = files.flatMap(({ path, used }) => {
      const counted = used.filter(({ by }) => by === 'plural').map(({ text }) => plain(text));
      // A call has its two texts one after the other.
      return counted.filter((text, at) => at % 2 === 0 && text === counted[at + 1]).map((text) => `${path}: ${text}`);
    });
    expect(same.filter((found) => /: .*s\b/.test(found))).toEqual([]);
  });

  test('name an area for every file that translates', () => {
    const without = files.filter(({ path, used }) => used.length > 0 && areaOf(path) === undefined);
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  test('have every file that is left out', () => {
    const gone = notTexts.filter((start) => !files.some(({ path }) => path.startsWith(start)));
    expect(gone).toEqual([]);
  });

  test('translate nothing before the language of the page is settled', () => {
    const early = earlyFiles(new Map(files.map(({ path, source }) => [path, source])));
    const found = files
      .filter(({ path }) => early.has(path) || /^(lib|session)\/|-search\.ts$/.test(path))
      .flatMap(({ path, used }) => used.filter(({ atLoad }) => atLoad).map(({ text }) => ({ path, text })));
    expect(found.map(({ path, text }) => `${early.get(path)?.join(' > ') ?? path}: ${text}`)).toEqual([]);
  });
});

test('a refusal that fills something in names its reason, or it would be English on every screen', () => {
  // The sign-in provider's are shown by their codes.
  const shown = filledRefusals().filter((found) => !found.startsWith('modules/identity/'));
  expect(shown).toEqual([]);
});

describe('Brazilian Portuguese', () => {
  // What is missing or too much is put in order by `npm run texts`; translating is left to do.
  test.each([...wanted.keys()])('has every text of %s and no other', (name) => {
    expect(Object.keys(written.get(name) ?? {})).toEqual([...(wanted.get(name) ?? [])].sort());
  });

  test('has no catalogue nothing asks for', () => {
    expect([...written.keys()].filter((name) => !wanted.has(name))).toEqual([]);
  });

  test('has a translation for each', () => {
    const empty = [...written].flatMap(([name, texts]) =>
      Object.entries(texts).flatMap(([text, translation]) => (translation.trim() === '' ? [`${name}: ${text}`] : [])),
    );
    expect(empty).toEqual([]);
  });

  test('fills in what the English text fills in, and keeps its elements', () => {
    const different = [...written.values()].flatMap((texts) =>
      Object.entries(texts).filter(
        ([text, translation]) => `${partsOf(reasonTexts[text] ?? text)}` !== `${partsOf(translation)}`,
      ),
    );
    expect(different).toEqual([]);
  });

  test('keeps the space at the ends of parts of sentences', () => {
    const ends = (text: string) => [/^\s/.test(text), /\s$/.test(text.split('##', 1)[0] ?? '')];
    const different = [...written.values()].flatMap((texts) =>
      Object.entries(texts).filter(([text, translation]) => `${ends(text)}` !== `${ends(translation)}`),
    );
    expect(different).toEqual([]);
  });

  test('is loaded whole', () => {
    expect(Object.keys({ ...entryTexts, ...screenTexts }).sort()).toEqual(
      [...written.values()].flatMap((texts) => Object.keys(texts)).sort(),
    );
    expect(readdirSync(new URL('../language/pt-BR/', import.meta.url)).length).toBe(written.size + 2);
  });
});
