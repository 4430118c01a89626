import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { QueryBar } from './query-bar.tsx';
import { drawRows } from './search-screen-fixture.ts';

afterEach(() => vi.unstubAllGlobals());

function bar({ query, busy }: { query: string; busy: boolean }) {
  return (
    <MantineProvider>
      <QueryBar
        ref={null}
        query={query}
        refused={undefined}
        busy={busy}
        offers={{ fields: [], values: () => Promise.resolve([]) }}
        onRun={() => undefined}
      />
    </MantineProvider>
  );
}

function stubIdle() {
  const idle = vi.fn((run: () => void) => window.setTimeout(run, 0));
  vi.stubGlobal('requestIdleCallback', idle);
  vi.stubGlobal('cancelIdleCallback', (handle: number) => clearTimeout(handle));
  return idle;
}

test('an idle browser loads the editor for a query there is, but not before the events are there', async () => {
  drawRows();
  const idle = stubIdle();
  const { rerender, container } = render(bar({ query: 'failed', busy: true }));
  expect(idle).not.toHaveBeenCalled();
  rerender(bar({ query: 'failed', busy: false }));
  await waitFor(() => expect(container.querySelector('.cm-content')?.textContent).toBe('failed'));
});

test('where there is no query to colour, the editor loads when the pointer comes near', async () => {
  drawRows();
  const idle = stubIdle();
  const { container } = render(bar({ query: '', busy: false }));
  expect(idle).not.toHaveBeenCalled();
  fireEvent.pointerEnter(screen.getByRole('textbox', { name: 'Query' }));
  await waitFor(() => expect(container.querySelector('.cm-content')).not.toBeNull());
});
