import { type PasswordProblem, passwordProblems } from '@airdeck/contracts/access/password-problems';
import type { Role } from '@airdeck/contracts/access/roles';

/** What went wrong with signing in, from a closed list, so that screens never look at texts of the provider. */
export type IdentityErrorCode =
  | 'CREDENTIALS_WRONG'
  | 'CODE_WRONG'
  | 'SIGN_IN_EXPIRED'
  | 'LOCKED'
  | 'TOO_MANY_ATTEMPTS'
  | 'ACCOUNT_DISABLED'
  | 'PASSWORD_WEAK'
  | 'PASSWORD_REUSED'
  | 'TICKET_INVALID'
  | 'TICKET_FOR_ANOTHER'
  | 'EMAIL_TAKEN'
  | 'PROOF_REQUIRED'
  | 'SSO_REQUIRED'
  | 'EXTERNAL_SIGN_IN_FAILED'
  | 'GROUPS_MISSING'
  | 'EMAIL_UNVERIFIED'
  | 'PASSKEY_FAILED'
  | 'ONLY_WAY_IN'
  | 'NOT_SUPPORTED'
  | 'UNREACHABLE'
  | 'UNEXPECTED';

export const identityMessages: Readonly<Record<IdentityErrorCode, string>> = {
  CREDENTIALS_WRONG: 'The e-mail address or the password is not right.',
  CODE_WRONG: 'This code is not right, was already used or has expired.',
  SIGN_IN_EXPIRED: 'This sign-in took too long. Enter your password again.',
  LOCKED: 'Too many wrong codes. This account is locked for a while.',
  TOO_MANY_ATTEMPTS: 'Too many attempts. Wait a moment and try again.',
  ACCOUNT_DISABLED: 'This account is disabled. Ask your administrator.',
  PASSWORD_WEAK: 'A password needs 12 to 128 characters and must not be one that is easy to guess.',
  PASSWORD_REUSED: 'Choose a password you have not used here before.',
  TICKET_INVALID: 'This invitation is not valid any more. Ask for a new one.',
  EMAIL_TAKEN: 'There is an account with this e-mail address already. Sign in to it.',
  PROOF_REQUIRED: 'Confirm that it is you first.',
  SSO_REQUIRED: 'Your organization signs in through its own account. Choose that way below.',
  EXTERNAL_SIGN_IN_FAILED: 'Signing in with the other account did not work. Try again.',
  TICKET_FOR_ANOTHER:
    'The other account has another e-mail address than the invitation. Choose the account you were invited with.',
  GROUPS_MISSING:
    'The other account did not say which groups you are in. Ask your administrator to have them sent with the sign-in.',
  EMAIL_UNVERIFIED:
    'The other account did not confirm your e-mail address. Ask your administrator to have it sent as verified.',
  PASSKEY_FAILED: 'The passkey was not accepted. Try again or sign in another way.',
  ONLY_WAY_IN: 'This is the only way into your account. Add another one first.',
  NOT_SUPPORTED: 'The identity provider of this installation does not offer this.',
  UNREACHABLE: 'The server cannot be reached. Check your connection and try again.',
  UNEXPECTED: 'Signing in failed on the server. Try again in a few minutes.',
};

export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly code: IdentityErrorCode;
  readonly retryAfterS: number | undefined;

  /** `why`: what is wrong with a password that is PASSWORD_WEAK, where it is known. */
  constructor(
    code: IdentityErrorCode,
    options: { retryAfterS?: number | undefined; why?: PasswordProblem | undefined; cause?: unknown } = {},
  ) {
    super(options.why === undefined ? identityMessages[code] : passwordProblems[options.why], { cause: options.cause });
    this.code = code;
    this.retryAfterS = options.retryAfterS;
  }
}

/** Where a sign-in stands. `new_password`: a code was mailed, and a new password must be chosen first. */
export type SignInStep = 'signed_in' | 'second_factor' | 'new_password';

/**
 * What came of a redirect to another provider. `no_account`: it vouches for somebody who has no account here. `redirect`
 * is where what was begun goes on, as given to `startExternal`; for an invitation `/signup/invite?__clerk_ticket=…`, for
 * a purchase `/signup/azure/confirm?token=…`. Whoever follows it takes ticket and token out of it first.
 */
export type RedirectOutcome =
  | { readonly step: SignInStep | 'no_account' | 'email_unverified'; readonly redirect: string | undefined }
  | { readonly step: 'failed'; readonly reason: IdentityError; readonly redirect: string | undefined };

/** Another way in than a password: a social account, or single sign-on of an organisation. */
export type ExternalConnection = {
  readonly id: string;
  readonly kind: 'microsoft' | 'google' | 'oidc';
  readonly label: string;
};

export type ExternalPurpose =
  | { readonly for: 'sign_in'; readonly redirect: string | undefined }
  | { readonly for: 'link'; readonly redirect: string }
  | { readonly for: 'invitation'; readonly ticket: string }
  | { readonly for: 'marketplace'; readonly token: string };

/** What an invitation ticket says to whoever holds it. */
export type TicketPreview = {
  /** Empty for the first account of a new installation, which names its own. */
  readonly email: string;
  readonly fullname: string;
  readonly tenantName: string;
  /** Left out where the provider does not tell it. */
  readonly role?: Role;
  /** `existing`: the address has an account; sign in to it to accept. */
  readonly account: 'new' | 'existing';
  /** What alone makes a new account for the tenant, where it takes no passwords. */
  readonly onlyConnections?: readonly ExternalConnection[];
};

