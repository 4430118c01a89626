import type { CaseEvent } from '@airdeck/contracts/cases/schema';
import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { JsonTree } from '../../../ui/json-tree.tsx';
import { dateFormat, useReader } from '../../../ui/reader.ts';
import classes from './trial.module.css';

/** The newest events that matched; each opens to its fields and its line. */
export function SampleEvents({ events }: { events: readonly CaseEvent[] }) {
  if (events.length === 0) return null;
  return (
    <div>
      <h3 className={classes.heading}>
        {plural(events.length, 'The matching event', 'The newest {count} matching events')}
      </h3>
      <ul className={classes.lines}>
        {events.map((event) => (
          <SampleEvent key={event.id} event={event} />
        ))}
      </ul>
    </div>
  );
}

function SampleEvent({ event }: { event: CaseEvent }) {
  const reader = useReader();
  const [open, setOpen] = useState(false);
  const detailId = useId();
  const time = dateFormat(reader, { dateStyle: 'short', timeStyle: 'medium' }).format(new Date(event.time));
  return (
    <li className={classes.sample}>
      <UnstyledButton
        className={classes.sampleHead}
        aria-expanded={open}
        aria-controls={open ? detailId : undefined}
        onClick={() => setOpen(!open)}
      >
        <IconChevronRight size={14} className={classes.chevron} data-open={open || undefined} aria-hidden />
        <time dateTime={event.time} className={classes.sampleTime}>
          {time}
        </time>
        <span className={classes.sampleText}>{event.message === '' ? event.raw : event.message}</span>
      </UnstyledButton>
      {open ? (
        <div id={detailId} className={classes.sampleDetail}>
          <JsonTree value={event.fields} label={t('Fields of the event of {time}', { time })} />
          <div className={classes.rawHead}>
            {t('As it arrived')} <CopyButton value={event.raw} label={t('Copy the event as it arrived')} />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <section className={classes.raw} aria-label={t('The event of {time} as it arrived', { time })} tabIndex={0}>
            {event.raw}
          </section>
        </div>
      ) : null}
    </li>
  );
}
