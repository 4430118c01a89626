import type { AppContext } from '../../session/app-context.ts';
import { currentUserQuery, isAccountMissing } from '../../session/current-user.ts';

export type SignedIn = {
  name: string;
  email: string;
  /** False between making the sign-in and finishing the sign-up. */
  hasAccount: boolean;
};

/** Who goes on with a sign-up if nobody else signs in. */
export async function whoIsSignedIn({ api, identity, queryClient }: AppContext): Promise<SignedIn> {
  try {
    const { user } = await queryClient.ensureQueryData(currentUserQuery(api));
    return { name: user.fullname, email: user.email, hasAccount: true };
  } catch (error) {
    if (!isAccountMissing(error)) throw error;
    const { email } = await (await identity.account()).security();
    return { name: email, email, hasAccount: false };
  }
}
