import { MantineProvider, Modal } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
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
