import type { AppContext } from './app-context.ts';
import { currentUserQuery } from './current-user.ts';
import { endSignupFlow } from './signup-flow.ts';

/**
 * Accepts an invitation for the account that is signed in, which can be repeated after a failure.
 *
 * @returns where to go on: home, in the tenant that was joined
 * @throws ApiError TICKET_INVALID, TICKET_FOR_ANOTHER
 */
export async function acceptInvitation(
  { api, queryClient }: Pick<AppContext, 'api' | 'queryClient'>,
  ticket: string,
): Promise<string> {
  const joined = await api.call('signup.invite', { body: { ticket } });
  endSignupFlow();
  // What is known of the user lacks the new tenant.
  queryClient.removeQueries({ queryKey: currentUserQuery(api).queryKey });
  return `/home?tenant=${joined.tenant}`;
}
