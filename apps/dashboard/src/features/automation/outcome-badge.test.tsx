import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { OutcomeBadge } from './outcome-badge.tsx';

afterEach(cleanup);

test.each([
  ['started', 'success', 'Success'],
  ['skipped', null, 'Condition not met'],
  ['failed', null, 'Could not start'],
  ['stopped', null, 'Stopped: too many'],
] as const)('an answer that was %s says so', (outcome, status, word) => {
  render(
    <MantineProvider>
      <OutcomeBadge entry={{ outcome, status }} />
    </MantineProvider>,
  );
  expect(screen.getByText(word)).toBeTruthy();
});
