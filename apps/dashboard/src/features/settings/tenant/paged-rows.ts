/** As many as a browser draws without being felt, however long the list is. */
export const PAGE_ROWS = 50;

export type Paged<Row> = {
  readonly rows: readonly Row[];
  readonly page: number;
  readonly pages: number;
  /** Number of the first row shown, from 1; 0 without rows. */
  readonly first: number;
  readonly total: number;
};

/** The rows of one page; a page past the end is the last one, as after a search that found less. */
export function pageOf<Row>(rows: readonly Row[], wanted = 1): Paged<Row> {
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
  const page = Math.min(Math.max(1, wanted), pages);
  const start = (page - 1) * PAGE_ROWS;
  return {
    rows: rows.slice(start, start + PAGE_ROWS),
    page,
    pages,
    first: rows.length === 0 ? 0 : start + 1,
    total: rows.length,
  };
}
