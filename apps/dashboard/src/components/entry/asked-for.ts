import { useSearch } from '@tanstack/react-router';
import { defined } from '../../lib/search-params.ts';

export type AskedFor = { redirect?: string | undefined };

/** The invitation has a sign-in of its own, which accepts it. */
export const INVITATION = '/signup/invite';

/** What the sign-in was asked for; every screen on the way to it keeps it in its address. */
export function useAskedFor(): AskedFor {
  const { redirect } = useSearch({ strict: false });
  return defined({ redirect });
}

/** Where one signs in once the password is set. */
export function signInPlace({ redirect }: AskedFor) {
  return redirect === INVITATION
    ? ({ to: INVITATION } as const)
    : ({ to: '/login', search: defined({ redirect }) } as const);
}
