import { MantineProvider } from '@mantine/core';
import { render, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { QueryBar } from './query-bar.tsx';
import { drawRows } from './search-screen-fixture.ts';

afterEach(() => vi.unstubAllGlobals());

test('an idle browser loads the editor, but not before the events are there', async () => {
  drawRows();
  const idle = vi.fn((run: () => void) => window.setTimeout(run, 0));
  vi.stubGlobal('requestIdleCallback', idle);
  vi.stubGlobal('cancelIdleCallback', (handle: number) => clearTimeout(handle));
  const bar = (busy: boolean) => (
    <MantineProvider>
      <QueryBar
        ref={null}
        query="failed"
        refused={undefined}
        busy={busy}
        offers={{ fields: [], values: () => Promise.resolve([]) }}
        onRun={() => undefined}
      />
    </MantineProvider>
  );
  const { rerender, container } = render(bar(true));
  expect(idle).not.toHaveBeenCalled();
  rerender(bar(false));
  await waitFor(() => expect(container.querySelector('.cm-content')?.textContent).toBe('failed'));
});
