import { emailSchema, idSchema } from '@airdeck/contracts/fields';
import { storableText } from '@airdeck/domain/storable-json';
import { GOOGLE_ISSUER, isMicrosoft, microsoftIssuer } from './issuer-address.ts';
import { type Connection, type DirectoryId, ExternalFailure, type ExternalProof } from './sso-port.ts';

const SUBJECT_MAX_LENGTH = 255;
const NAME_MAX_LENGTH = 200;
const GROUPS_MAX = 500;

type Claims = Readonly<Record<string, unknown>>;

/** What we take from the claims of a token that was checked. Anything of another shape than expected counts as absent. */
export function proofOf(connection: Connection, claims: Claims): ExternalProof {
  const { iss, sub } = claims;
  if (
    typeof iss !== 'string' ||
    typeof sub !== 'string' ||
    sub === '' ||
    sub.length > SUBJECT_MAX_LENGTH ||
    sub.includes('\0')
  ) {
    throw new ExternalFailure('ANSWER_INVALID', { message: 'The issuer named no usable subject.' });
  }
  const email = emailSchema.safeParse(claims.email).data?.toLowerCase() ?? null;
  const emailVerified = email !== null && isVerified(connection, claims);
  return {
    issuer: iss,
    subject: sub,
    email,
    emailVerified,
    domainProved: emailVerified && isDomainProved(iss, email, claims),
    name: nameOf(claims, email),
    groups: groupsOf(connection, claims),
    directory: directoryOf(iss, claims),
  };
}

/**
 * Microsoft sends whatever address a directory's administrator typed and says only in `xms_edov` whether its domain is
 * that directory's own; the claim has to be switched on in the app registration.
 */
function isVerified(connection: Connection, claims: Claims): boolean {
  const said = isMicrosoft(connection.issuer) ? claims.xms_edov : claims.email_verified;
  return said === true || said === 'true' || (isMicrosoft(connection.issuer) && (said === 1 || said === '1'));
}

/** Google verified a foreign address once, when the account was made; only `hd` says that the domain stands behind it. */
function isDomainProved(issuer: string, email: string, claims: Claims): boolean {
  return issuer !== GOOGLE_ISSUER || claims.hd === domainOf(email);
}

/** Anybody's issuer may send claims of these names: they count only in a token of the very directory they name. */
function directoryOf(issuer: string, { tid, oid }: Claims): DirectoryId | null {
  if (typeof tid !== 'string' || typeof oid !== 'string') return null;
  const [tenant, object] = [tid.toLowerCase(), oid.toLowerCase()];
  if (!idSchema.safeParse(tenant).success || !idSchema.safeParse(object).success) return null;
  return issuer === microsoftIssuer(tenant) ? { tenant, object } : null;
}

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

function nameOf(claims: Claims, email: string | null): string {
  const name = typeof claims.name === 'string' ? storableText(claims.name).trim() : '';
  return (name === '' ? (email ?? '') : name).slice(0, NAME_MAX_LENGTH);
}

/**
 * Null where there are groups that the issuer does not name. Whoever is in none is often told of by nothing at all (Entra ID and
 * Keycloak leave the claim out), so that nothing is none: otherwise nobody could be taken out by their groups. Those the
 * connection maps come first, so that none of them is lost to the most we keep.
 */
function groupsOf({ join }: Connection, claims: Claims): string[] | null {
  const mapped = new Set(join.groupRoles.map(({ group }) => group));
  const value = claims[join.groupsClaim];
  const list: unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
  const groups = [...new Set(list)].filter((group) => typeof group === 'string');
  const isUntold = groups.length === 0 && (list.length > 0 || hasTooMany(claims, join.groupsClaim));
  if (isUntold) return mapped.size > 0 ? null : [];
  return groups.toSorted((one, other) => Number(mapped.has(other)) - Number(mapped.has(one))).slice(0, GROUPS_MAX);
}

/** Entra ID names a place to ask instead, where there are more than fit a token. */
function hasTooMany({ _claim_names: places, hasgroups }: Claims, claim: string): boolean {
  const isElsewhere = typeof places === 'object' && places !== null && Object.hasOwn(places, claim);
  return isElsewhere || hasgroups === true || hasgroups === 'true';
}