export type Passkey = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | undefined;
};

/** How the signed-in account is secured. */
export type AccountSecurity = {
  readonly email: string;
  readonly hasPassword: boolean;
  readonly hasTotp: boolean;
  /** Undefined where the provider does not say how many. */
  readonly recoveryCodesLeft: number | undefined;
  readonly passkeys: readonly Passkey[];
  readonly external: readonly { readonly id: string; readonly label: string; readonly account: string }[];
};

export type ActiveSession = {
  readonly id: string;
  readonly isCurrent: boolean;
  /** Undefined where the provider does not say. */
  readonly startedAt: string | undefined;
  readonly lastSeenAt: string;
  /** As the provider knows it; empty when it does not. */
  readonly address: string;
  readonly userAgent: string;
};

/**
 * The identity provider as the dashboard sees it. Two implementations: the built-in one and a hosted one; the
 * publishable key of the configuration decides. Everything that fails throws an `IdentityError`; what an implementation
 * cannot do throws NOT_SUPPORTED.
 */
export interface IdentityProvider {
  /** Whether somebody is signed in, asking the provider when this page does not know yet. */
  isSignedIn(): Promise<boolean>;
  /** Access token for the API, or undefined when nobody is signed in. `refresh` distrusts the one at hand. */
  getToken(options?: { refresh?: boolean }): Promise<string | undefined>;
  /** First factor. `second_factor` means a code of the authenticator app is asked for next. */
  signInWithPassword(credentials: { email: string; password: string }): Promise<SignInStep>;
  /** Second factor of the sign-in that was just begun. */
  verifyTotp(code: string): Promise<void>;
  /** The same with a recovery code, which is used up. */
  verifyRecoveryCode(code: string): Promise<void>;
  /**
   * When the session ends unless somebody uses a page of it, in milliseconds since 1970, as last heard with a token. Undefined
   * while nothing was heard, and where the provider does not say.
   */
  sessionEndsAt(): number | undefined;
  /** Ends the session at the provider and forgets the token, also when the provider cannot be reached. */
  signOut(): Promise<void>;
  /** Forgets the token only, after the API said the session is over. */
  forget(): void;
  /**
   * Calls the listener when another tab signed out or signed in as somebody else.
   *
   * @returns stops listening
   */
  onChangedElsewhere(listener: (change: 'signed_out' | 'signed_in') => void): () => void;

  /** Everything beyond the plain sign-in, loaded when a screen needs it. */
  account(): Promise<IdentityAccount>;
}

/** Sign-up, recovery and the security of the own account. */
export interface IdentityAccount {
  /** Mails a code to the address if it has an account; the answer is the same if it has none. */
  requestPasswordReset(email: string): Promise<void>;
  /** Whether the mailed code is right; it stays good for the reset. */
  checkResetCode(given: { email: string; code: string }): Promise<void>;
  /** Sets the password and ends every session. The second factor is asked for at the next sign-in as before. */
  resetPassword(given: { email: string; code: string; password: string }): Promise<void>;

  /**
   * Ways in besides a password. With an e-mail address also the single sign-on of its domain; without one what the signed-in
   * account can link, of its tenants too where the provider knows them.
   */
  listConnections(email?: string): Promise<readonly ExternalConnection[]>;
  /** Leaves this page for the other provider; resolves only if that fails. */
  startExternal(connectionId: string, purpose: ExternalPurpose): Promise<void>;
  /** Completes what `startExternal` began, after the browser came back. */
  completeRedirect(): Promise<RedirectOutcome>;
  signInWithPasskey(): Promise<void>;

  previewTicket(ticket: string): Promise<TicketPreview>;
  /**
   * Makes the account an invitation is for and signs it in. The invitation itself is then accepted over the API. `email`
   * only where the preview names none: the first account of a new installation.
   */
  signUpWithTicket(given: { ticket: string; fullname: string; password: string; email?: string }): Promise<SignInStep>;
  /** Makes an account without an invitation, for a marketplace purchase; mails a code to verify the address. */
  signUpWithEmail(given: { email: string; fullname: string; password: string; purchaseToken: string }): Promise<void>;
  /** The mailed code; signs in. */
  verifyEmail(given: { email: string; code: string }): Promise<SignInStep>;

  security(): Promise<AccountSecurity>;
  /** Proves who is there, for changes that answer PROOF_REQUIRED: authenticator code, or password where there is none. */
  prove(given: { code: string } | { password: string }): Promise<void>;
  changePassword(given: { currentPassword: string; newPassword: string }): Promise<void>;
  /** Begins to set up an authenticator; nothing changes until it is confirmed. */
  beginTotp(): Promise<{ secret: string; uri: string }>;
  /** Recovery codes, shown this one time. */
  confirmTotp(code: string): Promise<readonly string[]>;
  regenerateRecoveryCodes(): Promise<readonly string[]>;
  addPasskey(name: string): Promise<void>;
  removePasskey(id: string): Promise<void>;
  unlinkExternal(id: string): Promise<void>;
  listSessions(): Promise<readonly ActiveSession[]>;
  /** Ends one other session, or all others. */
  revokeSessions(which: { id: string } | 'others'): Promise<void>;
}
