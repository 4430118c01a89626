import type { EventSource } from '@airdeck/contracts/sources/schema';
import { formatDuration } from '@airdeck/domain/duration';

type Clock = NonNullable<EventSource['clock_24h']>;

/** "Clock 2 h ahead", or that times are none, where no difference is known. */
export function clockWords({ offset_ms: offset }: Clock, locale: string): string {
  if (offset === null) return 'Times nobody can believe';
  return `Clock ${formatDuration(Math.abs(offset) / 1000, locale)} ${offset > 0 ? 'ahead' : 'behind'}`;
}

/** How many events say so, in one sentence. */
export function clockCounts({ ahead, behind, unbelievable }: Clock): string {
  const parts = [
    ahead === 0 ? undefined : `${countOf(ahead)} more than 5 minutes ahead of when they came`,
    behind === 0 ? undefined : `${countOf(behind)} more than a day behind`,
    unbelievable === 0
      ? undefined
      : `${countOf(unbelievable)} with a time so far off that the time of receipt took its place`,
  ].filter((part) => part !== undefined);
  return `In 24 h: ${parts.join(', ')}.`;
}

function countOf(events: number): string {
  return `${events.toLocaleString('en-US')} ${events === 1 ? 'event' : 'events'}`;
}
