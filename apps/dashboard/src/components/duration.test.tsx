import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ReaderProvider, readerOf } from '../ui/reader.ts';
import { Duration } from './duration.tsx';
import { stepWords } from './flow/step-words.ts';

test('a length of time has the decimals of the profile', () => {
  render(
    <ReaderProvider value={readerOf({ locale: 'pt-BR', timezone: 'UTC' })}>
      <Duration start="2026-11-21T12:00:00Z" end="2026-11-21T12:01:30Z" />
    </ReaderProvider>,
  );
  expect(screen.getByText('1,5 min')).toBeTruthy();
  const nameOf = () => ({ name: '', vendor: '' });
  expect(stepWords({ id: 'pause', kind: 'delay', seconds: 90 }, { nameOf, locale: 'pt-BR' }).name).toBe('Wait 1,5 min');
});
