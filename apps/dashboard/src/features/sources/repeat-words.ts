import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';

/** For the list, beside the name. */
export function repeatedWords(count: number): string {
  return t('{count} repeated', { count });
}

/** What became of them, in one sentence. */
export function repeatedSentence(count: number): string {
  return plural(
    count,
    '{count} delivery in 24 h equalled one of the ten minutes before and was not stored again.',
    '{count} deliveries in 24 h equalled one of the ten minutes before and were not stored again.',
  );
}
