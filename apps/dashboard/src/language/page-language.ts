import { addTexts, type Language } from './translate.ts';

/** Where the locale of the profile is kept for the next page load, which begins before anybody is known. */
const LOCALE_KEY = 'airdeck.locale';

type LocaleStorage = Pick<Storage, 'getItem' | 'setItem'>;

type Page = {
  storage: LocaleStorage;
  /** What the browser would like to read, best first. */
  languages: readonly string[];
  root: Pick<HTMLElement, 'lang'>;
};

// The pages before the sign-in do not wait for the texts of all screens.
const catalogues = {
  entry: () => import('./pt-BR/entry.ts'),
  screens: () => import('./pt-BR/screens.ts'),
};

type Catalogues = {
  readonly [Part in keyof typeof catalogues]: () => Promise<{ texts: Readonly<Record<string, string>> }>;
};

let screensLoaded: Promise<void> = Promise.resolve();

/**
 * Settles the language of this page: that of the profile last used here, otherwise the browser's. Done when the texts of
 * the pages before the sign-in are there; the others follow by themselves. What cannot be loaded is shown in English.
 */
export async function startLanguage({ storage, languages, root }: Page, load: Catalogues = catalogues): Promise<void> {
  const language = chosenLanguage(storage.getItem(LOCALE_KEY), languages);
  root.lang = language;
  if (language === 'en') return;
  const add = ({ texts }: { texts: Readonly<Record<string, string>> }) => addTexts(language, texts);
  screensLoaded = load.screens().then(add, () => undefined);
  await load.entry().then(add, () => undefined);
}

/** Done when the texts of everything behind the sign-in are there; screens are loaded after it. */
export function screenTexts(): Promise<void> {
  return screensLoaded;
}

/** The language a locale is read in: Canadian English has the words of the American, and dates of its own. */
export function languageOf(locale: string): Language {
  return locale === 'pt-BR' ? 'pt-BR' : 'en';
}

/** Keeps the locale for the next page load. False where the browser keeps nothing. */
export function keepLocale(storage: LocaleStorage, locale: string): boolean {
  if (storage.getItem(LOCALE_KEY) !== locale) storage.setItem(LOCALE_KEY, locale);
  return storage.getItem(LOCALE_KEY) === locale;
}

function chosenLanguage(kept: string | null, languages: readonly string[]): Language {
  if (kept !== null) return languageOf(kept);
  const first = languages.find((each) => /^(en|pt)\b/i.test(each));
  return first !== undefined && /^pt/i.test(first) ? 'pt-BR' : 'en';
}
