import { expect, test } from 'vitest';
import { monthText, reportMonths } from './months.ts';

test('the last whole month comes first, over the turn of the year, and the present one last', () => {
  const months = reportMonths(new Date('2026-02-10T12:00:00Z'), 'UTC');
  expect(months.slice(0, 3)).toEqual(['2026-01', '2025-12', '2025-11']);
  expect(months.at(-1)).toBe('2026-02');
  expect(months).toHaveLength(25);
});

test('which month it is, the reader’s zone decides', () => {
  expect(reportMonths(new Date('2026-03-01T01:00:00Z'), 'America/Sao_Paulo').at(-1)).toBe('2026-02');
});

test('a month is written as the reader does', () => {
  expect(monthText('2026-01', { locale: 'pt-BR' })).toBe('janeiro de 2026');
});
