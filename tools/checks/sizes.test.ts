import { describe, expect, it } from 'vitest';
import { printedReport, sizeReport } from './sizes.ts';
import { listFiles } from './source-files.ts';

/** Far above what a file should be; only something that grew unseen gets here. */
const ABSURD_LINES = 800;

describe('file sizes', () => {
  it('orders by size and takes the middle one as median', () => {
    const file = (path: string, lines: number) => ({ path, text: '\n'.repeat(lines - 1) });
    const [row] = sizeReport([file('apps/x/a.ts', 10), file('apps/x/b.ts', 30), file('apps/x/c.ts', 20)]);
    expect(row).toMatchObject({
      group: 'apps/x',
      files: 3,
      median: 20,
      largest: [{ lines: 30 }, { lines: 20 }, { lines: 10 }],
    });
  });

  it('have not run away unseen', () => {
    const rows = sizeReport(listFiles(/^(apps|packages|tools|e2e)\/.*\.(ts|tsx|mjs)$/));
    console.log(printedReport(rows));
    const absurd = rows.flatMap((row) => row.largest).filter(({ lines }) => lines > ABSURD_LINES);
    expect(absurd).toEqual([]);
  });
});
