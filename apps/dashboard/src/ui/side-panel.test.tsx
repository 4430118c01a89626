import { MantineProvider, Menu, Modal, Select } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { Dialog } from './dialog.tsx';
import { FacetMenu } from './facet-menu.tsx';
import { SidePanel } from './side-panel.tsx';

function Screen({ onClose }: { onClose: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <MantineProvider env="test">
      <SidePanel title="CASE-1" opened onClose={onClose}>
        <button type="button" onClick={() => setAsking(true)}>
          Ask
        </button>
        {asking ? (
          <Modal opened onClose={() => setAsking(false)} title="Close the case?">
            Why?
          </Modal>
        ) : null}
      </SidePanel>
    </MantineProvider>
  );
}

test('esc closes the dialog above the panel first, and the panel with the next press', async () => {
  const onClose = vi.fn();
  render(<Screen onClose={onClose} />);
  fireEvent.click(screen.getByRole('button', { name: 'Ask' }));
  await screen.findByText('Why?');

  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.queryByText('Why?')).toBeNull();
  expect(onClose).not.toHaveBeenCalled();

  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();
});

const kinds = { id: 'kind', label: 'Kind', options: [{ value: 'commented', label: 'Commented' }], selected: [] };

/** What opens inside: the values of a filter, and the options of a field. */
const inner = (
  <>
    <FacetMenu facet={kinds} onChange={() => undefined} />
    <Select label="Source" data={['Mail', 'Firewall']} />
  </>
);

test.each([
  {
    frame: 'panel',
    show: (onClose: () => void) => (
      <SidePanel title="CASE-1" opened onClose={onClose}>
        {inner}
      </SidePanel>
    ),
  },
  {
    frame: 'dialog',
    show: (onClose: () => void) => (
      <Dialog title="CASE-1" onClose={onClose}>
        {inner}
      </Dialog>
    ),
  },
])('esc in what a $frame opened closes only that, and what was typed beside it stays', async ({ show }) => {
  const onClose = vi.fn();
  render(<MantineProvider env="test">{show(onClose)}</MantineProvider>);

  const chip = await screen.findByRole('button', { name: 'Kind' });
  fireEvent.click(chip);
  const box = await screen.findByRole('checkbox', { name: 'Commented' });
  box.focus();
  fireEvent.keyDown(box, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Commented' })).toBeNull());
  expect(onClose).not.toHaveBeenCalled();

  const field = screen.getByRole('combobox', { name: 'Source' });
  fireEvent.click(field);
  await screen.findByRole('option', { name: 'Mail' });
  fireEvent.keyDown(field, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('option', { name: 'Mail' })).toBeNull());
  expect(onClose).not.toHaveBeenCalled();

  fireEvent.keyDown(field, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();
});

const ways = {
  'mounted only while it is open': (opened: boolean, onClose: () => void) =>
    opened ? (
      <SidePanel title="CASE-1" opened onClose={onClose}>
        <input aria-label="Comment" data-autofocus />
      </SidePanel>
    ) : null,
  'that stays mounted': (opened: boolean, onClose: () => void) => (
    <SidePanel title="CASE-1" opened={opened} onClose={onClose}>
      <input aria-label="Comment" data-autofocus />
    </SidePanel>
  ),
};

/** Code that loads on the first press is there open, and stays from then on. */
function keptOnceOpened() {
  let once = false;
  return (opened: boolean, onClose: () => void) => {
    once ||= opened;
    return once ? ways['that stays mounted'](opened, onClose) : null;
  };
}

function Opening({ panel }: { panel: (opened: boolean, onClose: () => void) => ReactNode }) {
  const [opened, setOpened] = useState(false);
  return (
    <MantineProvider>
      <button type="button" onClick={() => setOpened(true)}>
        Open
      </button>
      <Menu transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <button type="button">More</button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpened(true)}>Open too</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {panel(opened, () => setOpened(false))}
    </MantineProvider>
  );
}

describe.each([...Object.entries(ways), ['mounted from its first opening on', keptOnceOpened()] as const])(
  'a panel %s gives the focus back, or people would begin at the top again,',
  (_, panel) => {
    const press = (element: HTMLElement) => {
      element.focus();
      fireEvent.click(element);
    };
    const leave = async () => {
      const field = await screen.findByLabelText('Comment');
      await waitFor(() => expect(document.activeElement).toBe(field));
      fireEvent.keyDown(field, { key: 'Escape' });
      await waitFor(() => expect(screen.queryByLabelText('Comment')).toBeNull());
    };

    test('to the button that opened it', async () => {
      render(<Opening panel={panel} />);
      const open = screen.getByRole('button', { name: 'Open' });
      press(open);
      await leave();
      await waitFor(() => expect(document.activeElement).toBe(open));
    });

    test('opened from a menu, to the button of the menu', async () => {
      render(<Opening panel={panel} />);
      const more = screen.getByRole('button', { name: 'More' });
      press(more);
      press(await screen.findByRole('menuitem', { name: 'Open too' }));
      await leave();
      await waitFor(() => expect(document.activeElement).toBe(more));
    });
  },
);
