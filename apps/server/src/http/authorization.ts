/**
 * Who may call a route, decided in one place from the `access` of its row in the table, before a body is read.
 *
 * A token or key becomes a caller; a tenant route needs a membership in the tenant of the path, and a role and plan that
 * meet the row. What is known about a caller is kept for a moment (access-cache.ts), but a role that is taken away is
 * gone with the next request. A tenant that does not exist and one the caller has no membership in get the same answer
 * after the same work.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { refusal } from '@airdeck/contracts/access/requirements';
import type { Role } from '@airdeck/contracts/access/roles';
import type { ErrorCode } from '@airdeck/contracts/error-codes';
import { idSchema } from '@airdeck/contracts/fields';
import type { Route } from '@airdeck/contracts/route';
import type { RouteId } from '@airdeck/contracts/route-table';
import type { FastifyRequest } from 'fastify';
import type { IdentityVerifier, VerifiedIdentity } from '../modules/identity/identity-verifier.ts';
import { API_KEY_PREFIX, type ApiKeyRow } from '../modules/me/api-keys-port.ts';
import { lowerRole } from '../modules/me/lower-role.ts';
import type { AccessCache } from '../modules/tenants/access-cache.ts';
import type { AccessMembership, UserKey, UserRow } from '../modules/tenants/tenants-port.ts';
import { type TenantScope, trustedTenantScope } from '../tenant-scope.ts';
import { AppError } from './app-error.ts';
import { type CallQuotas, callerName } from './call-quotas.ts';
import type { Caller } from './handlers.ts';
import type { RefusalLog } from './refusal-log.ts';

const SCHEME = /^Bearer(?: |$)/i;
const BEARER = /^Bearer ([A-Za-z0-9._~+/=-]{1,4096})$/i;
/** As they are made; anything else is nobody's, and need not be looked up. */
const API_KEY = /^aird_[A-Za-z0-9_-]{43}$/;
const NO_TENANT = '00000000-0000-0000-0000-000000000000';

/** A key that could make keys would outlive its own revocation; one that changes its owner reaches their other tenants. */
const routesOfPeople: ReadonlySet<string> = new Set<RouteId>([
  'api-keys.list',
  'api-keys.create',
  'api-keys.revoke',
  'me.update',
  'me.delete',
  'home-layout.get',
  'home-layout.save',
  'notifications.slack',
]);
/** Without an authenticator a person can only find out who they are, and set one up. */
const routesWithoutSecondFactor: ReadonlySet<string> = new Set<RouteId>(['me.get']);

/** What the table lets a route's handler know. */
export type Granted = {
  readonly identity?: VerifiedIdentity;
  readonly caller?: Caller;
  readonly session?: { readonly expiresAt: Date; readonly stillAllowed: () => Promise<boolean> };
  readonly scope?: TenantScope;
  readonly role?: Role;
};

/** Codes a look at the credentials can lead to. */
export type RefusedAtOnce = Extract<ErrorCode, 'TOKEN_MISSING' | 'TOKEN_INVALID'>;

export type Authorization = {
  /**
   * The code `decide` would throw, where a look at the credentials is enough. Nothing is awaited, read or recorded, so
   * that a flood of such requests costs little. Undefined says nothing.
   */
  refusedAtOnce(route: GuardedRoute, request: FastifyRequest): RefusedAtOnce | undefined;
  /**
   * Throws TOKEN_MISSING, TOKEN_INVALID, ACCOUNT_NOT_FOUND, USER_DISABLED, MFA_REQUIRED, TENANT_FORBIDDEN, ROLE_TOO_LOW,
   * PLAN_NOT_ENABLED; and RATE_LIMITED, late, to somebody known who is refused too often.
   */
  decide(route: GuardedRoute, request: FastifyRequest): Promise<Granted>;
};

export type GuardedRoute = Pick<Route, 'access'> & { readonly id: string };

type Dependencies = {
  verifier: Pick<IdentityVerifier, 'refuses' | 'verify'>;
  access: Pick<AccessCache<ApiKeyRow>, 'findAccess' | 'findKey'>;
  refusals: Pick<RefusalLog, 'note' | 'noteStranger'>;
  quotas: Pick<CallQuotas, 'refusedAnyway'>;
};

type Found = { caller: Caller; membership: AccessMembership | undefined };

