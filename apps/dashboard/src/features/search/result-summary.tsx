import type { FoundEvent, LiveSource, SearchAnswer, SearchOrder } from '@airdeck/contracts/search/schema';
import { Button } from '@mantine/core';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { numberFormat, useReader } from '../../ui/reader.ts';
import { isDefault } from './result-columns.ts';
import { useSearchActions } from './search-actions.ts';
import { windowText } from './time-range.ts';

type Props = {
  first: SearchAnswer;
  /** What is loaded of it. */
  found: readonly FoundEvent[];
  sources: readonly LiveSource[];
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
export function ResultSummary({ first, found, sources, loading, full, failed, onRetry, pinned, onUnpin }: Props) {
  const reader = useReader();
  const { columns, setColumns, sort, turnRound } = useSearchActions();
  const { time_range: range, took_ms } = first;
  const number = numberFormat(reader);
  const shown = countText({ total: first.total, found, sources }, number);
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

type Counted = Pick<Props, 'found' | 'sources'> & Pick<SearchAnswer, 'total'>;

/** The total is of the store alone: what connectors searched live find comes on top, and nobody knows how much that is. */
function countText({ total, found, sources }: Counted, number: Intl.NumberFormat): string {
  const stored = found.filter(({ source_id }) => source_id !== null).length;
  const live = found.length - stored;
  const done = number.format(stored);
  // More than the total came in while somebody read on.
  const all = Math.max(total.value, stored);
  if (live === 0 && sources.every(({ state }) => state === 'not_searchable')) {
    return total.relation === 'gte'
      ? plural(all, '{done} of more than {count} event', '{done} of more than {count} events', { done })
      : plural(all, '{done} of {count} event', '{done} of {count} events', { done });
  }
  const ofStored =
    total.relation === 'gte'
      ? plural(all, '{done} of more than {count} stored event', '{done} of more than {count} stored events', { done })
      : plural(all, '{done} of {count} stored event', '{done} of {count} stored events', { done });
  return live === 0
    ? ofStored
    : plural(live, '{stored}, {count} event found live', '{stored}, {count} events found live', { stored: ofStored });
}

function narrowText(what: string, sort: SearchOrder): string {
  return sort === 'newest'
    ? t('{what}. Narrow the time range to see older ones.', { what })
    : t('{what}. Narrow the time range to see newer ones.', { what });
}
