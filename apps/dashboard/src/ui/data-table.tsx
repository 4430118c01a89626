import { useTable } from '@tanstack/react-table';
import { type ReactNode, useRef, useState } from 'react';
import classes from './data-table.module.css';
import { type DataColumn, dataTableFeatures } from './data-table-columns.ts';
import { DataTableHead } from './data-table-head.tsx';
import { useRowKeys } from './use-row-keys.ts';

/** `id` or `-id` of a sortable column, as list routes take it. */
export type SortKey = string;

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
};

/** A list: sticky header, keyboard, stacked rows on phones. Filtering, sorting and paging are the server's. */
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
  const body = useRef<HTMLTableSectionElement>(null);
  const [activeId, setActiveId] = useState<string>();
  const ids = rows.map(rowId);
  // The row used last may be gone after a refresh; then the first one takes its place in the tab order.
  const active = activeId !== undefined && ids.includes(activeId) ? activeId : ids[0];
  useRowKeys(body, onOpen !== undefined && rows.length > 0);

  if (rows.length === 0) return <div className={classes.frame}>{props.empty}</div>;
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard */}
      <section className={classes.scroll} aria-label={props.label} tabIndex={0}>
        <table className={classes.table} data-dimmed={props.dimmed === true || undefined}>
          <DataTableHead table={table} sort={props.sort} onSort={props.onSort} />
          <tbody ref={body}>
            {table.getRowModel().rows.map((row) => (
              <tr
                key={row.id}
                className={classes.row}
                data-row
                data-open={row.id === props.openId || undefined}
                data-clickable={onOpen !== undefined || undefined}
                tabIndex={onOpen === undefined ? undefined : row.id === active ? 0 : -1}
                onFocus={() => setActiveId(row.id)}
                onClick={(event) => {
                  if (!isOwnControl(event.target, event.currentTarget)) onOpen?.(row.original);
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && event.target === event.currentTarget) onOpen?.(row.original);
                }}
              >
                {row.getAllCells().map((cell) => {
                  const meta = cell.column.columnDef.meta;
                  const header = cell.column.columnDef.header;
                  return (
                    <td
                      key={cell.id}
                      className={classes.cell}
                      data-align={meta?.align}
                      data-phone={meta?.phone}
                      data-label={typeof header === 'string' ? header : undefined}
                    >
                      <table.FlexRender cell={cell} />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {props.footer === undefined ? null : <div className={classes.footer}>{props.footer}</div>}
    </div>
  );
}

/** A click on a link or button inside a row is that control's, and selecting text is no click. */
function isOwnControl(target: EventTarget, row: Element): boolean {
  if (!(target instanceof Element)) return false;
  const control = target.closest('a, button, input, label, select, textarea, [role="button"]');
  if (control !== null && row.contains(control)) return true;
  return (window.getSelection()?.toString() ?? '') !== '';
}
