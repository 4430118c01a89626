const attempts = new Set([
  '/signup/invite',
  '/signup/azure',
  '/signup/azure/confirm',
  '/signup/azure/callback',
  '/signup/azure/callback/continue',
  '/signup/azure/callback/verify-email',
  '/signup/azure/callback/reset-password',
  '/signup/azure/callback/second-factor',
  '/signup/azure/callback/first-factor',
]);

/** Whether a path is one of the sign-up screens, exactly: nothing that was passed in an address is followed otherwise. */
export function isSignupAttempt(path: string): boolean {
  return attempts.has(withoutTrailingSlash(path));
}

/** Where an attempt begins for another account. */
export function startOfAttempt(path: string): '/signup/invite' | '/signup/azure' {
  return withoutTrailingSlash(path) === '/signup/invite' ? '/signup/invite' : '/signup/azure';
}

export function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
