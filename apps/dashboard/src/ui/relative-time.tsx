import { displayTime } from '@airdeck/domain/display-time';
import { relativeTime } from './relative-time-text.ts';
import { Tip } from './tip.tsx';
import { useNow } from './use-now.ts';

type Props = { time: string; className?: string };

/** Relative up to a day, then as the specification's format; the exact time with its zone on hover and focus. */
export function RelativeTime({ time, className }: Props) {
  const now = useNow();
  const at = new Date(time);
  return (
    <Tip label={exactTime(at)}>
      <time dateTime={time} className={className} style={{ whiteSpace: 'nowrap' }}>
        {relativeTime(at, now) ?? displayTime(at, { now })}
      </time>
    </Tip>
  );
}

const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long' });

function exactTime(at: Date): string {
  return exact.format(at);
}
