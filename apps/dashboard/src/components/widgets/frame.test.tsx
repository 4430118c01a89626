import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ReaderProvider, readerOf } from '../../ui/reader.ts';
import { Frame } from './frame.tsx';

const failure = { present: false };

function Content() {
  if (failure.present) throw new Error('no number');
  return <p>42 events</p>;
}

test('a widget that cannot draw says so in its place, and tries again', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  failure.present = true;
  render(
    <MantineProvider env="test">
      <ReaderProvider value={readerOf({ locale: 'en-US', timezone: 'UTC' })}>
        <Frame
          id="w"
          name="Log volume"
          definition="What was received."
          handle={null}
          loadMenu={async () => () => null}
          controls={{ span: { period: 'LAST_7_DAYS' } }}
        >
          <Content />
        </Frame>
        <p>The widget beside it</p>
      </ReaderProvider>
    </MantineProvider>,
  );
  expect(screen.getByRole('heading', { name: 'Log volume' })).toBeDefined();
  expect(screen.getByText('The widget beside it')).toBeDefined();
  failure.present = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again: Log volume' }));
  expect(screen.getByText('42 events')).toBeDefined();
  vi.restoreAllMocks();
});
