import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { ReaderProvider, readerOf } from '../../../../ui/reader.ts';
import { DurationField } from './duration-field.tsx';

function Field({ seen }: { seen: (seconds: number | undefined) => void }) {
  const [seconds, setSeconds] = useState<number | undefined>(7_200);
  const change = (next: number | undefined) => {
    setSeconds(next);
    seen(next);
  };
  return (
    <DurationField
      id="x"
      label="Wait"
      seconds={seconds}
      onChange={change}
      onLeave={() => undefined}
      problem={undefined}
    />
  );
}

test.each([
  ['pt-BR', ['1', '1,', '1,5'], '1,5', 5_400],
  ['en-US', ['1', '1.', '1.5'], '1.5', 5_400],
  ['en-US', ['1', '1,', '15'], '15', 54_000],
])('in %s, typing %j is %s hours', (locale, steps, shown, seconds) => {
  const seen: unknown[] = [];
  render(
    <MantineProvider env="test">
      <ReaderProvider value={readerOf({ locale, timezone: 'UTC' })}>
        <Field seen={(each) => seen.push(each)} />
      </ReaderProvider>
    </MantineProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>('textbox');
  for (const value of steps) fireEvent.change(field, { target: { value } });
  expect(field.value).toBe(shown);
  expect(seen.at(-1)).toBe(seconds);
});
