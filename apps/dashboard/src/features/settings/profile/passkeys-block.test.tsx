import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { type AccountSecurity, type IdentityAccount, IdentityError } from '../../../session/identity-provider.ts';
import { showApp } from '../../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const passkey = { id: 'p1', name: 'Work laptop', createdAt: '2026-11-02T00:00:00.000Z', lastUsedAt: undefined };
const security: AccountSecurity = {
  ...{ email: 'ana@northwind.example', hasPassword: true, hasTotp: true, recoveryCodesLeft: 8 },
  ...{ passkeys: [passkey], external: [] },
};

const show = (account: Partial<IdentityAccount>) =>
  showApp('/settings/profile', { account: { security: async () => security, ...account } });

beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', {});
  return () => vi.unstubAllGlobals();
});

/** Presses a button as a person does, who has the focus on it then. */
async function pressed(name: string): Promise<HTMLElement> {
  const button = await screen.findByRole('button', { name });
  button.focus();
  fireEvent.click(button);
  return button;
}

test('who left the question for the code is back at the button that asked for it', async () => {
  show({
    addPasskey: async () => {
      throw new IdentityError('PROOF_REQUIRED');
    },
  });
  await pressed('Add passkey');
  const go = await pressed('Continue');
  await screen.findByRole('dialog', { name: 'Confirm that it is you' });
  await pressed('I do not have the app');
  const back = await screen.findByRole('button', { name: 'Back to the code' });
  await waitFor(() => expect(document.activeElement).toBe(back));
  fireEvent.click(back);
  const digit = await screen.findByRole('textbox', { name: 'Digit 1 of 6' });
  await waitFor(() => expect(document.activeElement).toBe(digit));
  fireEvent.keyDown(digit, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(go));
});

test('a passkey that is removed takes its button along; the focus goes to the one that adds another', async () => {
  let kept = [passkey];
  show({
    security: async () => ({ ...security, passkeys: kept }),
    removePasskey: async () => {
      kept = [];
    },
  });
  await pressed('Remove Work laptop');
  await pressed('Remove passkey');
  await screen.findByText(/^None yet\./);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Add passkey'));
});
