import { MantineProvider, Modal, Select } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
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
