import type { SearchAnswer } from '@airdeck/contracts/search/schema';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useReader } from '../../ui/reader.ts';
import classes from './search-page.module.css';
import { windowText } from './time-range.ts';

/** What the answer does not hold, and how connectors searched live did. Nothing when all is as asked. */
export function AnswerNotes({ of }: { of: SearchAnswer }) {
  const reader = useReader();
  const { clipped, search_length_days: days, start, end } = of.time_range;
  if (!clipped && of.sources.length === 0 && of.total.relation === 'eq') return null;
  return (
    <ul className={classes.notes}>
      {clipped ? (
        <li>
          <IconAlertTriangle size={14} className={classes.warning} aria-hidden />
          The plan reaches {days} days back, so this was searched:{' '}
          {windowText({ start: new Date(start), end: new Date(end) }, reader)}.
        </li>
      ) : null}
      {of.total.relation === 'gte' ? (
        <li>
          <IconAlertTriangle size={14} className={classes.warning} aria-hidden />
          There are more events than can be counted in time; a shorter range shows how they spread.
        </li>
      ) : null}
      {of.sources.map(({ connector_id, name, state, message, found, took_ms }) => (
        <li key={connector_id} data-state={state}>
          {state === 'answered' ? (
            <IconCircleCheck size={14} aria-hidden />
          ) : (
            <IconAlertTriangle size={14} aria-hidden />
          )}
          {state === 'answered'
            ? `${name}, searched live: ${found} ${found === 1 ? 'event' : 'events'} in ${took_ms} ms. ${message}`
            : `${name}, searched live, ${state === 'failed' ? 'did not answer' : 'cannot answer this search'}: ${message}`}
        </li>
      ))}
    </ul>
  );
}
