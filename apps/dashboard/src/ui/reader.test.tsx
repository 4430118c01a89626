import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReaderProvider, readerOf } from './reader.ts';
import { RelativeTime } from './relative-time.tsx';

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

function shown(reader: { locale: string; timezone: string }, time: string) {
  render(
    <MantineProvider env="test">
      <ReaderProvider value={readerOf(reader)}>
        <RelativeTime time={time} />
      </ReaderProvider>
    </MantineProvider>,
  );
  return screen.getByText((_, element) => element?.tagName === 'TIME').textContent;
}

test.each([
  [{ locale: 'en-US', timezone: 'UTC' }, 'Nov 1, 2026 1:30 AM'],
  [{ locale: 'en-CA', timezone: 'Asia/Tokyo' }, 'Nov 1, 2026 10:30 AM'],
  [{ locale: 'pt-BR', timezone: 'America/Sao_Paulo' }, 'out 31, 2026 10:30 PM'],
])('a time is shown in the locale and zone of the profile: %o', (reader, text) => {
  expect(shown(reader, '2026-11-01T01:30:00Z')).toBe(text);
});

test('a locale or zone this browser does not know falls back instead of breaking every time on the screen', () => {
  expect(readerOf({ locale: 'xx', timezone: 'Mars/Olympus' })).toEqual({ locale: 'en-US', timeZone: undefined });
  expect(readerOf({ locale: 'pt-BR', timezone: 'CET' })).toEqual({ locale: 'pt-BR', timeZone: undefined });
  expect(readerOf({ locale: 'pt-BR', timezone: 'UTC' })).toEqual({ locale: 'pt-BR', timeZone: 'UTC' });
  expect(readerOf({ locale: 'pt-BR', timezone: '' })).toEqual({ locale: 'pt-BR', timeZone: undefined });
});
