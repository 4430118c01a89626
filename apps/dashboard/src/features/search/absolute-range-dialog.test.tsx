import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ReaderProvider, readerOf } from '../../ui/reader.ts';
import { AbsoluteRangeDialog } from './absolute-range-dialog.tsx';
import type { Window } from './time-range.ts';

const now = new Date('2026-11-21T12:00:00Z');
const dayAgo = { start: new Date('2026-11-20T12:00:00Z'), end: now };

function open(timezone: string, shown: Window | 'nothing' = dayAgo, locale = 'en-US') {
  const saved: { start: string; end: string }[] = [];
  render(
    <MantineProvider env="test">
      <ReaderProvider value={readerOf({ locale, timezone })}>
        <AbsoluteRangeDialog
          shown={shown === 'nothing' ? undefined : shown}
          now={now}
          onClose={() => undefined}
          onSave={({ start, end }) => saved.push({ start: start.toISOString(), end: end.toISOString() })}
        />
      </ReaderProvider>
    </MantineProvider>,
  );
  return saved;
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const values = () => ['From: day', 'From: time', 'To: day', 'To: time'].map((label) => field(label).value);
const set = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Search this range' }));

test.each([
  ['UTC', ['11/20/2026', '12:00:00', '11/21/2026', '12:00:00']],
  ['America/Sao_Paulo', ['11/20/2026', '09:00:00', '11/21/2026', '09:00:00']],
  ['Pacific/Kiritimati', ['11/21/2026', '02:00:00', '11/22/2026', '02:00:00']],
])('shows what is searched as clocks in %s do, says so, and gives the same moments back', (timezone, expected) => {
  const saved = open(timezone);
  expect(values()).toEqual(expected);
  expect(screen.getByText(`Times of the zone ${timezone.replace('_', ' ')}.`)).toBeDefined();
  save();
  expect(saved).toEqual([{ start: dayAgo.start.toISOString(), end: dayAgo.end.toISOString() }]);
});

test('what is typed means the clock of the zone of the profile, not of the browser', () => {
  const saved = open('Asia/Kathmandu');
  set('From: day', '03/01/2026');
  set('From: time', '00:00');
  set('To: day', '03/02/2026');
  set('To: time', '05:45:30');
  save();
  expect(saved).toEqual([{ start: '2026-02-28T18:15:00.000Z', end: '2026-03-02T00:00:30.000Z' }]);
});

test.each([
  ['turned round', '11/22/2026'],
  ['of no length', '11/21/2026'],
])('a range %s is refused at its end, until it is put right', (_, from) => {
  const saved = open('UTC');
  set('From: day', from);
  save();
  expect(saved).toEqual([]);
  expect(screen.getByText('The end must be after the start.')).toBeDefined();
  expect(field('To: day').getAttribute('aria-invalid')).toBe('true');
  expect(field('From: day').getAttribute('aria-invalid')).not.toBe('true');
  set('From: day', '11/19/2026');
  save();
  expect(saved).toEqual([{ start: '2026-11-19T12:00:00.000Z', end: now.toISOString() }]);
});

test('a range of a hundred years is taken as it is; the server says how far the plan reaches', () => {
  const saved = open('UTC');
  set('From: day', '11/21/1926');
  save();
  expect(saved).toEqual([{ start: '1926-11-21T12:00:00.000Z', end: now.toISOString() }]);
});

test.each([
  ['From: day', ''],
  ['To: day', ''],
  ['To: time', ''],
])('%s left empty is asked for where it is missing', (label, value) => {
  const saved = open('UTC');
  set(label, value);
  save();
  expect(saved).toEqual([]);
  const moment = label.startsWith('From') ? 'From' : 'To';
  expect(field(`${moment}: day`).getAttribute('aria-invalid')).toBe('true');
  expect(screen.getAllByText('Enter a day and a time.')).toHaveLength(1);
});

test('without a range that can be shown it begins with the last day', () => {
  open('UTC', 'nothing');
  expect(values()).toEqual(['11/20/2026', '12:00:00', '11/21/2026', '12:00:00']);
});

test.each([
  ['en-US', '11/20/2026', '19/11/2026', 'MM/dd/yyyy'],
  ['pt-BR', '20/11/2026', '11/19/2026', 'dd/MM/yyyy'],
  ['en-CA', '2026-11-20', '11/19/2026', 'yyyy-MM-dd'],
])('days are shown and typed as %s writes them, whatever the browser does', (locale, day, wrong, format) => {
  const saved = open('UTC', dayAgo, locale);
  expect([field('From: day').value, field('From: day').placeholder]).toEqual([day, format]);
  set('To: day', wrong);
  save();
  expect(saved).toEqual([]);
  expect(screen.getByText(`Invalid date format. Expected format: ${format}`)).toBeDefined();
  expect(field('To: day').getAttribute('aria-invalid')).toBe('true');
});
