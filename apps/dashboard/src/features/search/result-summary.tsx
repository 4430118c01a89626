import type { SearchAnswer, SearchOrder } from '@airdeck/contracts/search/schema';
import { Button } from '@mantine/core';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { numberFormat, useReader } from '../../ui/reader.ts';
import { isDefault } from './result-columns.ts';
import { useSearchActions } from './search-actions.ts';
import { windowText } from './time-range.ts';

type Props = {
  first: SearchAnswer;
  loaded: number;
  loading: boolean;
  /** More cannot be loaded here. */
  full: boolean;
  /** The next page did not come. */
  failed: boolean;
  onRetry: () => void;
  pinned: number;
  onUnpin: () => void;
};

/** How many, of when, and how long it took. */
export function ResultSummary({ first, loaded, loading, full, failed, onRetry, pinned, onUnpin }: Props) {
  const reader = useReader();
  const { columns, setColumns, sort, turnRound } = useSearchActions();
  const { total, time_range: range, took_ms } = first;
  const number = numberFormat(reader);
  const done = number.format(loaded);
  const shown =
    total.relation === 'gte'
      ? plural(total.value, '{done} of more than {count} event', '{done} of more than {count} events', { done })
      : // What connectors that are searched live have found is not in the total.
        loaded > total.value
        ? plural(loaded, '{count} event', '{count} events')
        : plural(total.value, '{done} of {count} event', '{done} of {count} events', { done });
  const window = { start: new Date(range.start), end: new Date(range.end) };
  return (
    <>
      <span role="status">
        {loading ? t('{what}, loading more …', { what: shown }) : full ? narrowText(shown, sort) : shown}
      </span>
      {failed ? (
        <span>
          {sort === 'newest' ? t('Older events did not load.') : t('Newer events did not load.')}{' '}
          <Button variant="subtle" size="compact-xs" onClick={onRetry}>
            {t('Try again')}
          </Button>
        </span>
      ) : null}
      {turnRound === undefined ? null : (
        <Button variant="subtle" color="gray" size="compact-xs" hiddenFrom="sm" onClick={turnRound}>
          {sort === 'newest' ? t('Oldest first') : t('Newest first')}
        </Button>
      )}
      {pinned === 0 ? null : (
        <Button variant="subtle" color="gray" size="compact-xs" onClick={onUnpin}>
          {t('Unpin {count}', { count: pinned })}
        </Button>
      )}
      {isDefault(columns) ? null : (
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setColumns([])}>
          {t('Usual columns')}
        </Button>
      )}
      <span>{t('{range} · {time} ms', { range: windowText(window, reader), time: number.format(took_ms) })}</span>
    </>
  );
}

function narrowText(what: string, sort: SearchOrder): string {
  return sort === 'newest'
    ? t('{what}. Narrow the time range to see older ones.', { what })
    : t('{what}. Narrow the time range to see newer ones.', { what });
}