export function createAuthorization(deps: Dependencies): Authorization {
  return {
    refusedAtOnce({ access }, request) {
      if (access.kind === 'public' || access.kind === 'source') return undefined;
      const { token, code } = readBearer(request);
      if (token === undefined) return code;
      const refused = isApiKey(token)
        ? access.kind === 'identity' || !API_KEY.test(token)
        : deps.verifier.refuses(token);
      return refused ? 'TOKEN_INVALID' : undefined;
    },
    async decide(route, request) {
      const { access } = route;
      switch (access.kind) {
        case 'public':
        case 'source':
          return {};
        case 'identity':
          return await decideForIdentity(deps, route, request);
        case 'signed_in':
        case 'tenant':
          return await decideForCaller(deps, route, request);
      }
    },
  };
}

/** Whoever a provider vouches for: with an account of ours or still without, before a second factor is set up. */
async function decideForIdentity(deps: Dependencies, route: GuardedRoute, request: FastifyRequest): Promise<Granted> {
  const token = bearerToken(request);
  if (isApiKey(token)) throw new AppError('TOKEN_INVALID');
  const identity = await deps.verifier.verify(token);
  const access = await deps.access.findAccess(identity, NO_TENANT);
  if (access === undefined) return { identity };
  const caller = callerOf(access.user);
  if (access.user.status === 'disabled')
    return await refuse(deps, { route, request, code: 'USER_DISABLED', who: caller.userId });
  return { identity, caller };
}

type Refused = { route: GuardedRoute; request: FastifyRequest; code: ErrorCode; who: string; found?: Found };

/**
 * A refusal costs as much as what was asked for, and more where it is recorded: it counts too, for whoever asks, and never
 * for the tenant they asked for.
 */
async function refuse(deps: Dependencies, { route, request, code, who, found }: Refused): Promise<never> {
  const tooMany = deps.quotas.refusedAnyway(who, found?.caller.homeTenant, request.ip);
  if (tooMany !== undefined) {
    await wait(tooMany.afterMs);
    await noteTooOften(deps, { route, request, found });
    throw tooMany.error;
  }
  if (found === undefined) throw new AppError(code);
  await note(deps, { route, request, code, found });
  throw new AppError(code, { recorded: true });
}

type Noted = Pick<Refused, 'route' | 'request'> & { code: ErrorCode; found: Found };
type TooOften = Pick<Refused, 'route' | 'request'> & { found: Found | undefined };

async function note({ refusals }: Dependencies, { route, request, code, found }: Noted): Promise<void> {
  const { caller, membership } = found;
  // A foreign or unknown tenant never gets a record of ours: it goes to the caller's own.
  const tenant = membership?.id ?? caller.homeTenant;
  await refusals.note({ tenant, caller, routeId: route.id, code, requestId: request.id });
}

/** Here, because the error is one that others are refused with too and cannot say whom it is about. */
async function noteTooOften(deps: Dependencies, { route, request, found }: TooOften): Promise<void> {
  const code = 'RATE_LIMITED';
  if (found !== undefined) return await note(deps, { route, request, code, found });
  const { id: requestId, ip: clientAddress } = request;
  deps.refusals.noteStranger({
    kind: 'limit_reached',
    code,
    route: request.routeOptions.url,
    clientAddress,
    requestId,
  });
}

