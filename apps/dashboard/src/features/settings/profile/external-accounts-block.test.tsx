import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AppContextProvider } from '../../../session/app-context.ts';
import { type AccountSecurity, type IdentityAccount, IdentityError } from '../../../session/identity-provider.ts';
import { openApp } from '../../../test-app.tsx';
import { ExternalAccountsBlock } from './external-accounts-block.tsx';

const alone: AccountSecurity = {
  ...{ email: 'ana@partner.example', hasPassword: true, hasTotp: true, recoveryCodesLeft: 8 },
  ...{ passkeys: [], external: [] },
};
const ofTenant = { id: 'c1', kind: 'oidc', label: 'Northwind' } as const;

function show(account: Partial<IdentityAccount>): void {
  const { app } = openApp('/settings/profile', { account });
  render(
    <MantineProvider env="test">
      <AppContextProvider value={app}>
        <QueryClientProvider client={app.queryClient}>
          <ExternalAccountsBlock />
        </QueryClientProvider>
      </AppContextProvider>
    </MantineProvider>,
  );
}

test('the connection of the own tenant is there to be linked, also for an address of another domain', async () => {
  const asked: unknown[] = [];
  const begun: unknown[] = [];
  show({
    security: async () => alone,
    // By the address there would be none: the server knows which tenants whoever asks is a member of.
    listConnections: async (email) => {
      asked.push(email);
      return email === undefined ? [ofTenant] : [];
    },
    startExternal: async (...given) => void begun.push(given),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Northwind' }));
  await waitFor(() => expect(begun).toEqual([['c1', { for: 'link', redirect: '/settings/profile' }]]));
  expect(asked).toEqual([undefined]);
});

test('the one that cannot be unlinked stays, and why is said', async () => {
  const linked = { id: 'x', label: 'Northwind', account: 'ana@northwind.example' };
  show({
    security: async () => ({ ...alone, external: [linked] }),
    listConnections: async () => [ofTenant],
    unlinkExternal: async () => {
      throw new IdentityError('ONLY_WAY_IN');
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Unlink Northwind ana@northwind.example' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Unlink' }));
  expect((await screen.findByRole('alert')).textContent).toContain('only way into your account');
  expect(screen.getByText('ana@northwind.example')).toBeTruthy();
});

test('nothing is shown where there is neither an account elsewhere nor one to have', async () => {
  const done: string[] = [];
  show({
    security: async () => alone,
    listConnections: async () => {
      done.push('listed');
      return [];
    },
  });
  await waitFor(() => expect(done).toEqual(['listed']));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Other accounts' })).toBeNull());
});
