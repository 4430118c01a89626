import { MantineProvider, Menu } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Dialog } from './dialog.tsx';

function Screen() {
  const [asking, setAsking] = useState(false);
  return (
    <MantineProvider env="test">
      <button type="button" onClick={() => setAsking(true)}>
        Ask
      </button>
      <Menu>
        <Menu.Target>
          <button type="button">More</button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsking(true)}>Ask too</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asking ? (
        <Dialog title="Why?" onClose={() => setAsking(false)}>
          <input aria-label="Reason" data-autofocus />
        </Dialog>
      ) : null}
    </MantineProvider>
  );
}

async function answer() {
  const field = await screen.findByLabelText('Reason');
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(screen.queryByLabelText('Reason')).toBeNull();
}

test('a dialog gives the focus back to the button that opened it, or people would begin at the top again', async () => {
  render(<Screen />);
  const ask = screen.getByRole('button', { name: 'Ask' });
  ask.focus();
  fireEvent.click(ask);
  await answer();
  await waitFor(() => expect(document.activeElement).toBe(ask));
});

test('opened from a menu, to the button of the menu', async () => {
  render(<Screen />);
  const more = screen.getByRole('button', { name: 'More' });
  more.focus();
  fireEvent.click(more);
  const item = await screen.findByRole('menuitem', { name: 'Ask too' });
  item.focus();
  fireEvent.click(item);
  await answer();
  await waitFor(() => expect(document.activeElement).toBe(more));
});
