import { VisuallyHidden } from '@mantine/core';
import type { ReactTable, Row } from '@tanstack/react-table';
import { memo } from 'react';
import classes from './data-table.module.css';
import type { DataColumn, dataTableFeatures } from './data-table-columns.ts';

type Props<Data extends object> = {
  row: Row<typeof dataTableFeatures, Data>;
  /** What the row shows: as long as it and the columns are the same, it is not drawn again. */
  of: Data;
  columns: readonly DataColumn<Data>[];
  table: ReactTable<typeof dataTableFeatures, Data>;
  isOpen: boolean;
  /** One row of a list is. */
  inTabOrder: boolean;
  /** Why it is shown for now only. */
  faded: string | undefined;
  /** Counted from the header as 1, where not all rows are drawn. */
  position: number | undefined;
  onOpen: ((row: Data) => void) | undefined;
  onUse: (id: string) => void;
};

/**
 * One row of a list, with a cell per column; the whole of it opens. A refresh makes all rows of the table model anew, so
 * what decides is what they show: of a list with one change one row is drawn.
 */
export const DataTableRow = memo(PlainRow, isSame) as typeof PlainRow;

function isSame<Data extends object>(before: Props<Data>, now: Props<Data>): boolean {
  return (
    before.of === now.of &&
    before.columns === now.columns &&
    before.isOpen === now.isOpen &&
    before.inTabOrder === now.inTabOrder &&
    before.faded === now.faded &&
    before.position === now.position &&
    before.onOpen === now.onOpen &&
    before.onUse === now.onUse
  );
}

function PlainRow<Data extends object>({
  row,
  table,
  isOpen,
  inTabOrder,
  faded,
  position,
  onOpen,
  onUse,
}: Props<Data>) {
  return (
    <tr
      className={classes.row}
      data-row
      aria-rowindex={position}
      data-open={isOpen || undefined}
      data-faded={faded === undefined ? undefined : ''}
      title={faded}
      data-clickable={onOpen !== undefined || undefined}
      tabIndex={onOpen === undefined ? undefined : inTabOrder ? 0 : -1}
      onFocus={() => onUse(row.id)}
      onClick={(event) => {
        if (!isOwnControl(event.target, event.currentTarget)) onOpen?.(row.original);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget) onOpen?.(row.original);
      }}
    >
      {row.getAllCells().map((cell, index) => {
        const meta = cell.column.columnDef.meta;
        const header = cell.column.columnDef.header;
        return (
          <td
            key={cell.id}
            className={classes.cell}
            data-align={meta?.align}
            data-phone={meta?.phone}
            data-yields={meta?.yields}
            data-label={typeof header === 'string' ? header : undefined}
          >
            <table.FlexRender cell={cell} />
            {faded !== undefined && index === 0 ? <VisuallyHidden>{faded}</VisuallyHidden> : null}
          </td>
        );
      })}
    </tr>
  );
}

/** A click on a link or button inside a row is that control's, and selecting text is no click. */
function isOwnControl(target: EventTarget, row: Element): boolean {
  if (!(target instanceof Element)) return false;
  const control = target.closest('a, button, input, label, select, textarea, [role="button"]');
  if (control !== null && row.contains(control)) return true;
  return (window.getSelection()?.toString() ?? '') !== '';
}
