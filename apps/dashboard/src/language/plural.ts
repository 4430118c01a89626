import { type Language, type Placeholders, pageLanguage, t } from './translate.ts';

type Others<Text extends string> = Exclude<Placeholders<Text>, 'count'>;

type Values<Text extends string> = [Others<Text>] extends [never]
  ? []
  : [values: Readonly<Record<Others<Text>, string | number>>];

type Counting = { readonly rules: Intl.PluralRules; readonly numbers: Intl.NumberFormat };
// Made once: each costs more than the text, and a screen counts dozens of times.
const counting = new Map<Language, Counting>();

function countingIn(language: Language): Counting {
  const known = counting.get(language);
  if (known !== undefined) return known;
  const made = { rules: new Intl.PluralRules(language), numbers: new Intl.NumberFormat(language) };
  counting.set(language, made);
  return made;
}

/**
 * One of two texts, by how many there are: `plural(n, '{count} case', '{count} cases')`. Which numbers take the first is
 * the language's business; none take the second everywhere.
 */
export function plural<const One extends string, const Other extends string>(
  count: number,
  one: One,
  other: Other,
  ...[values]: Values<One | Other>
): string {
  const { rules, numbers } = countingIn(pageLanguage());
  const isOne = count !== 0 && rules.select(count) === 'one';
  // The types of the two texts were checked above; here they are any text.
  const fill: (text: string, values: Readonly<Record<string, string | number>>) => string = t;
  return fill(isOne ? one : other, { ...values, count: numbers.format(count) });
}
