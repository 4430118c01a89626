/** What went wrong with signing in, from a closed list, so that screens never look at texts of the provider. */
export type IdentityErrorCode =
  | 'CREDENTIALS_WRONG'
  | 'CODE_WRONG'
  | 'SIGN_IN_EXPIRED'
  | 'LOCKED'
  | 'TOO_MANY_ATTEMPTS'
  | 'ACCOUNT_DISABLED'
  | 'UNREACHABLE'
  | 'UNEXPECTED';

const messages: Readonly<Record<IdentityErrorCode, string>> = {
  CREDENTIALS_WRONG: 'The e-mail address or the password is not right.',
  CODE_WRONG: 'This code is not right, or was already used. Wait for the next one and try again.',
  SIGN_IN_EXPIRED: 'This sign-in took too long. Enter your password again.',
  LOCKED: 'Too many wrong codes. This account is locked for a while.',
  TOO_MANY_ATTEMPTS: 'Too many attempts. Wait a moment and try again.',
  ACCOUNT_DISABLED: 'This account is disabled. Ask your administrator.',
  UNREACHABLE: 'The server cannot be reached. Check your connection and try again.',
  UNEXPECTED: 'Signing in failed on the server. Try again in a few minutes.',
};

export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly code: IdentityErrorCode;
  readonly retryAfterS: number | undefined;

  constructor(code: IdentityErrorCode, options: { retryAfterS?: number | undefined; cause?: unknown } = {}) {
    super(messages[code], { cause: options.cause });
    this.code = code;
    this.retryAfterS = options.retryAfterS;
  }
}

export type SignInStep = 'signed_in' | 'second_factor';

/**
 * The identity provider as the dashboard sees it. Two implementations: the built-in one and a hosted one; the
 * publishable key of the configuration decides. Everything that fails throws an `IdentityError`.
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
  /** Ends the session at the provider and forgets the token, also when the provider cannot be reached. */
  signOut(): Promise<void>;
  /** Forgets the token only, after the API said the session is over. */
  forget(): void;
}
