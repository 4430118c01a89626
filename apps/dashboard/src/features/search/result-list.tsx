import type { FoundEvent } from '@airdeck/contracts/search/schema';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { t } from '../../language/translate.ts';
import { useIsPhone } from '../../ui/use-is-phone.ts';
import { useRowKeys } from '../../ui/use-row-keys.ts';
import { ColumnHead, TimeHead } from './column-head.tsx';
import { EventRow } from './event-row.tsx';
import { gridOf } from './result-columns.ts';
import classes from './result-list.module.css';
import { useRowHeight } from './row-height.ts';
import { useSearchActions } from './search-actions.ts';

type Props = {
  events: readonly FoundEvent[];
  columns: readonly string[];
  /** How many there are in all, -1 when nobody knows. */
  total: number;
  openId: string | undefined;
  /** Ids of those that have just come in. */
  fresh: ReadonlySet<string>;
  dimmed: boolean;
  scroller: RefObject<HTMLDivElement | null>;
  onOpen: (id: string) => void;
  /** The end is near; more may be asked for. */
  onNearEnd: () => void;
  onAtTop: (atTop: boolean) => void;
  footer: ReactNode;
};

const NEAR_END_ROWS = 40;

/** Events in the order of the search. Only rows in sight are drawn; `j` and `k` move, Enter opens, `x` pins. */
export function ResultList(props: Props) {
  const { events, columns, openId, fresh, scroller, onOpen, onNearEnd, onAtTop } = props;
  const { pinned, togglePin } = useSearchActions();
  const body = useRef<HTMLTableSectionElement>(null);
  const isPhone = useIsPhone();
  const height = useRowHeight(isPhone);
  const [activeId, setActiveId] = useState<string>();
  useRowKeys(body, events.length > 0);
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => events[index]?.id ?? index,
    overscan: 12,
    // The head stays above them.
    scrollPaddingStart: height,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height stand elsewhere
  useEffect(() => rows.measure(), [height]);
  const drawn = rows.getVirtualItems();
  // The row used last, or the first in sight where that one is scrolled away: else no key would lead into the list.
  const isActiveDrawn = drawn.some(({ index }) => events[index]?.id === activeId);
  const active = isActiveDrawn ? activeId : events[rows.range?.startIndex ?? 0]?.id;
  const lastDrawn = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (events.length > 0 && lastDrawn >= events.length - NEAR_END_ROWS) onNearEnd();
  }, [events.length, lastDrawn, onNearEnd]);
  const grid = gridOf(columns);
  return (
    <div className={classes.frame}>
      <div
        ref={scroller}
        className={classes.scroll}
        data-dimmed={props.dimmed || undefined}
        // Without heads, and with the row of the tab order scrolled away, nothing else in it takes the focus.
        tabIndex={isPhone ? 0 : undefined}
        onScroll={(event) => onAtTop(event.currentTarget.scrollTop < height)}
      >
        <table
          aria-label={t('Events')}
          aria-rowcount={props.total < 0 ? -1 : props.total + 1}
          className={classes.table}
        >
          <thead className={classes.head}>
            <tr aria-rowindex={1} className={classes.row} style={{ gridTemplateColumns: grid }}>
              {isPhone ? <th scope="col">{t('Time')}</th> : <TimeHead />}
              {columns.map((name) => (
                <th key={name} scope="col">
                  {/* Rows are stacked there: nothing stands below a head, and nobody sees it. */}
                  {isPhone ? name : <ColumnHead name={name} />}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body} className={classes.body} style={{ height: rows.getTotalSize() }}>
            {drawn.map(({ index, key, start, size }) => {
              const event = events[index];
              return event === undefined ? null : (
                <EventRow
                  key={key}
                  event={event}
                  columns={columns}
                  grid={isPhone ? undefined : grid}
                  index={index}
                  top={start}
                  height={size}
                  isOpen={event.id === openId}
                  isFresh={fresh.has(event.id)}
                  isPinned={pinned.has(event.id)}
                  inTabOrder={event.id === active}
                  onOpen={onOpen}
                  onUse={setActiveId}
                  onPin={togglePin}
                />
              );
            })}
          </tbody>
        </table>
      </div>
      <div className={classes.footer}>{props.footer}</div>
    </div>
  );
}
