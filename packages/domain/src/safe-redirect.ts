const HOME = '/home';

/** First segments a sign-in must not lead back to (spec §4.7: auth, signup, onboarding or similar pages). */
const entrySegments: ReadonlySet<string> = new Set([
  'login',
  'logout',
  'validate',
  'auth',
  'setup-totp',
  'reset-password',
  'new-password-required',
  'forgot-password',
  'confirm-code',
  'account-not-found',
  'signup',
  'onboarding',
  'external_providers',
  // What was refused once is said again, to whoever signs in next.
  'unauthorized',
  'not-enabled',
  'api',
]);

// Stands for "the same origin, whatever it is": a path resolved against it must not leave it.
const SOMEWHERE = 'https://same-origin.invalid';

/**
 * Where a sign-in may lead: the given path if it stays on this origin and is no entry page, `/home` otherwise.
 *
 * Judged on the address a browser would really open, so that `//host`, `/\host`, tabs and line breaks, dot segments and
 * percent-encoding cannot smuggle in another origin or an entry page.
 */
export function safeRedirect(redirect: string | null | undefined): string {
  if (typeof redirect !== 'string' || !redirect.startsWith('/')) return HOME;
  let url: URL;
  let path: string;
  try {
    url = new URL(redirect, SOMEWHERE);
    path = decodeURIComponent(url.pathname);
  } catch {
    return HOME;
  }
  if (url.origin !== SOMEWHERE || url.username !== '') return HOME;
  if (isOtherOrigin(path) || url.pathname === '/') return HOME;
  // A second look after decoding: `/%2e%2e/login` and `/x/..%2flogin` mean an entry page to whoever decodes again.
  const decoded = new URL(path.replaceAll('?', '%3F').replaceAll('#', '%23'), SOMEWHERE).pathname;
  const first = decoded.split('/').find((segment) => segment !== '');
  if (isOtherOrigin(decoded) || first === undefined || entrySegments.has(first.toLowerCase())) return HOME;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Further in, a double slash is part of a name. */
function isOtherOrigin(path: string): boolean {
  return /^[/\\]{2}/.test(path);
}
