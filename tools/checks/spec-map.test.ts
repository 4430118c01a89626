import { routeIndex } from '@airdeck/contracts/route-index.gen';
import { describe, expect, it } from 'vitest';
import { listFiles, listPaths } from './source-files.ts';

const map = listFiles(/^docs\/spec-map\.md$/)
  .map(({ text }) => text)
  .join('');
const named = new Set([...map.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? ''));

describe('the map of the specification', () => {
  it('names every route of the table', () => {
    expect(Object.keys(routeIndex).filter((id) => !named.has(id))).toEqual([]);
  });

  it('names no route that does not exist', () => {
    const families = new Set(Object.keys(routeIndex).map((id) => id.split('.')[0]));
    const ids = [...named].filter((one) => /^[a-z-]+\.[a-z-]+$/.test(one) && families.has(one.split('.')[0]));
    expect(ids.filter((id) => !Object.hasOwn(routeIndex, id))).toEqual([]);
  });

  it('names every screen of the dashboard by its route file', () => {
    const screens = listPaths(/^apps\/dashboard\/src\/routes\/.*\.tsx$/).filter((path) => !path.includes('.test.'));
    expect(screens.filter((path) => !named.has(path))).toEqual([]);
  });

  it('names with every screen and every rule what proves it', () => {
    const tables = map.split(/\n(?!\|)/).filter((text) => /^\|[^\n]*\| Proved by +\|/.test(text.trimStart()));
    expect(tables.length).toBeGreaterThan(4);
    const rows = tables.flatMap((table) => table.trim().split('\n').slice(2));
    const open = rows.filter((row) => !/`[^`]+\.test\.tsx?`|[Jj]ourney/.test(lastCellOf(row)));
    expect(open).toEqual([]);
  });
});

function lastCellOf(row: string): string {
  return row.split('|').at(-2) ?? '';
}
