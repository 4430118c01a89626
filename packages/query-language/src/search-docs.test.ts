import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileQuery } from './compile.ts';
import { parseQuery } from './parse.ts';
import { queryLimits } from './query-limits.ts';
import { searchColumns } from './search-columns.ts';
import { testEvent } from './test-event.ts';
import { DOCUMENTED_NOW, documentedSearches } from './testing/documented-searches.ts';
import { createMatcher } from './testing/matches.ts';

const page = readFileSync(new URL('../../../docs/search.md', import.meta.url), 'utf8');
const { events: samples, examples, refused } = documentedSearches(page);
const events = samples.map(({ name, parts }) => ({ name, event: testEvent(parts) }));

function problemOf(query: string): string {
  const parsed = parseQuery(query);
  if (!parsed.ok) return parsed.problem.message;
  const compiled = compileQuery(parsed.tree, { now: DOCUMENTED_NOW });
  return compiled.ok ? 'none' : compiled.problem.message;
}

describe('the page about searching', () => {
  it('has sample events and examples', () => {
    expect(events).toHaveLength(5);
    expect(examples.length).toBeGreaterThan(50);
  });

  it.each(examples)('%s finds %s', (query, finds) => {
    const parsed = parseQuery(query);
    if (!parsed.ok) throw new Error(parsed.problem.message);
    const matcher = createMatcher(parsed.tree, { now: DOCUMENTED_NOW });
    if (!matcher.ok) throw new Error(matcher.problem.message);
    const found = events.filter(({ event }) => matcher.matches(event)).map(({ name }) => name);
    expect(found.join(', ')).toBe(finds);
    expect(compileQuery(parsed.tree, { now: DOCUMENTED_NOW }).ok).toBe(true);
  });

  it.each(refused)('%s: %s', (query, answer) => {
    expect(problemOf(query)).toBe(answer);
  });

  it('names every column and the limits as they are', () => {
    expect([...searchColumns.keys()].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const { maxFieldLength: _length, maxFieldParts: _parts, ...named } = queryLimits;
    for (const limit of Object.values(named)) expect(page).toContain(limit.toLocaleString('en'));
  });
});
