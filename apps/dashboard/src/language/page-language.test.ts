import { afterEach, expect, test, vi } from 'vitest';
import { memoryStorage } from '../session/fixtures.ts';

afterEach(() => vi.resetModules());

type Given = { kept?: string; languages?: readonly string[]; broken?: boolean };

async function start({ kept, languages = ['en-US'], broken = false }: Given) {
  const { startLanguage, screenTexts, keepLocale } = await import('./page-language.ts');
  const { t, pageLanguage } = await import('./translate.ts');
  const storage = memoryStorage();
  if (kept !== undefined) keepLocale(storage, kept);
  const root = { lang: '' };
  const asked: string[] = [];
  const catalogue = (name: string, texts: Record<string, string>) => async () => {
    asked.push(name);
    if (broken) throw new TypeError('Failed to fetch');
    return { texts };
  };
  await startLanguage(
    { storage, languages, root },
    { entry: catalogue('entry', { Code: 'Código' }), screens: catalogue('screens', { Cases: 'Casos' }) },
  );
  await screenTexts();
  return { root, asked, language: pageLanguage(), shown: [t('Code'), t('Cases')] };
}

test.each([
  [{ kept: 'pt-BR' }, 'pt-BR'],
  [{ kept: 'en-CA', languages: ['pt-BR'] }, 'en'],
  [{ kept: 'en-US', languages: ['pt-BR'] }, 'en'],
  [{ languages: ['pt-BR', 'en'] }, 'pt-BR'],
  [{ languages: ['pt-PT'] }, 'pt-BR'],
  [{ languages: ['fr-FR', 'pt-BR', 'en'] }, 'pt-BR'],
  [{ languages: ['fr-FR', 'en', 'pt-BR'] }, 'en'],
  [{ languages: ['fr-FR'] }, 'en'],
] satisfies [Given, string][])('of %o the page is read in %s', async (given, language) => {
  const page = await start(given);
  expect([page.root.lang, page.language]).toEqual([language, language]);
});

test('a page in English loads no catalogue', async () => {
  expect((await start({})).asked).toEqual([]);
});

test('a page in Portuguese has the texts of the entry first and of the screens after', async () => {
  const { asked, shown } = await start({ kept: 'pt-BR' });
  expect(asked.toSorted()).toEqual(['entry', 'screens']);
  expect(shown).toEqual(['Código', 'Casos']);
});

test('what cannot be loaded is shown in English', async () => {
  expect(await start({ kept: 'pt-BR', broken: true })).toMatchObject({ shown: ['Code', 'Cases'] });
});

test('a browser that keeps nothing says so', async () => {
  const { keepLocale } = await import('./page-language.ts');
  expect(keepLocale({ getItem: () => null, setItem: () => undefined }, 'pt-BR')).toBe(false);
});
