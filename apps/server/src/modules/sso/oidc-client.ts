/**
 * OpenID Connect through the guarded egress: an issuer's address, and every address its configuration names, is some
 * tenant's input. The library checks state, nonce, PKCE, `iss`, audience, times and the token's signature; what it lets
 * pass for the sake of some vendors (a configuration that names another issuer) is checked here. Only the installation's
 * own connections go out through the egress that may reach the operator's issuer on this machine.
 */
import type { Egress } from '@airdeck/connector-kit/egress';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { SecretError } from '@airdeck/connector-kit/secrets';
import { refusal } from '@airdeck/contracts/refusal-texts';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
  type ServerMetadata,
} from 'openid-client';
import { isIssuerOf, issuerProblem } from './issuer-address.ts';
import { proofOf } from './proof-claims.ts';
import { type AuthorizationRequest, type Connection, ExternalFailure, type OidcClient } from './sso-port.ts';

const CALL_TIMEOUT_S = 10;
/** Configurations and keys are a few kB; parsing megabytes of them would hold everything else up. */
const DOCUMENT_MAX_LENGTH = 256 * 1024;
const CONFIGURATION_KNOWN_FOR_MS = 5 * 60_000;
const CONFIGURATIONS_KNOWN_MAX = 200;
const INSTALLATION = 'installation';

type Dependencies = {
  egress: Egress;
  /** For connections that belong to no tenant. */
  ownEgress: Egress;
  now: () => Date;
};

export function createOidcClient(deps: Dependencies): OidcClient {
  const documents = createDocumentCache(deps.now);
  const egressOf = ({ tenant }: Connection) => (tenant === null ? deps.ownEgress : deps.egress);

  async function configure(connection: Connection): Promise<Configuration> {
    const problem = issuerProblem(connection.issuer);
    if (problem !== undefined)
      throw new ExternalFailure('ISSUER_REFUSED', refusal('SSO_ISSUER_HAS_TO_BE', { problem: [problem] }));
    const fetch = guardedFetch(egressOf(connection), connection, documents);
    const options = {
      [customFetch]: fetch,
      timeout: CALL_TIMEOUT_S,
      execute: connection.issuer.startsWith('http:')
        ? [allowInsecureRequests, enableNonRepudiationChecks]
        : [enableNonRepudiationChecks],
    };
    const issuer = new URL(connection.issuer);
    const found = await discovery(issuer, connection.clientId, undefined, None(), options);
    const metadata = found.serverMetadata();
    if (!isIssuerOf(connection.issuer, metadata.issuer)) {
      throw new ExternalFailure('ANSWER_INVALID', refusal('SSO_CONFIGURATION_FOREIGN'));
    }
    const secret = await connection.openSecret();
    if (secret === undefined) return found;
    return await discovery(issuer, connection.clientId, undefined, clientAuth(metadata, secret), options);
  }

  return {
    authorizationUrl: (connection, request) =>
      explained(async () => {
        const config = await configure(connection);
        return buildAuthorizationUrl(config, {
          redirect_uri: request.redirectUri,
          scope: scopeOf(config.serverMetadata(), connection),
          response_type: 'code',
          state: request.state,
          nonce: request.nonce,
          code_challenge: await calculatePKCECodeChallenge(request.verifier),
          code_challenge_method: 'S256',
        }).href;
      }),

    exchange: (connection, request, query) =>
      explained(async () => {
        const config = await configure(connection);
        const claims = await redeem(config, connection, request, query);
        return proofOf(connection, claims);
      }),

    probe: (connection) =>
      explained(async () => {
        const metadata = (await configure(connection)).serverMetadata();
        const { authorization_endpoint, token_endpoint, jwks_uri } = metadata;
        if (authorization_endpoint === undefined || token_endpoint === undefined || jwks_uri === undefined) {
          throw new ExternalFailure('ANSWER_INVALID', refusal('SSO_CONFIGURATION_LACKS'));
        }
        const answer = await egressOf(connection).request({
          tenant: connection.tenant ?? INSTALLATION,
          method: 'GET',
          url: jwks_uri,
          headers: { accept: 'application/json' },
          timeoutMs: CALL_TIMEOUT_S * 1000,
        });
        if (answer.status !== 200 || !holdsKeys(answer.text)) {
          throw new ExternalFailure('ANSWER_INVALID', refusal('SSO_KEYS_UNREADABLE'));
        }
      }),
  };
}

