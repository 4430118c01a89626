import { describe, expect, it } from 'vitest';
import { listFiles, listPaths } from './source-files.ts';

const HEAD = 'id,level,state,proof,note';
const states = ['held', 'part', 'open', 'by_operator', 'not_applicable'];
/** Requirements of each level as OWASP published version 5.0.0. */
const published = { '1': 70, '2': 183, '3': 92 };
/** The last number of every section, chapter by chapter: they are counted through from 1. */
const sections = [
  [2, 10, 12, 3, 3],
  [3, 3, 5, 2],
  [1, 3, 5, 8, 8, 1, 5],
  [5, 5, 2, 4],
  [1, 6, 3, 3],
  [3, 12, 8, 6, 8, 4, 2, 4],
  [3, 4, 2, 5, 3, 2],
  [4, 4, 3, 2],
  [3, 4],
  [2, 3, 5, 16, 5, 2, 3],
  [4, 5, 5, 4, 2, 2, 2],
  [5, 2, 5],
  [4, 6, 4, 7],
  [2, 8, 3],
  [5, 5, 7, 4],
  [1, 5, 4, 3, 4],
  [2, 8, 2],
];
/** What can fail, or the document where a document is what is asked for. */
const provable = /\.test\.tsx?$|^biome\.json$|^docs\/.*\.md$/;

const text = contentOf(/^security\/asvs\.csv$/);
const [head, ...lines] = text.trimEnd().split('\n');
const rows = lines.map((line) => {
  const [id = '', level = '', state = '', proof = '', note = '', ...more] = line.split(',');
  return { id, level, state, proof: proof.split(' ').filter(Boolean), note: note.trim(), cells: 5 + more.length };
});

describe('the state against ASVS', () => {
  it('has five cells in every row', () => {
    expect(head).toBe(HEAD);
    expect(rows.filter(({ cells }) => cells !== 5)).toEqual([]);
  });

  it('names every requirement once, so that none is passed over', () => {
    const ids = sections.flatMap((lasts, chapter) =>
      lasts.flatMap((last, section) =>
        Array.from({ length: last }, (_, at) => `V${chapter + 1}.${section + 1}.${at + 1}`),
      ),
    );
    expect(ids).toHaveLength(345);
    expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('has as many rows of each level as were published', () => {
    expect(countBy(rows.map(({ level }) => level))).toEqual(published);
  });

  it('knows no other states, proves what is held and explains what is not', () => {
    expect(rows.filter(({ state }) => !states.includes(state))).toEqual([]);
    const held = rows.filter(({ state }) => state === 'held');
    expect(held.filter(({ proof }) => !proof.some((path) => provable.test(path)))).toEqual([]);
    expect(rows.filter(({ state, note }) => state !== 'held' && note === '')).toEqual([]);
  });

  it('names only files that exist', () => {
    const known = new Set(listPaths(/./));
    const noted = rows.flatMap(({ note }) => note.match(/docs\/[a-z/-]+\.md/g) ?? []);
    expect([...rows.flatMap(({ proof }) => proof), ...noted].filter((path) => !known.has(path))).toEqual([]);
  });

  it('is told in the document by the same counts', () => {
    const table = [...contentOf(/^docs\/security\.md$/).matchAll(/^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)];
    const told = Object.fromEntries(table.map(([, state = '', ...counts]) => [state, counts.map(Number)]));
    const counted = [...states, 'all'].map((state) => {
      const those = rows.filter((row) => state === 'all' || row.state === state);
      return [state, Object.keys(published).map((level) => those.filter((row) => row.level === level).length)];
    });
    expect(told).toEqual(Object.fromEntries(counted));
  });
});

function contentOf(path: RegExp): string {
  return listFiles(path)
    .map((file) => file.text)
    .join('');
}

function countBy(values: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries(counts);
}
