import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FilterBar } from './filter-bar.tsx';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function show(q?: string) {
  const onSearch = vi.fn();
  const bar = (text: string | undefined) => (
    <MantineProvider env="test">
      <FilterBar q={text} searchLabel="Search cases" onSearch={onSearch} />
    </MantineProvider>
  );
  const { rerender } = render(bar(q));
  const field = () => screen.getByLabelText<HTMLInputElement>('Search cases');
  const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
  const pause = () => act(() => vi.advanceTimersByTime(300));
  return { onSearch, field, type, pause, urlSays: (text: string | undefined) => rerender(bar(text)) };
}

test('the search is sent once typing pauses, trimmed, and emptied as absent', () => {
  const { onSearch, type, pause } = show();
  type('1');
  type('10.0');
  type(' 10.0.0.1 ');
  expect(onSearch).not.toHaveBeenCalled();
  pause();
  type('');
  pause();
  expect(onSearch.mock.calls).toEqual([['10.0.0.1'], [undefined]]);
});

test('the address catching up does not touch what is being typed', () => {
  const { field, type, pause, urlSays } = show();
  type('ssh ');
  pause();
  urlSays('ssh');
  expect(field().value).toBe('ssh ');
});

test('what is typed while the address still catches up stays, and the next address of another hand counts', () => {
  const { field, type, pause, urlSays } = show();
  type('ssh');
  pause();
  type('ssh x');
  urlSays('ssh');
  expect(field().value).toBe('ssh x');
  urlSays(undefined);
  expect(field().value).toBe('');
  urlSays('ssh');
  expect(field().value).toBe('ssh');
});

test('going back in the history shows the earlier search', () => {
  const { field, urlSays } = show('ssh');
  expect(field().value).toBe('ssh');
  urlSays(undefined);
  expect(field().value).toBe('');
});

test('what is clicked before the pause is over comes after the search, which is not sent again', () => {
  const { onSearch, type, pause } = show();
  const order: string[] = [];
  onSearch.mockImplementation(() => order.push('search'));
  render(
    <button type="button" onClick={() => order.push('opened')}>
      Open
    </button>,
  );
  type('ssh');
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  pause();
  expect(order).toEqual(['search', 'opened', 'opened']);
});