/** Claims of the ID token, completed by the user info endpoint where the token leaves the address or groups out. */
async function redeem(
  config: Configuration,
  connection: Connection,
  request: AuthorizationRequest,
  query: URLSearchParams,
): Promise<Readonly<Record<string, unknown>>> {
  const current = new URL(request.redirectUri);
  current.search = query.toString();
  const tokens = await authorizationCodeGrant(config, current, {
    expectedState: request.state,
    expectedNonce: request.nonce,
    pkceCodeVerifier: request.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new ExternalFailure('ANSWER_INVALID', { message: 'The issuer sent no ID token.' });
  const { groupRoles, groupsClaim } = connection.join;
  const isComplete = claims.email !== undefined && (groupRoles.length === 0 || claims[groupsClaim] !== undefined);
  if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return claims;
  const info = await fetchUserInfo(config, tokens.access_token, claims.sub);
  // An address and what is said of it come from the same answer.
  const { email, email_verified } = claims.email === undefined ? info : claims;
  return { ...info, ...claims, email, email_verified };
}

function clientAuth(metadata: ServerMetadata, secret: string) {
  // Without a list the standard means `client_secret_basic`.
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_post') ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

function scopeOf(metadata: ServerMetadata, connection: Connection): string {
  const wantsGroups = connection.join.groupRoles.length > 0;
  const groups = wantsGroups && metadata.scopes_supported?.includes('groups') === true ? ' groups' : '';
  return `openid email profile${groups}`;
}

function holdsKeys(text: string): boolean {
  if (text.length > DOCUMENT_MAX_LENGTH) return false;
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return Array.isArray(keys) && keys.length > 0;
  } catch {
    // Not JSON is what this predicate is asked about.
    return false;
  }
}

type Documents = { get(key: string): string | undefined; keep(key: string, text: string): void };

function createDocumentCache(now: () => Date): Documents {
  const kept = new Map<string, { text: string; until: number }>();
  return {
    get(key) {
      const found = kept.get(key);
      return found !== undefined && found.until > now().getTime() ? found.text : undefined;
    },
    keep(key, text) {
      kept.delete(key);
      if (kept.size >= CONFIGURATIONS_KNOWN_MAX) {
        const oldest = kept.keys().next();
        if (!oldest.done) kept.delete(oldest.value);
      }
      kept.set(key, { text, until: now().getTime() + CONFIGURATION_KNOWN_FOR_MS });
    },
  };
}

function guardedFetch(egress: Egress, connection: Connection, documents: Documents): CustomFetch {
  const tenant = connection.tenant ?? INSTALLATION;
  return async (url, { method, headers, body, signal }) => {
    const isConfiguration = method === 'GET' && url.endsWith('/.well-known/openid-configuration');
    const key = JSON.stringify([tenant, url]);
    const known = isConfiguration ? documents.get(key) : undefined;
    if (known !== undefined) return jsonResponse(200, known, 'application/json');
    const answer = await egress.request({
      tenant,
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      ...(signal === undefined ? {} : { signal }),
      timeoutMs: CALL_TIMEOUT_S * 1000,
    });
    if (answer.text.length > DOCUMENT_MAX_LENGTH) {
      throw new ExternalFailure('ANSWER_INVALID', refusal('SSO_ANSWER_TOO_LARGE'));
    }
    if (isConfiguration && answer.status === 200) documents.keep(key, answer.text);
    return jsonResponse(answer.status, answer.text, answer.headers['content-type'] ?? '');
  };
}

/** Only what the library looks at; bodies are not allowed with some statuses, and no issuer has reason to send those. */
function jsonResponse(status: number, text: string, contentType: string): Response {
  if (status < 200 || status === 204 || status === 205 || status === 304) {
    throw new ExternalFailure('ANSWER_INVALID', refusal('SSO_ANSWER_STATUS', { status }));
  }
  return new Response(text, { status, headers: { 'content-type': contentType } });
}

/** What went wrong, in our words: the library's errors quote answers, which may hold codes and tokens. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(error);
  }
}

function failureOf(error: unknown): ExternalFailure {
  for (let inner: unknown = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof ExternalFailure) return inner;
    if (inner instanceof EgressError) return new ExternalFailure('ISSUER_UNREACHABLE', inner.told);
    if (inner instanceof SecretError) return new ExternalFailure('ISSUER_REFUSED', { message: inner.message });
    if (inner instanceof AuthorizationResponseError) {
      const denied = inner.error === 'access_denied' || inner.error === 'login_required';
      return new ExternalFailure(denied ? 'ACCESS_DENIED' : 'ISSUER_REFUSED', {
        message: 'The issuer ended the sign-in.',
      });
    }
    if (inner instanceof ResponseBodyError) {
      return new ExternalFailure('ISSUER_REFUSED', {
        message: `The issuer refused the code or the client (${inner.status}).`,
      });
    }
  }
  return new ExternalFailure('ANSWER_INVALID', refusal('SSO_ANSWER_INVALID', { code: codeOf(error) }));
}

/** The library's own name for the check that failed; never its message. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z_]{3,60}$/.test(code) ? code : 'unknown';
}
