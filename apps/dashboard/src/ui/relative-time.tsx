import { displayTime } from '@airdeck/domain/display-time';
import { dateFormat, type Reader, useReader, zoneOf } from './reader.ts';
import { relativeTime } from './relative-time-text.ts';
import { Tip } from './tip.tsx';
import { useNow } from './use-now.ts';

type Props = { time: string; className?: string };

/** Relative up to a day, then as the specification's format; the exact time with its zone on hover and focus. */
export function RelativeTime({ time, className }: Props) {
  const now = useNow();
  const reader = useReader();
  const at = new Date(time);
  return (
    <Tip label={exactTime(at, reader)}>
      <time dateTime={time} className={className} style={{ whiteSpace: 'nowrap' }}>
        {relativeTime(at, now) ?? displayTime(at, { now, locale: reader.locale, ...zoneOf(reader) })}
      </time>
    </Tip>
  );
}

function exactTime(at: Date, reader: Reader): string {
  return dateFormat(reader, { dateStyle: 'medium', timeStyle: 'long' }).format(at);
}
