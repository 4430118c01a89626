import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileQuery } from './compile.ts';
import { createMatcher } from './matches.ts';
import { parseQuery } from './parse.ts';
import { queryLimits } from './query-limits.ts';
import { type SearchableEvent, searchColumns } from './search-columns.ts';
import { testEvent } from './test-event.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const page = readFileSync(new URL('../../../docs/search.md', import.meta.url), 'utf8');

/** Rows of all tables with these headings. */
function rowsUnder(headings: readonly string[]): string[][] {
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

type Sample = Omit<Partial<SearchableEvent>, 'time'> & { time: string };
const samples = Object.entries(JSON.parse(/```json\n(.+?)\n```/s.exec(page)?.[1] ?? '{}') as Record<string, Sample>);
const events = samples.map(([name, sample]) => {
  const event = testEvent({ dst_ip: '', raw: '', ...sample, time: Date.parse(sample.time) });
  return { name, event };
});

function problemOf(query: string): string {
  const parsed = parseQuery(query);
  if (!parsed.ok) return parsed.problem.message;
  const compiled = compileQuery(parsed.tree, { now: NOW });
  return compiled.ok ? 'none' : compiled.problem.message;
}

describe('the page about searching', () => {
  const examples = rowsUnder(['Query', 'Meaning', 'Finds']);

  it('has sample events and examples', () => {
    expect(events).toHaveLength(5);
    expect(examples.length).toBeGreaterThan(50);
  });

  it.each(examples.map(([query, , finds = '']) => [codeOf(query), finds]))('%s finds %s', (query, finds) => {
    const parsed = parseQuery(query);
    if (!parsed.ok) throw new Error(parsed.problem.message);
    const matcher = createMatcher(parsed.tree, { now: NOW });
    if (!matcher.ok) throw new Error(matcher.problem.message);
    const found = events.filter(({ event }) => matcher.matches(event)).map(({ name }) => name);
    expect(found.join(', ')).toBe(finds);
    expect(compileQuery(parsed.tree, { now: NOW }).ok).toBe(true);
  });

  it.each(rowsUnder(['Query', 'Answer']).map(([query, answer]) => [codeOf(query), answer]))(
    '%s: %s',
    (query, answer) => {
      expect(problemOf(query)).toBe(answer);
    },
  );

  it('names every column and the limits as they are', () => {
    expect([...searchColumns.keys()].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const { maxLength, maxClauses, maxDepth, maxPatternLength, maxWildcardsPerTerm, maxLeadingWildcards } = queryLimits;
    for (const limit of [maxLength, maxClauses, maxDepth, maxPatternLength, maxWildcardsPerTerm, maxLeadingWildcards]) {
      expect(page).toContain(limit.toLocaleString('en'));
    }
  });
});
