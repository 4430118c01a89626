import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { WidgetMenu } from './widget-menu.tsx';
import { defaultWidgets, freeId, spanOf, type Widget } from './widgets.ts';
// Loaded with the file, or the first test would wait for it.
import './rename-dialog.tsx';

const [volume] = defaultWidgets as [Widget];
const second = { ...volume, id: freeId(defaultWidgets, volume.type) };

/** The menu of the second of two widgets of one type. */
function Page({ told }: { told: (list: readonly Widget[], said: string) => void }) {
  const [list, setList] = useState<readonly Widget[]>([volume, second]);
  const [said, say] = useState('');
  told(list, said);
  const widget = list[1] as Widget;
  return (
    <MantineProvider env="test">
      <WidgetMenu
        {...{ widget, list, say, span: spanOf(widget), onSpan: () => undefined, onCustom: () => undefined }}
        target={
          <button type="button" data-period-of={widget.id}>
            {widget.data.name}
          </button>
        }
        change={(change) => setList(change)}
      />
    </MantineProvider>
  );
}

test('of two widgets of one type one is renamed, and gets its usual name back when it is left empty', async () => {
  let now: { list: readonly Widget[]; said: string } = { list: [], said: '' };
  render(
    <Page
      told={(list, said) => {
        now = { list, said };
      }}
    />,
  );
  const rename = async (text: string) => {
    if (screen.queryByRole('menuitem', { name: 'Rename…' }) === null) {
      fireEvent.click(screen.getByRole('button', { name: now.list[1]?.data.name as string }));
    }
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename…' }));
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: text } });
    fireEvent.click(screen.getByRole('button', { name: 'Rename' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await rename('  Logs of the quarter ');
  expect(now.list.map(({ data }) => data.name)).toEqual(['Log volume', 'Logs of the quarter']);
  expect(now.said).toBe('Log volume is now called Logs of the quarter.');
  await rename(' ');
  expect(now.list.map(({ data }) => data.name)).toEqual(['Log volume', 'Log volume']);
});
