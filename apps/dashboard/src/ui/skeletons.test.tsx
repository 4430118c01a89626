import { readFileSync } from 'node:fs';
import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Loading } from './skeletons.tsx';

const show = (children: ReactNode) => render(<MantineProvider env="test">{children}</MantineProvider>);
const isLate = (name: string) => screen.getByText(name).closest('[role=status]')?.className !== '';

test('a placeholder is seen only after 300 ms, that of a route, which has waited, at once', () => {
  const { rerender } = show(<Loading label="Loading cases">…</Loading>);
  expect(isLate('Loading cases')).toBe(true);
  rerender(
    <MantineProvider env="test">
      <Loading key="route" waited label="Loading case">
        …
      </Loading>
    </MantineProvider>,
  );
  expect(isLate('Loading case')).toBe(false);
});

test('what takes over from the placeholder of a route does not vanish for 300 ms', () => {
  const of = (content: ReactNode) => <MantineProvider env="test">{content}</MantineProvider>;
  const { rerender } = render(
    of(
      <Loading key="route" waited label="Loading">
        …
      </Loading>,
    ),
  );
  rerender(
    of(
      <Loading key="screen" label="Loading cases">
        …
      </Loading>,
    ),
  );
  expect(isLate('Loading cases')).toBe(false);
  // Drawn again later it stays seen.
  rerender(
    of(
      <Loading key="screen" label="Loading cases">
        more
      </Loading>,
    ),
  );
  expect(isLate('Loading cases')).toBe(false);
});

test('nor does what takes over from one that was hidden for 300 ms and is seen by now', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { rerender } = show(<Loading label="Loading frame">…</Loading>);
  const follow = (name: string) =>
    rerender(
      <MantineProvider env="test">
        <Loading key={name} label={name}>
          …
        </Loading>
      </MantineProvider>,
    );
  follow('Loading early');
  expect(isLate('Loading early')).toBe(true);
  act(() => vi.advanceTimersByTime(420));
  follow('Loading later');
  expect(isLate('Loading later')).toBe(false);
});

test('the delay is one of an animation that ends, so that nobody waits for something invisible for ever', () => {
  const css = readFileSync(`${import.meta.dirname}/skeletons.module.css`, 'utf8');
  expect(css).toMatch(/\.late \{\s*animation: appear 120ms 300ms both;\s*\}/);
  expect(css.match(/opacity: 0/g)).toHaveLength(1);
});
