import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { GuardedButton } from './guarded-button.tsx';

function show(reason: string | undefined) {
  const submit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  const press = vi.fn();
  render(
    <MantineProvider env="test">
      <form onSubmit={submit}>
        <GuardedButton type="submit" className="own" reason={reason} onClick={press}>
          Send
        </GuardedButton>
      </form>
    </MantineProvider>,
  );
  return { button: screen.getByRole('button', { name: 'Send' }), submit, press };
}

test('with nothing against it, it sends its form', () => {
  const { button, submit, press } = show(undefined);
  fireEvent.click(button);
  expect(submit).toHaveBeenCalledOnce();
  expect(press).toHaveBeenCalledOnce();
});

test('one that may not be used can be reached, says why, and sends nothing', () => {
  const { button, submit, press } = show('Write something first.');
  fireEvent.click(button);
  expect(submit).not.toHaveBeenCalled();
  expect(press).not.toHaveBeenCalled();
  expect(button.getAttribute('aria-description')).toBe('Write something first.');
  expect(button.hasAttribute('disabled')).toBe(false);
  expect(button.classList).toContain('own');
});

test('what locks it for a while leaves it the focus', () => {
  const show = (reason: string | undefined) => (
    <MantineProvider env="test">
      <GuardedButton reason={reason}>Send</GuardedButton>
    </MantineProvider>
  );
  const { rerender } = render(show(undefined));
  screen.getByRole('button').focus();
  rerender(show('A change is being saved.'));
  expect(document.activeElement).toBe(screen.getByRole('button'));
  expect(screen.getByRole('button').getAttribute('aria-disabled')).toBe('true');
  rerender(show(undefined));
  expect(document.activeElement).toBe(screen.getByRole('button'));
});
