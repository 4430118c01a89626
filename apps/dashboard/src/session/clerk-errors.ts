/** Failures of Clerk as failures of ours, by its published codes and never by its texts. */
import { IdentityError, type IdentityErrorCode } from './identity-provider.ts';

const codes: Readonly<Record<string, IdentityErrorCode>> = {
  form_identifier_not_found: 'CREDENTIALS_WRONG',
  form_password_incorrect: 'CREDENTIALS_WRONG',
  form_password_or_identifier_incorrect: 'CREDENTIALS_WRONG',
  invitation_account_not_exists: 'CREDENTIALS_WRONG',
  form_code_incorrect: 'CODE_WRONG',
  verification_failed: 'CODE_WRONG',
  verification_expired: 'CODE_WRONG',
  client_not_found: 'SIGN_IN_EXPIRED',
  authentication_invalid: 'SIGN_IN_EXPIRED',
  signed_out: 'SIGN_IN_EXPIRED',
  session_not_found: 'SIGN_IN_EXPIRED',
  user_locked: 'LOCKED',
  too_many_requests: 'TOO_MANY_ATTEMPTS',
  rate_limit_exceeded: 'TOO_MANY_ATTEMPTS',
  user_banned: 'ACCOUNT_DISABLED',
  user_deactivated: 'ACCOUNT_DISABLED',
  not_allowed_access: 'ACCOUNT_DISABLED',
  form_password_pwned: 'PASSWORD_WEAK',
  form_password_compromised: 'PASSWORD_WEAK',
  form_password_not_strong_enough: 'PASSWORD_WEAK',
  form_password_length_too_short: 'PASSWORD_WEAK',
  form_password_length_too_long: 'PASSWORD_WEAK',
  form_password_size_in_bytes_exceeded: 'PASSWORD_WEAK',
  form_password_validation_failed: 'PASSWORD_WEAK',
  form_password_no_uppercase: 'PASSWORD_WEAK',
  form_password_no_lowercase: 'PASSWORD_WEAK',
  form_password_no_number: 'PASSWORD_WEAK',
  form_password_no_special_char: 'PASSWORD_WEAK',
  form_new_password_matches_current: 'PASSWORD_REUSED',
  ticket_invalid_code: 'TICKET_INVALID',
  ticket_expired_code: 'TICKET_INVALID',
  ticket_invalid: 'TICKET_INVALID',
  ticket_expired: 'TICKET_INVALID',
  revoked_invitation: 'TICKET_INVALID',
  form_identifier_exists: 'EMAIL_TAKEN',
  identifier_already_exists: 'EMAIL_TAKEN',
  invitation_account_exists: 'EMAIL_TAKEN',
  session_reverification_required: 'PROOF_REQUIRED',
  strategy_for_user_invalid: 'SSO_REQUIRED',
  external_account_not_found: 'EXTERNAL_SIGN_IN_FAILED',
  oauth_access_denied: 'EXTERNAL_SIGN_IN_FAILED',
  external_account_exists: 'EXTERNAL_SIGN_IN_FAILED',
  oauth_callback_invalid: 'EXTERNAL_SIGN_IN_FAILED',
  passkey_not_registered: 'PASSKEY_FAILED',
  passkey_retrieval_cancelled: 'PASSKEY_FAILED',
  passkey_retrieval_failed: 'PASSKEY_FAILED',
  passkey_registration_cancelled: 'PASSKEY_FAILED',
  passkey_registration_failed: 'PASSKEY_FAILED',
  passkey_already_exists: 'PASSKEY_FAILED',
  passkey_invalid_rpID_or_domain: 'PASSKEY_FAILED',
  passkey_operation_aborted: 'PASSKEY_FAILED',
  passkey_not_supported: 'NOT_SUPPORTED',
  last_identification_deletion_failed: 'ONLY_WAY_IN',
  sign_up_mode_restricted: 'NOT_SUPPORTED',
  sign_up_mode_restricted_waitlist: 'NOT_SUPPORTED',
  captcha_missing_token: 'NOT_SUPPORTED',
  captcha_invalid: 'NOT_SUPPORTED',
  captcha_unavailable: 'NOT_SUPPORTED',
  strategy_not_allowed: 'NOT_SUPPORTED',
  strategy_for_instance_invalid: 'NOT_SUPPORTED',
  network_error: 'UNREACHABLE',
  clerk_offline: 'UNREACHABLE',
};

/** `CREDENTIALS_WRONG` and the like: what a refusal with a code we do not know means here. */
export async function clerkCall<T>(work: () => Promise<T>, refused: IdentityErrorCode = 'UNEXPECTED'): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(error, refused);
  }
}

/** Clerk's own code for a failure; undefined for anything else. */
export function clerkCode(error: unknown): string | undefined {
  const given = error instanceof IdentityError ? record(error.cause) : record(error);
  const errors: unknown = given.errors;
  const code: unknown = Array.isArray(errors) ? record(errors[0]).code : given.code;
  return typeof code === 'string' ? code : undefined;
}

function failureOf(error: unknown, refused: IdentityErrorCode): IdentityError {
  if (error instanceof IdentityError) return error;
  // As fetch throws it.
  if (error instanceof TypeError) return new IdentityError('UNREACHABLE', { cause: error });
  const { status, retryAfter } = record(error);
  const code = clerkCode(error);
  const meant = code !== undefined && Object.hasOwn(codes, code) ? codes[code] : undefined;
  const options = { cause: error, retryAfterS: typeof retryAfter === 'number' ? retryAfter : undefined };
  if (meant !== undefined) return new IdentityError(meant, options);
  if (status === 429) return new IdentityError('TOO_MANY_ATTEMPTS', options);
  const isRefusal = typeof status === 'number' && status >= 400 && status < 500;
  return new IdentityError(isRefusal ? refused : 'UNEXPECTED', options);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
