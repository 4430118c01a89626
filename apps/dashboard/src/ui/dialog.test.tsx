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

/** Its button stays locked until the work that the dialog asked about is over. */
function Work() {
  const [state, setState] = useState<'idle' | 'asking' | 'left'>('idle');
  return (
    <MantineProvider env="test">
      <button type="button" disabled={state !== 'idle'} onClick={() => setState('asking')}>
        Go on
      </button>
      {state === 'asking' ? (
        <Dialog title="Who?" onClose={() => setState('left')}>
          <input aria-label="Reason" data-autofocus />
        </Dialog>
      ) : null}
      {state === 'left' ? <button type="button" data-testid="unlock" onClick={() => setState('idle')} /> : null}
    </MantineProvider>
  );
}

test('to a button that is locked while its work goes on: once it can be used again', async () => {
  render(<Work />);
  const button = screen.getByRole('button', { name: 'Go on' });
  button.focus();
  fireEvent.click(button);
  await answer();
  expect(document.activeElement).toBe(document.body);
  fireEvent.click(screen.getByTestId('unlock'));
  await waitFor(() => expect(document.activeElement).toBe(button));
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
