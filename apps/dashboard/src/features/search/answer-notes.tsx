import type { LiveSource, SearchAnswer } from '@airdeck/contracts/search/schema';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { useReader } from '../../ui/reader.ts';
import classes from './search-page.module.css';
import { windowText } from './time-range.ts';

type Props = { of: SearchAnswer; sources: readonly LiveSource[] };

/** What the answer does not hold, and how connectors searched live did. Nothing when all is as asked. */
export function AnswerNotes({ of, sources }: Props) {
  const reader = useReader();
  const { clipped, search_length_days: days, start, end } = of.time_range;
  if (!clipped && sources.length === 0 && of.total.relation === 'eq') return null;
  return (
    <ul className={classes.notes}>
      {clipped ? (
        <li>
          <IconAlertTriangle size={14} className={classes.warning} aria-hidden />
          {plural(
            days,
            'The plan reaches {count} day back, so this was searched: {range}.',
            'The plan reaches {count} days back, so this was searched: {range}.',
            { range: windowText({ start: new Date(start), end: new Date(end) }, reader) },
          )}
        </li>
      ) : null}
      {of.total.relation === 'gte' ? (
        <li>
          <IconAlertTriangle size={14} className={classes.warning} aria-hidden />
          {t('There are more events than can be counted in time; a shorter range shows how they spread.')}
        </li>
      ) : null}
      {sources.map(({ connector_id, name, state, message, found, took_ms }) => (
        <li key={connector_id} data-state={state}>
          {state === 'answered' ? (
            <IconCircleCheck size={14} aria-hidden />
          ) : (
            <IconAlertTriangle size={14} aria-hidden />
          )}
          {sourceText({ name, state, message, found, took_ms })}
        </li>
      ))}
    </ul>
  );
}

function sourceText({
  name,
  state,
  message,
  found,
  took_ms: time,
}: Pick<LiveSource, 'name' | 'state' | 'message' | 'found' | 'took_ms'>): string {
  if (state === 'failed') return t('{name}, searched live, did not answer: {message}', { name, message });
  if (state !== 'answered') return t('{name}, searched live, cannot answer this search: {message}', { name, message });
  return plural(
    found,
    '{name}, searched live: {count} event in {time} ms. {message}',
    '{name}, searched live: {count} events in {time} ms. {message}',
    { name, time, message },
  );
}
