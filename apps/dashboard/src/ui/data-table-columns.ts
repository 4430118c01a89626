import { type ColumnDef, createColumnHelper, rowSortingFeature, tableFeatures } from '@tanstack/react-table';

export type DataColumnMeta = {
  /** CSS width; columns without one share what is left. */
  width?: string;
  align?: 'end';
  /** Left out of a window that is too narrow for all columns, those with 1 first. Phones stack, and leave out none. */
  yields?: 1 | 2 | 3;
  /** Its header is a control of the whole list, which phones keep in sight. */
  tool?: true;
  /**
   * On phones: `title` heads the stacked row, `badge` stands under it without its label, `hidden` leaves it out; otherwise
   * label and value. A cell with a `data-empty` element in it is left out too.
   */
  phone?: 'title' | 'badge' | 'hidden';
};

export const dataTableFeatures = tableFeatures({ rowSortingFeature, columnMeta: {} as DataColumnMeta });

// biome-ignore lint/suspicious/noExplicitAny: cell values differ per column; the row type is what columns share
export type DataColumn<Row> = ColumnDef<typeof dataTableFeatures, Row & object, any>;

/**
 * Columns of one kind of row, kept at module scope. Sorting is the server's: a column with `enableSorting: true` sends
 * its id as the sort key.
 */
export function columnsFor<Row extends object>() {
  return createColumnHelper<typeof dataTableFeatures, Row>();
}
