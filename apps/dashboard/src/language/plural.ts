import { type Placeholders, pageLanguage, t } from './translate.ts';

type Others<Text extends string> = Exclude<Placeholders<Text>, 'count'>;

type Values<Text extends string> = [Others<Text>] extends [never]
  ? []
  : [values: Readonly<Record<Others<Text>, string | number>>];

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
  const language = pageLanguage();
  const isOne = count !== 0 && new Intl.PluralRules(language).select(count) === 'one';
  // The types of the two texts were checked above; here they are any text.
  const fill: (text: string, values: Readonly<Record<string, string | number>>) => string = t;
  return fill(isOne ? one : other, { ...values, count: new Intl.NumberFormat(language).format(count) });
}
