import { refusal } from '@airdeck/contracts/refusal-texts';

/** Directories of Microsoft that anybody can be in: what they say of groups and domains is anybody's word. */
const SHARED_DIRECTORIES: ReadonlySet<string> = new Set(['common', 'organizations', 'consumers']);
const MICROSOFT_HOST = 'login.microsoftonline.com';
const MICROSOFT_TEMPLATE = `https://${MICROSOFT_HOST}/{tenantid}/v2.0`;
export const GOOGLE_ISSUER = 'https://accounts.google.com';

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export function microsoftIssuer(directory: string): string {
  return `https://${MICROSOFT_HOST}/${directory}/v2.0`;
}

export function isMicrosoft(issuer: string): boolean {
  return new URL(issuer).hostname === MICROSOFT_HOST;
}

/** The directory every Microsoft account is in or may be in. */
export function isSharedDirectory(issuer: string): boolean {
  const { hostname, pathname } = new URL(issuer);
  return hostname === MICROSOFT_HOST && SHARED_DIRECTORIES.has((pathname.split('/')[1] ?? '').toLowerCase());
}

/**
 * Undefined when the address may be an issuer's, otherwise what is wrong with it. Plain http is for this machine only,
 * which the guard of outgoing calls refuses again unless it was told about the port.
 */
export function issuerProblem(issuer: string) {
  const url = new URL(issuer);
  if (url.protocol !== 'https:' && !loopbackHosts.has(url.hostname)) return refusal('SSO_ISSUER_HTTPS');
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return refusal('SSO_ISSUER_BARE');
  // The address of the document would let the document choose whose issuer it is.
  if (/\/\.well-known(\/|$)/i.test(decodeURI(url.pathname))) return refusal('SSO_ISSUER_ITSELF');
  return undefined;
}

/** Whether the configuration found under an issuer's address is that issuer's own, letter by letter. */
export function isIssuerOf(configured: string, claimed: string): boolean {
  if (isSharedDirectory(configured)) return claimed === MICROSOFT_TEMPLATE;
  return URL.canParse(claimed) && new URL(claimed).href === new URL(configured).href;
}
