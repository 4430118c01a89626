/** The sample events and examples of the page about searching, for the tests that run them. */
import type { SearchableEvent } from '../search-columns.ts';

/** What `now` means on the page. */
export const DOCUMENTED_NOW = Date.parse('2026-11-21T12:00:00Z');

type Sample = Omit<Partial<SearchableEvent>, 'time'> & { time: string };

export function documentedSearches(page: string) {
  const samples = JSON.parse(/```json\n(.+?)\n```/s.exec(page)?.[1] ?? '{}') as Record<string, Sample>;
  return {
    /** By their names on the page. */
    events: Object.entries(samples).map(([name, sample]) => ({
      name,
      parts: { dst_ip: '', raw: '', ...sample, time: Date.parse(sample.time) } satisfies Partial<SearchableEvent>,
    })),
    /** A query and the names of what it finds. */
    examples: rowsUnder(page, ['Query', 'Meaning', 'Finds']).map(
      ([query, , finds = '']) => [codeOf(query), finds] as const,
    ),
    /** A query that is refused, and why. */
    refused: rowsUnder(page, ['Query', 'Answer']).map(([query, answer]) => [codeOf(query), answer] as const),
  };
}

/** Rows of all tables with these headings. */
function rowsUnder(page: string, headings: readonly string[]): string[][] {
  let inTable = false;
  return page.split('\n').flatMap((line) => {
    const cells = line.startsWith('|')
      ? line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim())
      : undefined;
    if (cells === undefined) inTable = false;
    else if (cells.join() === headings.join()) inTable = true;
    else if (inTable && !cells[0]?.startsWith('--')) return [cells];
    return [];
  });
}

const codeOf = (cell = '') => cell.slice(1, -1).replaceAll('\\|', '|');
