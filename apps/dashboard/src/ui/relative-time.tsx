import { displayTime } from '@airdeck/domain/display-time';
import { Tooltip } from '@mantine/core';
import { relativeTime } from './relative-time-text.ts';
import { useNow } from './use-now.ts';

type Props = { time: string; className?: string };

/** Relative up to a day, then as the specification's format; the exact time with its zone on hover and focus. */
export function RelativeTime({ time, className }: Props) {
  const now = useNow();
  const at = new Date(time);
  return (
    <Tooltip label={exactTime(at)}>
      <time dateTime={time} className={className} style={{ whiteSpace: 'nowrap' }}>
        {relativeTime(at, now) ?? displayTime(at, { now })}
      </time>
    </Tooltip>
  );
}

const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long' });

function exactTime(at: Date): string {
  return exact.format(at);
}
