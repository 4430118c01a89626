import type { SearchAnswer } from '@airdeck/contracts/search/schema';
import { Button } from '@mantine/core';
import { Count } from '../../ui/count.tsx';
import { useReader } from '../../ui/reader.ts';
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
  const later = sort === 'newest' ? 'older' : 'newer';
  const { total, time_range: range, took_ms } = first;
  const window = { start: new Date(range.start), end: new Date(range.end) };
  return (
    <>
      <span role="status">
        <Count value={loaded} /> of {total.relation === 'gte' ? 'more than ' : ''}
        <Count value={total.value} /> {total.value === 1 ? 'event' : 'events'}
        {loading ? ', loading more …' : ''}
        {full ? `. Narrow the time range to see ${later} ones.` : ''}
      </span>
      {failed ? (
        <span>
          {sort === 'newest' ? 'Older' : 'Newer'} events did not load.{' '}
          <Button variant="subtle" size="compact-xs" onClick={onRetry}>
            Try again
          </Button>
        </span>
      ) : null}
      {turnRound === undefined ? null : (
        <Button variant="subtle" color="gray" size="compact-xs" hiddenFrom="sm" onClick={turnRound}>
          {sort === 'newest' ? 'Oldest first' : 'Newest first'}
        </Button>
      )}
      {pinned === 0 ? null : (
        <Button variant="subtle" color="gray" size="compact-xs" onClick={onUnpin}>
          Unpin {pinned}
        </Button>
      )}
      {isDefault(columns) ? null : (
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setColumns([])}>
          Usual columns
        </Button>
      )}
      <span>
        {windowText(window, reader)} · <Count value={took_ms} /> ms
      </span>
    </>
  );
}
