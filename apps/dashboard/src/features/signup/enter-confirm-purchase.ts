import { redirect } from '@tanstack/react-router';
import type { AppContext } from '../../session/app-context.ts';
import { endSignupFlow, signupFlow } from '../../session/signup-flow.ts';
import { purchaseQuery } from './purchase-query.ts';
import { type SignedIn, whoIsSignedIn } from './who-is-signed-in.ts';

/** Leads on when the purchase has its tenant and the user belongs to it already (spec §2). */
export async function enterConfirmPurchase(context: AppContext): Promise<SignedIn> {
  const { token = '' } = signupFlow();
  // A failure is shown by the page, which can ask again.
  const details = await context.queryClient.ensureQueryData(purchaseQuery(context.api, token)).catch(() => undefined);
  if (details !== undefined && details.tenant !== null && details.user_linked) {
    endSignupFlow();
    throw redirect({ to: '/validate', search: { signup_flow: true, redirect: `/home?tenant=${details.tenant.id}` } });
  }
  return await whoIsSignedIn(context);
}
