import type { CaseDetail, CaseEvent } from '@airdeck/contracts/cases/schema';
import { limits } from '@airdeck/contracts/limits';
import { Button, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Fragment, useId, useState } from 'react';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { Count } from '../../../ui/count.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useReader } from '../../../ui/reader.ts';
import { valueText } from '../value-text.ts';
import { EventDetail } from './event-detail.tsx';
import { eventTime } from './event-time.ts';
import classes from './matched-events.module.css';

const SHOWN_FIRST = 10;

/** The events that opened and fed the case, oldest first; each opens to its fields and its original line. */
export function MatchedEvents({ of, dense }: { of: CaseDetail; dense: boolean }) {
  const [whole, setWhole] = useState(false);
  const { events, event_count: total } = of;
  const shown = whole ? events : events.slice(0, SHOWN_FIRST);
  const folded = events.length - shown.length;
  return (
    <Panel
      title={t('Matched events')}
      aside={
        <span className={classes.count}>
          {total > events.length ? (
            tx('first {shown} of {count}', { shown: events.length, count: <Count value={total} /> })
          ) : (
            <Count value={total} />
          )}
        </span>
      }
      flush
    >
      {events.length === 0 ? (
        <p className={classes.none}>{t('No event belongs to this case.')}</p>
      ) : (
        <div className={classes.scroll}>
          <table className={classes.table} data-dense={dense || undefined}>
            <thead>
              <tr>
                <th scope="col">{t('Time')}</th>
                <th scope="col" className={classes.wide}>
                  {t('Source')}
                </th>
                <th scope="col" className={classes.wide}>
                  {t('Host')}
                </th>
                <th scope="col" className={classes.wide}>
                  {t('User')}
                </th>
                <th scope="col">{t('Message')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((event) => (
                <EventRows key={event.id} event={event} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {folded > 0 ? (
        <Button variant="subtle" className={classes.more ?? ''} onClick={() => setWhole(true)}>
          {t('Show {value} more', { value: folded })}
        </Button>
      ) : null}
      {total > limits.caseEventsKept ? (
        <p className={classes.kept}>
          {tx('Of {count} events the first {kept} are kept with the case.', {
            count: <Count value={total} />,
            kept: <Count value={limits.caseEventsKept} />,
          })}
        </p>
      ) : null}
    </Panel>
  );
}

function EventRows({ event }: { event: CaseEvent }) {
  const reader = useReader();
  const [open, setOpen] = useState(false);
  const detailId = useId();
  return (
    <Fragment>
      <tr data-open={open || undefined}>
        <td>
          <UnstyledButton
            className={classes.toggle}
            aria-expanded={open}
            aria-controls={open ? detailId : undefined}
            aria-label={t('Event of {time}', { time: eventTime(event.time, reader) })}
            onClick={() => setOpen(!open)}
          >
            <IconChevronRight size={14} className={classes.chevron} data-open={open || undefined} aria-hidden />
            <time dateTime={event.time} title={event.time} className="air-figures">
              {eventTime(event.time, reader)}
            </time>
          </UnstyledButton>
        </td>
        <td className={classes.wide}>{valueText(event.integration)}</td>
        <td className={classes.wide}>{valueText(event.host)}</td>
        <td className={classes.wide}>{valueText(event.user)}</td>
        <td className={classes.message}>
          <span className="air-mono" title={event.message}>
            {valueText(event.message)}
          </span>
        </td>
      </tr>
      {open ? (
        <tr id={detailId}>
          <td colSpan={5} className={classes.detail}>
            <EventDetail event={event} />
          </td>
        </tr>
      ) : null}
    </Fragment>
  );
}
