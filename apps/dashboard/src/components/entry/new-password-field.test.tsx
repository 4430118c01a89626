import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { NewPasswordField } from './new-password-field.tsx';

function Chosen() {
  const [password, setPassword] = useState('');
  return (
    <>
      <NewPasswordField username="ana@example.com" value={password} onChange={setPassword} />
      <output>{JSON.stringify(password)}</output>
    </>
  );
}

test('a chosen password is hidden until shown, may be pasted, and is neither cut nor changed', () => {
  render(
    <MantineProvider env="test">
      <Chosen />
    </MantineProvider>,
  );
  const field = screen.getByLabelText<HTMLInputElement>('New password');
  expect([field.type, field.autocomplete]).toEqual(['password', 'new-password']);
  expect(fireEvent.paste(field)).toBe(true);
  const typed = ' Ñandú-Ω 42 Wörter ';
  fireEvent.change(field, { target: { value: typed } });
  expect(screen.getByRole('status').textContent).toBe(JSON.stringify(typed));
  fireEvent.click(screen.getByRole('button', { name: 'Show new password' }));
  expect(field.type).toBe('text');
  fireEvent.click(screen.getByRole('button', { name: 'Hide new password' }));
  expect(field.type).toBe('password');
});
