import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AppContextProvider } from '../../../session/app-context.ts';
import { openApp } from '../../../test-app.tsx';
import { PasswordDialog } from './password-dialog.tsx';

const [present, chosen] = ['  Übermut ﬁndet STATT  ', ' Ñandú-Ω 42 Wörter '];

test('passwords are hidden until shown, named for password managers, may be pasted, and go out as they were typed', async () => {
  const given: unknown[] = [];
  const { app } = openApp('/settings/profile', {
    account: {
      changePassword: async (passwords) => {
        given.push(passwords);
      },
    },
  });
  render(
    <MantineProvider env="test">
      <AppContextProvider value={app}>
        <QueryClientProvider client={app.queryClient}>
          <PasswordDialog email="ana@example.com" onClose={() => undefined} />
        </QueryClientProvider>
      </AppContextProvider>
    </MantineProvider>,
  );
  const fields = [
    { label: 'Current password', file: 'current-password', text: present },
    { label: 'New password', file: 'new-password', text: chosen },
  ];
  for (const { label, file, text } of fields) {
    const field = await screen.findByLabelText<HTMLInputElement>(label);
    expect([field.type, field.autocomplete]).toEqual(['password', file]);
    // Not prevented: the browser goes on and pastes.
    expect(fireEvent.paste(field)).toBe(true);
    fireEvent.change(field, { target: { value: text } });
    const shows = screen.getByRole('button', { name: `Show ${label.toLowerCase()}`, hidden: true });
    fireEvent.mouseDown(shows);
    fireEvent.click(shows);
    await waitFor(() => expect(field.type).toBe('text'));
  }
  fireEvent.click(screen.getByRole('button', { name: 'Change password' }));
  await waitFor(() => expect(given).toEqual([{ currentPassword: present, newPassword: chosen }]));
});
