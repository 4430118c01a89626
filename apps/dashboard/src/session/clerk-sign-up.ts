/** New accounts at Clerk: with the ticket of an invitation, by e-mail for a purchase, or taken over from a sign-in. */
import { clerkCall, clerkCode } from './clerk-errors.ts';
import { activate, type ClerkClient, type ClerkSession, clientOf } from './clerk-sign-in.ts';
import { IdentityError, type SignInStep, type TicketPreview } from './identity-provider.ts';

type ClerkSignUp = ClerkClient['signUp'];

/** Clerk's tickets do not say for what they are; the invitation names it in its mail. */
const TENANT = 'your organization';
const somebodyKnown: TicketPreview = { email: '', fullname: '', tenantName: TENANT, account: 'existing' };
/** There is an account with the address, or somebody is signed in already. */
const existingCodes: ReadonlySet<string> = new Set([
  'form_identifier_exists',
  'identifier_already_exists',
  'invitation_account_exists',
  'session_exists',
  'identifier_already_signed_in',
]);

/**
 * Begins the sign-up of a ticket, which tells whose it is; the ticket stays good until the sign-up is complete. Tickets
 * without dots are our own (the set-up of the installation): their holder signs in to an account that is there.
 */
export async function previewTicket(session: ClerkSession, ticket: string): Promise<TicketPreview> {
  if (!ticket.includes('.')) return somebodyKnown;
  const { signUp } = clientOf(session);
  try {
    const begun = await clerkCall(() => signUp.create({ strategy: 'ticket', ticket }), 'TICKET_INVALID');
    const fullname = [begun.firstName, begun.lastName].filter(Boolean).join(' ');
    const email = begun.emailAddress ?? '';
    // Where the instance asks for nothing else the account is made by that.
    if (begun.status !== 'complete') return { email, fullname, tenantName: TENANT, account: 'new' };
    await activate(session, begun.createdSessionId);
    return { ...somebodyKnown, email, fullname };
  } catch (error) {
    if (existingCodes.has(clerkCode(error) ?? '')) return somebodyKnown;
    throw error;
  }
}

export async function signUpWithTicket(
  session: ClerkSession,
  { ticket, fullname, password }: { ticket: string; fullname: string; password: string },
): Promise<SignInStep> {
  const { signUp } = clientOf(session);
  const given = { strategy: 'ticket', ticket, password, ...names(fullname) } as const;
  return signedInOnly(await stepOfSignUp(session, await clerkCall(() => signUp.create(given), 'TICKET_INVALID')));
}

export async function signUpWithEmail(
  session: ClerkSession,
  { email, fullname, password }: { email: string; fullname: string; password: string },
): Promise<void> {
  const { signUp } = clientOf(session);
  const begun = await clerkCall(() => signUp.create({ emailAddress: email, password, ...names(fullname) }));
  await clerkCall(() => begun.prepareEmailAddressVerification({ strategy: 'email_code' }));
}

export async function verifyEmail(session: ClerkSession, { code }: { code: string }): Promise<SignInStep> {
  const { signUp } = clientOf(session);
  const attempted = await clerkCall(() => signUp.attemptEmailAddressVerification({ code }), 'CODE_WRONG');
  return signedInOnly(await stepOfSignUp(session, attempted));
}

export async function stepOfSignUp(
  session: ClerkSession,
  signUp: ClerkSignUp,
): Promise<'signed_in' | 'email_unverified'> {
  if (signUp.status === 'complete') {
    await activate(session, signUp.createdSessionId);
    return 'signed_in';
  }
  if (signUp.unverifiedFields.includes('email_address')) return 'email_unverified';
  // The instance asks for something no screen of ours has.
  throw new IdentityError(signUp.status === 'missing_requirements' ? 'NOT_SUPPORTED' : 'SIGN_IN_EXPIRED');
}

function signedInOnly(step: 'signed_in' | 'email_unverified'): SignInStep {
  if (step === 'email_unverified') throw new IdentityError('CODE_WRONG');
  return step;
}

/** Clerk keeps two names; what people type is one. */
function names(fullname: string): { firstName: string; lastName: string } {
  const [firstName = '', ...rest] = fullname.trim().split(/\s+/);
  return { firstName, lastName: rest.join(' ') };
}
