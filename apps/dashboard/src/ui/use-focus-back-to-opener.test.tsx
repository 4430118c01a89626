import { Button, MantineProvider, Menu, Popover } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Dialog } from './dialog.tsx';

/** Controls that are locked while what they changed is saved. */
function Saving() {
  const [saving, setSaving] = useState(false);
  const save = () => setSaving(true);
  return (
    <MantineProvider env="test">
      <Button loading={saving} onClick={save}>
        Save
      </Button>
      {/* Its own try comes while the button is locked, and is in vain. */}
      <Menu returnFocus={false}>
        <Menu.Target>
          <Button loading={saving}>More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={save}>Save too</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <a href="#rows">Rows</a>
      <button type="button" data-testid="saved" onClick={() => setSaving(false)} />
    </MantineProvider>
  );
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

function press(control: HTMLElement) {
  control.focus();
  fireEvent.click(control);
}

/** A browser takes the focus from what is locked, which jsdom does not. */
async function locked(control: HTMLButtonElement) {
  await waitFor(() => expect(control.disabled).toBe(true));
  control.disabled = false;
  control.blur();
  control.disabled = true;
  expect(document.activeElement === document.body).toBe(true);
}

test('a control that was locked while it saved has the focus again, or people would begin at the top', async () => {
  render(<Saving />);
  press(button('Save'));
  await locked(button('Save'));
  fireEvent.click(screen.getByTestId('saved'));
  await waitFor(() => expect(document.activeElement).toBe(button('Save')));
});

test('so has the button of a menu whose item locked it', async () => {
  render(<Saving />);
  press(button('More'));
  press(await screen.findByRole('menuitem', { name: 'Save too' }));
  await locked(button('More'));
  fireEvent.click(screen.getByTestId('saved'));
  await waitFor(() => expect(document.activeElement).toBe(button('More')));
});

test('whoever went on meanwhile is not taken back', async () => {
  render(<Saving />);
  press(button('Save'));
  await locked(button('Save'));
  screen.getByRole('link', { name: 'Rows' }).focus();
  fireEvent.click(screen.getByTestId('saved'));
  await waitFor(() => expect(button('Save').disabled).toBe(false));
  // What watches has been told by then.
  await Promise.resolve();
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Rows' }));
});

/** A popover with a menu in it, and what opens from both. */
function Saved({ closes }: { closes: boolean }) {
  const [opened, setOpened] = useState(false);
  const [asking, setAsking] = useState(false);
  const ask = () => {
    if (closes) setOpened(false);
    setAsking(true);
  };
  return (
    <MantineProvider env="test">
      <Popover opened={opened} onChange={setOpened} trapFocus returnFocus>
        <Popover.Target>
          <button type="button" onClick={() => setOpened(!opened)}>
            Saved searches
          </button>
        </Popover.Target>
        <Popover.Dropdown>
          <button type="button" onClick={ask}>
            Save this
          </button>
          <Menu>
            <Menu.Target>
              <button type="button">More</button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={ask}>Save over it</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Popover.Dropdown>
      </Popover>
      {asking ? (
        <Dialog title="Save" onClose={() => setAsking(false)}>
          <input aria-label="Name" data-autofocus />
        </Dialog>
      ) : null}
    </MantineProvider>
  );
}

async function leave() {
  const field = await screen.findByLabelText('Name');
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.keyDown(field, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByLabelText('Name')).toBeNull());
}

test('a dialog from a popover that closes gives the focus back to the button of the popover', async () => {
  render(<Saved closes />);
  press(button('Saved searches'));
  press(await screen.findByRole('button', { name: 'Save this' }));
  await leave();
  await waitFor(() => expect(document.activeElement).toBe(button('Saved searches')));
});

test('so does one from a menu inside of it', async () => {
  render(<Saved closes />);
  press(button('Saved searches'));
  press(await screen.findByRole('button', { name: 'More' }));
  press(await screen.findByRole('menuitem', { name: 'Save over it' }));
  await leave();
  await waitFor(() => expect(document.activeElement).toBe(button('Saved searches')));
});

test('a popover that stays keeps the focus inside', async () => {
  render(<Saved closes={false} />);
  press(button('Saved searches'));
  press(await screen.findByRole('button', { name: 'Save this' }));
  await leave();
  await waitFor(() => expect(document.activeElement).toBe(button('Save this')));
});
