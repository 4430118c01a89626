import { expect, test } from 'vitest';
import { downloadAddress } from '../../../lib/file-download.ts';
import { fileProblem } from './file-choice.ts';
import { readTerms, termFieldsOf } from './term-fields.ts';
import { calendarDay, noticeText, termState, termText } from './term-state.ts';

const terms = { start_date: '2026-01-01', end_date: '2026-12-31', renewal_notice_date: '2026-10-01', seats: null };

test.each([
  ['2025-12-31', 'ahead', 'Starts in 1 day'],
  ['2026-01-01', 'running', '364 days left'],
  ['2026-09-30', 'running', '92 days left'],
  ['2026-10-01', 'notice', '91 days left'],
  ['2026-12-30', 'notice', '1 day left'],
  ['2026-12-31', 'notice', 'Ends today'],
  ['2027-01-01', 'over', 'Ended 1 day ago'],
])('on %s the term is %s: %s', (today, stage, text) => {
  const state = termState(terms, today);
  expect([state.stage, termText(state)]).toEqual([stage, text]);
});

test('nothing lies beside the line, whatever the dates are', () => {
  expect(termState({ ...terms, renewal_notice_date: '2025-06-01' }, '2030-01-01')).toMatchObject({
    today: 1,
    notice: 0,
  });
  expect(termState({ ...terms, renewal_notice_date: null }, '2026-07-02').notice).toBeUndefined();
  expect(termState(terms, '2026-07-02').today).toBeCloseTo(0.5, 2);
});

test('the notice date is counted from today, both ways', () => {
  expect([noticeText(0), noticeText(1), noticeText(-3)]).toEqual(['today', 'in 1 day', '3 days ago']);
});

test('a day is that of the reader’s zone', () => {
  const at = new Date('2026-12-31T23:30:00Z');
  expect([calendarDay(at, 'UTC'), calendarDay(at, 'Asia/Tokyo')]).toEqual(['2026-12-31', '2027-01-01']);
});

test.each([
  ['en-US', '12/31/2026'],
  ['pt-BR', '31/12/2026'],
  ['en-CA', '2026-12-31'],
] as const)('in %s dates are shown and typed as %s', (locale, end) => {
  const fields = termFieldsOf(terms, locale);
  expect(fields.end_date).toBe(end);
  expect(readTerms(fields, locale).body).toEqual(terms);
});

test('what cannot be read is said beside its field, in the words of the locale', () => {
  const fields = termFieldsOf(terms, 'pt-BR');
  expect(readTerms({ ...fields, end_date: '12/31/2026' }, 'pt-BR').problems).toEqual({
    end_date: 'Invalid date format. Expected format: dd/MM/yyyy',
  });
  expect(readTerms({ ...fields, end_date: fields.start_date }, 'pt-BR').problems?.end_date).toContain(
    'after the start',
  );
  expect(readTerms({ ...fields, seats: '0' }, 'pt-BR').problems?.seats).toContain('whole number');
  expect(readTerms({ ...fields, seats: '1e3' }, 'pt-BR').problems?.seats).toContain('whole number');
  expect(readTerms({ ...fields, seats: ' 25 ' }, 'pt-BR').body?.seats).toBe(25);
});

test('only PDF files of a bearable size are sent', () => {
  const pdf = { name: 'a.pdf', type: 'application/pdf', size: 1 };
  expect(fileProblem(pdf)).toBeUndefined();
  expect(fileProblem({ ...pdf, type: 'text/html' })).toContain('not a PDF');
  expect(fileProblem({ ...pdf, size: 0 })).toContain('empty');
  expect(fileProblem({ ...pdf, size: 21 * 1_048_576 })).toContain('at most 20 MB');
});

test('a download link is followed where the API lives', () => {
  const page = 'https://air.example/settings/term-dates';
  expect(downloadAddress('/files/x', '/', page)).toBe('https://air.example/files/x');
  expect(downloadAddress('/files/x', 'https://api.example/base', page)).toBe('https://api.example/files/x');
});
