import { useTable } from '@tanstack/react-table';
import { type ReactNode, useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import classes from './data-table.module.css';
import { type DataColumn, dataTableFeatures } from './data-table-columns.ts';
import { DataTableHead } from './data-table-head.tsx';
import { DataTableRow } from './data-table-row.tsx';
import { chunksOf, TableChunk } from './table-chunk.tsx';
import { useIsPhone } from './use-is-phone.ts';
import { useRowKeys } from './use-row-keys.ts';

/** `id` or `-id` of a sortable column, as list routes take it. */
export type SortKey = string;

/** So many fill a screen. */
const FIRST_ROWS = { phone: 8, desktop: 20 };

type Faded = { ids: ReadonlySet<string>; why: string };

type Props<Row extends object> = {
  /** Accessible name of the table. */
  label: string;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Whole row opens: by click, or `enter` on the row that `j` and `k` move to. */
  onOpen?: (row: Row) => void;
  /** Row shown in the side panel. */
  openId?: string | undefined;
  sort?: SortKey | undefined;
  onSort?: (sort: SortKey) => void;
  /** Instead of rows when there are none. */
  empty: ReactNode;
  /** Count and freshness, paging. */
  footer?: ReactNode;
  /** Older rows shown while newer ones load are dimmed. */
  dimmed?: boolean;
  /** Rows that are shown for now, and why those only. */
  faded?: Faded | undefined;
};

/**
 * A list: sticky header, keyboard, stacked rows on phones. Filtering, sorting and paging are the server's. When it comes, rows
 * that fill the screen are drawn with it, and those below in pieces between which the browser answers to people.
 */
export function DataTable<Row extends object>(props: Props<Row>) {
  const { columns, rows, rowId, onOpen } = props;
  const table = useTable({
    features: dataTableFeatures,
    columns: columns as DataColumn<Row>[],
    data: rows,
    getRowId: rowId,
    manualSorting: true,
    defaultColumn: { enableSorting: false },
  });
  const body = useRef<HTMLTableElement>(null);
  const open = useLatest(onOpen);
  const [activeId, setActiveId] = useState<string>();
  const ids = rows.map(rowId);
  // The row used last may be gone after a refresh; then the first one takes its place in the tab order.
  const active = activeId !== undefined && ids.includes(activeId) ? activeId : ids[0];
  useRowKeys(body, onOpen !== undefined && rows.length > 0);
  const first = useIsPhone() ? FIRST_ROWS.phone : FIRST_ROWS.desktop;
  const isWhole = useDeferredValue(true, false);
  const all = table.getRowModel().rows;
  const chunks = chunksOf(isWhole ? all : all.slice(0, first));
  const inParts = chunks.length > 1;

  if (rows.length === 0) return <div className={classes.frame}>{props.empty}</div>;
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard */}
      <section ref={watchWidth} className={classes.scroll} aria-label={props.label} tabIndex={0}>
        <table
          ref={body}
          className={classes.table}
          data-dimmed={props.dimmed === true || undefined}
          aria-rowcount={inParts ? rows.length + 1 : undefined}
        >
          <DataTableHead table={table} sort={props.sort} onSort={props.onSort} />
          {chunks.map((chunk, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part of the table is its place; its rows have their ids
            <TableChunk key={index} columns={columns.length} pinned={!inParts || chunk.some(({ id }) => id === active)}>
              {() =>
                chunk.map((row) => (
                  <DataTableRow
                    key={row.id}
                    row={row}
                    of={row.original}
                    columns={columns}
                    table={table}
                    isOpen={row.id === props.openId}
                    inTabOrder={row.id === active}
                    faded={props.faded?.ids.has(row.id) === true ? props.faded.why : undefined}
                    position={inParts ? row.index + 2 : undefined}
                    onOpen={onOpen === undefined ? undefined : open}
                    onUse={setActiveId}
                  />
                ))
              }
            </TableChunk>
          ))}
        </table>
      </section>
      {props.footer === undefined ? null : <div className={classes.footer}>{props.footer}</div>}
    </div>
  );
}

/** Says on the section whether its table fits. One that does is no scroller of its own, so that its head can stick to the page. */
function watchWidth(section: HTMLElement | null): (() => void) | undefined {
  const table = section?.querySelector('table');
  if (section === null || table === null || table === undefined) return undefined;
  const observer = new ResizeObserver(() => {
    section.toggleAttribute('data-fits', table.offsetWidth <= section.clientWidth);
  });
  observer.observe(section);
  observer.observe(table);
  return () => observer.disconnect();
}

/** A function that stays the same and does what the last one given does. */
function useLatest<Row>(call: ((row: Row) => void) | undefined): (row: Row) => void {
  const latest = useRef(call);
  useEffect(() => {
    latest.current = call;
  });
  return useCallback((row) => latest.current?.(row), []);
}
