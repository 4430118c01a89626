import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { type DayRange, DayRangeDialog } from './day-range-dialog.tsx';
import { ReaderProvider, readerOf } from './reader.ts';

afterEach(() => void Reflect.deleteProperty(HTMLInputElement.prototype, 'showPicker'));

function open(locale: string, from = '2026-02-03') {
  const saved: DayRange[] = [];
  const limits = { first: { from, to: from === '' ? '' : '2026-02-04' }, latest: '2026-03-31', maxDays: 31 };
  render(
    <MantineProvider env="test">
      <ReaderProvider value={readerOf({ locale, timezone: 'UTC' })}>
        <DayRangeDialog
          {...{ title: 'Days', action: 'Show', ...limits }}
          onClose={() => undefined}
          onSave={(range) => saved.push(range)}
        />
      </ReaderProvider>
    </MantineProvider>,
  );
  return saved;
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const set = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Show' }));

test.each([
  ['en-US', '02/03/2026', '02/05/2026', 'MM/dd/yyyy'],
  ['pt-BR', '03/02/2026', '05/02/2026', 'dd/MM/yyyy'],
  ['en-CA', '2026-02-03', '2026-02-05', 'yyyy-MM-dd'],
])('days are shown and typed as %s writes them, whatever the browser does', (locale, first, typed, format) => {
  const saved = open(locale);
  expect([field('First day').value, field('First day').placeholder]).toEqual([first, format]);
  set('Last day', typed);
  save();
  expect(saved).toEqual([{ from: '2026-02-03', to: '2026-02-05' }]);
});

test.each(['02-05-2026', '13/05/2026', '02/30/2026', '5 Feb'])(
  '%s is no day of the profile, and that is said',
  (typed) => {
    const saved = open('en-US');
    set('Last day', typed);
    save();
    expect(saved).toEqual([]);
    expect(screen.getByText('Invalid date format. Expected format: MM/dd/yyyy')).toBeDefined();
    expect(field('Last day').getAttribute('aria-invalid')).toBe('true');
    expect(field('First day').getAttribute('aria-invalid')).not.toBe('true');
  },
);

test('where no days are chosen yet the fields are empty, and both are asked for', () => {
  const saved = open('en-US', '');
  expect([field('First day').value, field('Last day').value]).toEqual(['', '']);
  save();
  expect(saved).toEqual([]);
  expect(screen.getAllByText('Enter a day.')).toHaveLength(2);
});

test.each([
  ['Last day', ' ', 'Enter a day.'],
  ['First day', '02/05/2026', 'The last day must not be before the first.'],
  ['First day', '04/01/2026', 'This day is in the future.'],
  ['First day', '01/01/2026', 'At most 31 days.'],
])('%s of "%s": %s', (label, typed, words) => {
  const saved = open('en-US');
  set(label, typed);
  save();
  expect(saved).toEqual([]);
  expect(screen.getByText(words)).toBeDefined();
});

test('a day is picked from the calendar of the browser as well, and stands there as it would be typed', () => {
  const opened: { value: string; max: string }[] = [];
  Object.defineProperty(HTMLInputElement.prototype, 'showPicker', {
    configurable: true,
    value(this: HTMLInputElement) {
      opened.push({ value: this.value, max: this.max });
      fireEvent.change(this, { target: { value: '2026-02-20' } });
    },
  });
  const saved = open('pt-BR');
  fireEvent.click(screen.getByRole('button', { name: 'Last day: calendar' }));
  expect(opened).toEqual([{ value: '2026-02-04', max: '2026-03-31' }]);
  expect(field('Last day').value).toBe('20/02/2026');
  save();
  expect(saved).toEqual([{ from: '2026-02-03', to: '2026-02-20' }]);
});
