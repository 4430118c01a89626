import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DateRange } from '../../queries/dashboards.ts';
import { ReaderProvider, readerOf } from '../../ui/reader.ts';
import { RangeDialog } from './range-dialog.tsx';

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

test.each([
  ['Pacific/Kiritimati', '11/15/2026', '11/22/2026', '2026-11-22'],
  ['Pacific/Pago_Pago', '11/14/2026', '11/21/2026', '2026-11-21'],
])('days start as those of the profile in %s, where its today is no future', (timezone, from, to, today) => {
  const saved: DateRange[] = [];
  render(
    <MantineProvider env="test">
      <ReaderProvider value={readerOf({ locale: 'en-US', timezone })}>
        <RangeDialog
          of="all widgets"
          shown={{ period: 'LAST_7_DAYS' }}
          onClose={() => undefined}
          onSave={(range) => saved.push(range)}
        />
      </ReaderProvider>
    </MantineProvider>,
  );
  const last = screen.getByLabelText('Last day') as HTMLInputElement;
  expect([(screen.getByLabelText('First day') as HTMLInputElement).value, last.value]).toEqual([from, to]);
  fireEvent.change(screen.getByLabelText('First day'), { target: { value: to } });
  fireEvent.click(screen.getByRole('button', { name: 'Show this period' }));
  expect(saved).toEqual([{ from: today, to: today }]);
});
