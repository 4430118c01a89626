/** A word below the column it stands for, counted from 0. */
export type ColumnMark = { readonly at: number; readonly text: string };

/** Every so many columns, from the first one, so that there are at most `most`. */
export function evenMarks(texts: readonly string[], most: number): ColumnMark[] {
  const step = Math.max(1, Math.ceil(texts.length / Math.max(1, most)));
  return texts.map((text, at) => ({ at, text })).filter(({ at }) => at % step === 0);
}

/** Without those that would touch the one before them: the first day of a period is often a short one. */
export function apart(marks: readonly ColumnMark[], columns: number): ColumnMark[] {
  let last = Number.NEGATIVE_INFINITY;
  return marks.filter(({ at }) => {
    if (at - last < columns) return false;
    last = at;
    return true;
  });
}
