/** Rows without later ones of the same id: page numbers shift while new rows come in at the top. */
export function firstOfEach<Row>(rows: readonly Row[], idOf: (row: Row) => string): Row[] {
  const seen = new Map<string, Row>();
  for (const row of rows) if (!seen.has(idOf(row))) seen.set(idOf(row), row);
  return [...seen.values()];
}
