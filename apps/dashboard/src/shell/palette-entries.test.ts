import { expect, test } from 'vitest';
import { type Entry, fittingGroups } from './palette-entries.ts';

const run = () => undefined;
const entry = (label: string, rest: Partial<Entry> = {}): Entry => ({ id: label, label, run, ...rest });
const groups = [
  { title: 'Screens', entries: [entry('Search reports'), entry('Cases', { words: 'alerts' }), entry('Search')] },
  { title: 'Tenants', entries: [entry('Harbor Clinics'), entry('Meridian Foods')] },
];
const found = (query: string) =>
  fittingGroups(groups, query).map(({ title, entries }) => [title, ...entries.map((e) => e.label)]);

test('every word has to fit somewhere, names before other words', () => {
  expect(found('search rep')).toEqual([['Screens', 'Search reports']]);
  expect(found('ALERT')).toEqual([['Screens', 'Cases']]);
  expect(found('clinics')).toEqual([['Tenants', 'Harbor Clinics']]);
  expect(found('search nothing')).toEqual([]);
});

test('accents are no part of it', () => {
  const spoken = [{ title: 'Telas', entries: [entry('Início'), entry('Visão geral', { words: 'políticas' })] }];
  const labels = (query: string) => fittingGroups(spoken, query).flatMap(({ entries }) => entries.map((e) => e.label));
  expect([labels('inicio'), labels('VISAO'), labels('politicas')]).toEqual([
    ['Início'],
    ['Visão geral'],
    ['Visão geral'],
  ]);
});

test('without a query everything shows, at most six of a group', () => {
  expect(found('')).toHaveLength(2);
  const many = [{ title: 'Many', entries: Array.from({ length: 20 }, (_, n) => entry(`Entry ${n}`)) }];
  expect(fittingGroups(many, '')[0]?.entries).toHaveLength(6);
});
