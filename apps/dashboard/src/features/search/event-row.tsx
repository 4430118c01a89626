import type { FoundEvent } from '@airdeck/contracts/search/schema';
import { caseSeverities } from '@airdeck/contracts/statuses';
import { IconPin } from '@tabler/icons-react';
import { memo } from 'react';
import { SeverityBadge } from '../../components/status-badge.tsx';
import { t } from '../../language/translate.ts';
import { dateFormat, type Reader, useReader } from '../../ui/reader.ts';
import { valuesOfEvent } from './event-values.ts';
import classes from './result-list.module.css';

type Props = {
  event: FoundEvent;
  columns: readonly string[];
  /** Tracks of the grid; undefined on phones, where the parts stand under each other. */
  grid: string | undefined;
  index: number;
  /** Pixels. */
  top: number;
  height: number;
  isOpen: boolean;
  isFresh: boolean;
  isPinned: boolean;
  inTabOrder: boolean;
  onOpen: (id: string) => void;
  onUse: (id: string) => void;
  onPin: (event: FoundEvent) => void;
};

export const EventRow = memo(function EventRow(props: Props) {
  const { event, columns, grid, index, top, height, isOpen, isFresh, isPinned, inTabOrder, onOpen, onUse, onPin } =
    props;
  const reader = useReader();
  return (
    <tr
      className={classes.row}
      data-row
      data-open={isOpen || undefined}
      data-fresh={isFresh || undefined}
      data-phone={grid === undefined || undefined}
      aria-rowindex={index + 2}
      tabIndex={inTabOrder ? 0 : -1}
      style={{ transform: `translateY(${top}px)`, height, gridTemplateColumns: grid }}
      onFocus={() => onUse(event.id)}
      onClick={() => {
        // Marking text is no click.
        if ((window.getSelection()?.toString() ?? '') === '') onOpen(event.id);
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter' || key === 'o') onOpen(event.id);
        if (key === 'x') onPin(event);
      }}
    >
      <td className={classes.time}>
        {isPinned ? <IconPin size={14} className={classes.pin} role="img" aria-label={t('Pinned')} /> : null}
        <time dateTime={event.time} title={exactTime(event.time, reader)}>
          {eventTime(event.time, reader)}
        </time>
      </td>
      {columns.map((name) => (
        <Cell key={name} event={event} name={name} />
      ))}
    </tr>
  );
});

function Cell({ event, name }: { event: FoundEvent; name: string }) {
  if (name === 'severity') {
    const severity = caseSeverities.find((each) => each === event.severity);
    return (
      <td data-name={name}>
        {severity === undefined ? event.severity : <SeverityBadge severity={severity} variant="plain" />}
      </td>
    );
  }
  const text = valuesOfEvent(event, name).join(', ');
  return (
    <td data-name={name} title={text.slice(0, 1000)}>
      {text}
    </td>
  );
}

/** To the millisecond, as events of one second are told apart by it: "Nov 21, 10:15:02.113". */
export function eventTime(time: string, reader: Reader): string {
  return dateFormat(reader, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  }).format(new Date(time));
}

export function exactTime(time: string, reader: Reader): string {
  return dateFormat(reader, { dateStyle: 'medium', timeStyle: 'long' }).format(new Date(time));
}
