import type { EventSource } from '@airdeck/contracts/sources/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';

type Clock = NonNullable<EventSource['clock_24h']>;

/** "Clock 2 h ahead", or that times are none, where no difference is known. */
export function clockWords({ offset_ms: offset }: Clock, locale: string): string {
  if (offset === null) return t('Times nobody can believe');
  const time = formatDuration(Math.abs(offset) / 1000, locale);
  return offset > 0 ? t('Clock {time} ahead', { time }) : t('Clock {time} behind', { time });
}

/** How many events say so, in one sentence. */
export function clockCounts({ ahead, behind, unbelievable }: Clock): string {
  const parts = [
    ahead === 0
      ? undefined
      : plural(
          ahead,
          '{count} event more than 5 minutes ahead of when they came',
          '{count} events more than 5 minutes ahead of when they came',
        ),
    behind === 0
      ? undefined
      : plural(behind, '{count} event more than a day behind', '{count} events more than a day behind'),
    unbelievable === 0
      ? undefined
      : plural(
          unbelievable,
          '{count} event with a time so far off that the time of receipt took its place',
          '{count} events with a time so far off that the time of receipt took its place',
        ),
  ].filter((part) => part !== undefined);
  return t('In 24 h: {parts}.', { parts: parts.join(', ') });
}
