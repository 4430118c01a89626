import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Rows that come and go together. A list of no more than two such parts is drawn as it is. */
const CHUNK_ROWS = 50;
/** Pixels beyond the screen within which rows are there, so that scrolling and keys meet no gap. */
const AHEAD = '1000px';

/** The rows of a table in parts that are drawn only near the screen; all in one while they are few. */
export function chunksOf<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  if (rows.length <= 2 * CHUNK_ROWS) return [rows];
  return Array.from({ length: Math.ceil(rows.length / CHUNK_ROWS) }, (_, index) =>
    rows.slice(index * CHUNK_ROWS, (index + 1) * CHUNK_ROWS),
  );
}

type Props = {
  /** How many the table has. */
  columns: number;
  /** Drawn wherever it is: it is the whole table, or a row of it is where the keys begin. */
  pinned: boolean;
  /** Asked only while they are drawn. */
  children: () => ReactNode;
};

/**
 * A part of a long table. Out of sight its rows give way to one empty row of their height, whatever that was: so a list that
 * grew for an hour costs as much as its screen. It is drawn first and measured when it leaves.
 */
export function TableChunk({ columns, pinned, children }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  /** Pixels of the rows while they are out of sight; undefined while they are drawn. */
  const [gap, setGap] = useState<number>();
  useEffect(() => {
    const node = body.current;
    if (node === null || typeof IntersectionObserver === 'undefined') return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1);
        if (last === undefined) return;
        setGap(last.isIntersecting ? undefined : last.boundingClientRect.height);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(node);
    return () => observer.disconnect();
  }, []);
  return (
    <tbody ref={body}>
      {gap === undefined || pinned ? (
        children()
      ) : (
        <tr aria-hidden>
          <td colSpan={columns} style={{ height: gap, padding: 0 }} />
        </tr>
      )}
    </tbody>
  );
}
