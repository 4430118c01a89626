import type { JsonObject } from '@airdeck/contracts/fields';
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Metrics } from './metrics.tsx';

const show = (values: JsonObject) =>
  render(
    <MantineProvider env="test">
      <Metrics values={values} />
    </MantineProvider>,
  );

test('figures are read by their names, sizes as sizes, and what was not said stays open', () => {
  const { container } = show({ entries_waiting: 12, journal_size_bytes: 2_097_152, read_per_second: null });
  const lines = [...container.querySelectorAll('dl > div')].map((line) => line.textContent);
  expect(lines).toEqual(['Entries waiting12', 'Journal size2.1 MB', 'Read per second–']);
});

test('what is more than figures is shown as it came', () => {
  show({ node: 'gl-1', load: 0.5 });
  expect(screen.getByRole('region', { name: 'Figures of the system' }).textContent).toContain('gl-1');
});
