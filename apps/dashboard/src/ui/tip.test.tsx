import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Tip } from './tip.tsx';
// Loaded with the file: the clock of the tests does not wait for it.
import './open-tooltip.tsx';

vi.setConfig({ testTimeout: 60_000 });

function Buttons({ disabled = false }: { disabled?: boolean }) {
  return (
    <MantineProvider env="test">
      <main>
        {/* A row that takes the focus of what is tapped in it. */}
        <div data-testid="row" tabIndex={-1}>
          <Tip label="Ask an administrator." disabled={disabled}>
            <button type="button" aria-disabled="true">
              Delete
            </button>
          </Tip>
          <span>Beside it</span>
        </div>
        <button type="button">Other</button>
      </main>
    </MantineProvider>
  );
}

const touch = { pointerType: 'touch' };
const mouse = { pointerType: 'mouse' };
const button = () => screen.getByRole('button', { name: 'Delete' });
const tip = () => screen.queryByText('Ask an administrator.');
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** What a browser sends when something is tapped; `isScroll` when the finger moves the page instead. */
function touched(element: HTMLElement, isScroll = false): void {
  fireEvent.pointerEnter(element, touch);
  fireEvent.pointerDown(element, touch);
  if (isScroll) fireEvent.pointerCancel(element, touch);
  else fireEvent.pointerUp(element, touch);
  fireEvent.pointerLeave(element, touch);
}

beforeAll(async () => {
  const { unmount } = render(<Buttons />);
  touched(button());
  await screen.findByText('Ask an administrator.');
  unmount();
});
beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a tap opens it, and it stays when the finger is gone', async () => {
  render(<Buttons />);
  touched(button());
  await pass(0);
  expect(tip()).not.toBeNull();
  expect(button().getAttribute('aria-describedby')).not.toBeNull();
  fireEvent.focusIn(screen.getByTestId('row'));
  fireEvent.focusIn(button());
  await pass(5_000);
  expect(tip()).not.toBeNull();
});

test.each(['Beside it', 'Other'])('the next tap elsewhere closes it: %s', async (name) => {
  render(<Buttons />);
  touched(button());
  await pass(0);
  touched(screen.getByText(name));
  expect(tip()).toBeNull();
});

test('what takes the focus closes it', async () => {
  render(<Buttons />);
  touched(button());
  await pass(0);
  act(() => screen.getByRole('button', { name: 'Other' }).focus());
  expect(tip()).toBeNull();
});

test('a finger that scrolls the page opens nothing', async () => {
  render(<Buttons />);
  touched(button(), true);
  await pass(1_000);
  expect(tip()).toBeNull();
});

test('one that had nothing to say when it was tapped does not come up when it has', async () => {
  const { rerender } = render(<Buttons disabled />);
  touched(button());
  rerender(<Buttons />);
  await pass(1_000);
  expect(tip()).toBeNull();
});

test('a mouse opens it after a moment and closes it by leaving', async () => {
  render(<Buttons />);
  fireEvent.pointerEnter(button(), mouse);
  await pass(299);
  expect(tip()).toBeNull();
  await pass(1);
  expect(tip()).not.toBeNull();
  fireEvent.pointerLeave(button(), mouse);
  expect(tip()).toBeNull();
});

test('a tap on what does something does it, and opens nothing that would stay', async () => {
  render(
    <MantineProvider env="test">
      <Tip label="Ask an administrator.">
        <button type="button">Download</button>
      </Tip>
    </MantineProvider>,
  );
  touched(screen.getByRole('button', { name: 'Download' }));
  await pass(5_000);
  expect(tip()).toBeNull();
});