function callerOf(user: UserRow, apiKey?: Caller['apiKey']): Caller {
  return {
    userId: user.id,
    username: user.uname,
    fullname: user.fullname,
    homeTenant: user.home_tenant_id,
    via: apiKey === undefined ? 'session' : 'api_key',
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

async function decideForCaller(deps: Dependencies, route: GuardedRoute, request: FastifyRequest): Promise<Granted> {
  const tenantId = route.access.kind === 'tenant' ? tenantOfPath(request) : undefined;
  const token = bearerToken(request);
  const owner = await ownerOf(deps, token);
  const found = await find(deps, { owner, tenantId, routeId: route.id });
  if (typeof found === 'string') return await refuse(deps, { route, request, code: found, who: nameOf(owner) });
  const { caller, membership } = found;
  const code = refusalCode(route, found);
  if (code !== undefined) return await refuse(deps, { route, request, code, who: callerName(caller), found });
  const session = {
    expiresAt: owner.expiresAt,
    stillAllowed: async () => {
      const again = await find(deps, { owner: await ownerOf(deps, token), tenantId, routeId: route.id });
      return typeof again !== 'string' && refusalCode(route, again) === undefined;
    },
  };
  if (membership === undefined) return { caller, session };
  return { caller, session, scope: trustedTenantScope(membership.id), role: effectiveRole(found, membership) };
}

function refusalCode({ id, access }: GuardedRoute, found: Found): ErrorCode | undefined {
  if (found.caller.via === 'api_key' && routesOfPeople.has(id)) return 'ROLE_TOO_LOW';
  if (access.kind !== 'tenant') return undefined;
  const { membership } = found;
  if (membership === undefined) return 'TENANT_FORBIDDEN';
  return refusal(access, { role: effectiveRole(found, membership), plan: membership.sku_info });
}

function effectiveRole({ caller }: Found, membership: AccessMembership): Role {
  return caller.apiKey === undefined ? membership.role : lowerRole(membership.role, caller.apiKey.role);
}

type Asked = { owner: Owner; tenantId: string | undefined; routeId: string };

/** Everything that has to be known about a caller, or why they are let in nowhere. */
async function find(deps: Dependencies, { owner, tenantId, routeId }: Asked): Promise<Found | ErrorCode> {
  const { userKey, apiKey, identity } = owner;
  const reachable = apiKey === undefined || apiKey.tenant === tenantId ? tenantId : undefined;
  const access = await deps.access.findAccess(userKey, reachable ?? NO_TENANT);
  // A valid sign-in whose account was deleted or never made; a key dies with its owner.
  if (access === undefined) return apiKey === undefined ? 'ACCOUNT_NOT_FOUND' : 'TOKEN_INVALID';
  const { user, membership } = access;
  if (user.status !== 'active') return 'USER_DISABLED';
  const missing = identity === undefined ? undefined : missingFactor(identity, user, routeId);
  return missing ?? { caller: callerOf(user, apiKey), membership };
}

type Owner = {
  userKey: UserKey;
  expiresAt: Date;
  apiKey?: NonNullable<Caller['apiKey']>;
  identity?: VerifiedIdentity;
};

/** Whose token or key it is. */
async function ownerOf(deps: Dependencies, token: string): Promise<Owner> {
  if (!isApiKey(token)) {
    const identity = await deps.verifier.verify(token);
    const { issuer, subject, expiresAt } = identity;
    return { userKey: { issuer, subject }, expiresAt, identity };
  }
  const key = API_KEY.test(token) ? await deps.access.findKey(token) : undefined;
  if (key === undefined) throw new AppError('TOKEN_INVALID');
  const apiKey = { id: key.id, tenant: key.tenant_id, role: key.role };
  return { userKey: { userId: key.user_id }, apiKey, expiresAt: key.expires_at };
}

/** Of somebody we know no account of, for counting. */
function nameOf({ apiKey, identity }: Owner): string {
  return apiKey?.id ?? JSON.stringify([identity?.issuer, identity?.subject]);
}

function missingFactor(identity: VerifiedIdentity, user: UserRow, routeId: string): ErrorCode | undefined {
  // A provider that names another of our users than the one its subject belongs to contradicts itself.
  if (identity.externalId !== null && identity.externalId !== user.id) return 'TOKEN_INVALID';
  if (!identity.mfa && !identity.social && !routesWithoutSecondFactor.has(routeId)) return 'MFA_REQUIRED';
  return undefined;
}

function isApiKey(token: string): boolean {
  return token.startsWith(API_KEY_PREFIX);
}

function bearerToken(request: FastifyRequest): string {
  const { token, code } = readBearer(request);
  if (token === undefined) throw new AppError(code);
  return token;
}

type Bearer = { token: string; code?: undefined } | { token?: undefined; code: RefusedAtOnce };

function readBearer({ headers }: FastifyRequest): Bearer {
  const header = headers.authorization;
  if (header === undefined || !SCHEME.test(header)) return { code: 'TOKEN_MISSING' };
  const token = BEARER.exec(header)?.[1];
  return token === undefined ? { code: 'TOKEN_INVALID' } : { token };
}

/** Anything that is not an id is a tenant that does not exist; it gets the same answer after the same queries. */
function tenantOfPath(request: FastifyRequest): string {
  const { tenant } = request.params as { tenant?: unknown };
  return idSchema.safeParse(tenant).data ?? NO_TENANT;
}
