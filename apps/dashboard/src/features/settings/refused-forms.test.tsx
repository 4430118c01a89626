import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { userWith } from '../../session/fixtures.ts';
import { showApp } from '../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const refusal = { message: 'No.', code: 'VALIDATION_FAILED', request_id: 'r' };

test('a profile that is refused leads to the field to mend, whether the form or the server refused it', async () => {
  showApp('/settings/profile', {
    me: userWith({ own: 'Admin' }),
    answers: {
      'GET /me/sessions': () => Response.json([]),
      'PATCH /me': () =>
        Response.json(
          { ...refusal, details: [{ path: 'body.phone', message: 'This is no phone number.' }] },
          { status: 400 },
        ),
    },
  });
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  const before = name.value;
  fireEvent.change(name, { target: { value: '' } });
  const save = async () => {
    const button = await screen.findByRole('button', { name: /^Save/ });
    button.focus();
    fireEvent.click(button);
  };
  await save();
  await waitFor(() => expect(document.activeElement).toBe(name));
  fireEvent.change(name, { target: { value: before } });
  fireEvent.change(screen.getByLabelText('Phone'), { target: { value: '12' } });
  await save();
  await screen.findByText('This is no phone number.');
  expect(document.activeElement).toBe(screen.getByLabelText('Phone'));
});
