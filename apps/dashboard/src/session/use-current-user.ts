import type { CurrentUser } from '@airdeck/contracts/me/schema';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useApp, useSession } from './app-context.ts';
import { currentUserQuery } from './current-user.ts';

/** The signed-in user; the guard of the dashboard has loaded it. */
export function useCurrentUser(): CurrentUser {
  const { api } = useApp();
  return useSuspenseQuery(currentUserQuery(api)).data;
}

/** Full name of the current tenant. */
export function useTenantName(): string {
  const { allowed_tenants } = useCurrentUser();
  const { currentTenant } = useSession();
  return allowed_tenants.find(({ id }) => id === currentTenant)?.fullname ?? '';
}
