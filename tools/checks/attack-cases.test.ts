import { describe, expect, it } from 'vitest';
import { listFiles } from './source-files.ts';

/** How many cases of each class the catalogue of attacks and bad input has; they are numbered from one. */
const catalogue = { T: 12, A: 20, U: 12, C: 13, E: 16, I: 12, W: 11 };
const ids = Object.entries(catalogue).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, n) => `${letter}${n + 1}`),
);

const document = listFiles(/^docs\/attack-cases\.md$/)
  .map(({ text }) => text)
  .join('');
const rows = document
  .split('\n')
  .filter((line) => /^\| (?!-|Case\b)/.test(line))
  .map((line) => ({ line, cases: casesOf(line.split('|')[1] ?? ''), tests: testsOf(line) }));

/** `A5, A7` and `C1–C4`: what a row is about; a dash where it is in no catalogue. */
function casesOf(cell: string): string[] {
  return cell.split(',').flatMap((part) => {
    const [, letter = '', from = '', to = from] = /^([A-Z])(\d+)(?:–[A-Z](\d+))?$/.exec(part.trim()) ?? [];
    if (letter === '') return [];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, n) => `${letter}${Number(from) + n}`);
  });
}

function testsOf(line: string): string[] {
  return [...line.matchAll(/`([^`]+\.test\.tsx?)`/g)].map(([, path = '']) => path);
}

describe('the table of attack cases', () => {
  it('has a row for every case of the catalogue, and for none that it does not have', () => {
    const listed = new Set(rows.flatMap(({ cases }) => cases));
    expect(ids.filter((id) => !listed.has(id))).toEqual([]);
    expect([...listed].filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('names in every row tests that are there', () => {
    const there = new Set(listFiles(/\.test\.tsx?$/).map(({ path }) => path));
    const lacking = rows.filter(({ tests }) => tests.length === 0 || tests.some((path) => !there.has(path)));
    expect(lacking.map(({ line }) => line)).toEqual([]);
  });

  it('names with a case every test that says it tries it', () => {
    const left = listFiles(/\.test\.tsx?$/).flatMap(({ path, text }) => {
      const said = new Set([...text.matchAll(/\bA-([TAUCEIW]\d+)\b/g)].map(([, id = '']) => id));
      const isNamed = (id: string) => rows.some((row) => row.cases.includes(id) && row.tests.includes(path));
      return [...said].filter((id) => !isNamed(id)).map((id) => `${path}: A-${id}`);
    });
    expect(left).toEqual([]);
  });
});
