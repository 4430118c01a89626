import { type Locale, locales } from '@airdeck/domain/display-time';

const FIRST = 20;

/** The locale a new account begins with: the first language of `Accept-Language` that we have, otherwise American English. */
export function browserLocale(header: string | undefined): Locale {
  const wanted = (header ?? '').split(',', FIRST).map((entry) => entry.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  for (const language of wanted) {
    const exact = locales.find((locale) => locale.toLowerCase() === language);
    const near = locales.find((locale) => locale.slice(0, 2) === language.split('-', 1)[0]);
    if (exact !== undefined || near !== undefined) return exact ?? near ?? 'en-US';
  }
  return 'en-US';
}
