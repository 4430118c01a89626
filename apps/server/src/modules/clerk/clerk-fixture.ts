/**
 * Clerk for tests: an HTTP server with the answers of its published Backend API and key set, users and invitations in
 * memory, session tokens signed with a key of its own, and notices signed as its sender signs them.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

const SECRET_KEY = 'sk_test_fixture';
const KEY_ID = 'ins_fixture';

export type FixtureUser = {
  id: string;
  email: string;
  verified?: boolean;
  fullname?: string;
  mfa?: boolean;
  password?: boolean;
  external?: boolean;
  metadata?: Record<string, unknown>;
  updatedAt?: number;
};

export type FixtureInvitation = ReturnType<typeof invitationJson> & { request: Record<string, unknown> };

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };
type State = {
  users: Map<string, ReturnType<typeof userJson>>;
  invitations: Map<string, FixtureInvitation>;
  /** Each is given instead of one answer to a call of its method. */
  failures: (Answer & { method: string })[];
  calls: string[];
};

export type ClerkFixture = Awaited<ReturnType<typeof createClerkFixture>>;

export async function createClerkFixture({ now = () => new Date() }: { now?: () => Date } = {}) {
  const pair = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  const webhookKey = randomBytes(32);
  const state: State = { users: new Map(), invitations: new Map(), failures: [], calls: [] };
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      const answer = answerTo(state, request, body, { keys: [jwk] });
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;

  return {
    ...state,
    issuer,
    secretKey: SECRET_KEY,
    publicKey: pair.publicKey,
    publicJwk: jwk,
    env: {
      IDENTITY_PUBLISHABLE_KEY: `pk_test_${Buffer.from('clerk.example.com$').toString('base64')}`,
      CLERK_SECRET_KEY: SECRET_KEY,
      CLERK_WEBHOOK_SECRET: `whsec_${webhookKey.toString('base64')}`,
      CLERK_API_URL: `${issuer}/v1`,
      CLERK_FRONTEND_API: issuer,
    },
    putUser(user: FixtureUser): ReturnType<typeof userJson> {
      const json = userJson(user);
      state.users.set(user.id, json);
      return json;
    },
    /** A session token as Clerk makes them; `claims` change it, undefined takes one away. */
    async token(subject: string, claims: JWTPayload = {}, header: Record<string, unknown> = {}): Promise<string> {
      const iat = Math.floor(now().getTime() / 1000);
      const payload = {
        iss: issuer,
        sub: subject,
        sid: 'sess_1',
        sts: 'active',
        v: 2,
        fva: [0, 0],
        iat,
        nbf: iat - 10,
        exp: iat + 60,
        ...claims,
      };
      const present = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
      return await new SignJWT(present)
        .setProtectedHeader({ alg: 'RS256', kid: KEY_ID, typ: 'JWT', ...header })
        .sign(pair.privateKey);
    },
    /** Headers and body of a notice. */
    notice(
      notice: unknown,
      { id = `msg_${randomBytes(8).toString('hex')}`, at = now() }: { id?: string; at?: Date } = {},
    ) {
      const payload = JSON.stringify(notice);
      const timestamp = String(Math.floor(at.getTime() / 1000));
      const signature = createHmac('sha256', webhookKey).update(`${id}.${timestamp}.${payload}`).digest('base64');
      const headers = {
        'content-type': 'application/json',
        'svix-id': id,
        'svix-timestamp': timestamp,
        'svix-signature': `v1,${signature}`,
      };
      return { headers, payload };
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function answerTo(state: State, request: IncomingMessage, body: Record<string, unknown>, keys: unknown): Answer {
  const { method = '', url = '' } = request;
  if (url === '/.well-known/jwks.json') return { status: 200, body: keys };
  state.calls.push(`${method} ${url}`);
  if (request.headers.authorization !== `Bearer ${SECRET_KEY}`) return failed(401, 'clerk_key_invalid');
  const failing = state.failures.findIndex((failure) => failure.method === method);
  const [failure] = failing === -1 ? [] : state.failures.splice(failing, 1);
  if (failure !== undefined) return failure;
  const [, resource, id = '', action] = /^\/v1\/(\w+)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(url) ?? [];
  if (resource === 'users') return aboutUser(state, method, decodeURIComponent(id), body);
  if (resource === 'invitations' && method === 'POST') {
    return action === 'revoke' ? revoked(state, id) : invited(state, body);
  }
  return failed(404, 'resource_not_found');
}

function aboutUser({ users }: State, method: string, id: string, body: Record<string, unknown>): Answer {
  const user = users.get(id);
  if (user === undefined) return failed(404, 'resource_not_found');
  if (method === 'PATCH') {
    const { external_id } = body;
    if (typeof external_id !== 'string') return failed(422, 'form_param_format_invalid');
    const isTaken = [...users.values()].some((other) => other.id !== id && other.external_id === external_id);
    if (isTaken) return failed(422, 'form_identifier_exists');
    user.external_id = external_id;
  }
  if (method === 'DELETE') {
    users.delete(id);
    return { status: 200, body: { object: 'user', id, deleted: true } };
  }
  return { status: 200, body: user };
}

function invited({ invitations }: State, body: Record<string, unknown>): Answer {
  const invitation = { ...invitationJson(`inv_${invitations.size + 1}`, body), request: body };
  invitations.set(invitation.id, invitation);
  const { request: _request, ...json } = invitation;
  return { status: 200, body: json };
}

function revoked({ invitations }: State, id: string): Answer {
  const invitation = invitations.get(id);
  if (invitation === undefined) return failed(404, 'resource_not_found');
  if (invitation.status !== 'pending') return failed(400, 'invitation_already_revoked');
  Object.assign(invitation, { status: 'revoked', revoked: true });
  const { request: _request, ...json } = invitation;
  return { status: 200, body: json };
}

function failed(status: number, code: string): Answer {
  return { status, body: { errors: [{ code, message: code, long_message: code }], clerk_trace_id: 'trace' } };
}

export function invitationJson(id: string, body: Record<string, unknown>) {
  const at = Date.now();
  return {
    object: 'invitation',
    id,
    email_address: String(body.email_address),
    public_metadata: (body.public_metadata ?? {}) as Record<string, unknown>,
    status: 'pending',
    revoked: false,
    expires_at: at + 7 * 86_400_000,
    created_at: at,
    updated_at: at,
  };
}

/** Every property that the published description requires of a user. */
export function userJson(user: FixtureUser) {
  const { id, email, verified = true, fullname = 'Pat Doe', mfa = true, password = true, external = false } = user;
  const [first, ...last] = fullname.split(' ');
  const at = user.updatedAt ?? 1_700_000_000_000;
  const verification = {
    object: 'verification_otp',
    status: verified ? 'verified' : 'unverified',
    strategy: 'email_code',
    attempts: 1,
    expire_at: at,
  };
  const address = {
    id: `idn_${id}`,
    object: 'email_address',
    email_address: email,
    reserved: false,
    verification,
    linked_to: [],
    created_at: at,
    updated_at: at,
  };
  const account = { object: 'external_account', id: `eac_${id}`, provider: 'oauth_microsoft', verification };
  return {
    id,
    object: 'user',
    username: null,
    first_name: first ?? null,
    last_name: last.join(' ') || null,
    has_image: false,
    primary_email_address_id: address.id,
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    password_enabled: password,
    two_factor_enabled: mfa,
    totp_enabled: mfa,
    backup_code_enabled: mfa,
    email_addresses: [address],
    phone_numbers: [],
    web3_wallets: [],
    passkeys: [],
    external_accounts: external ? [account] : [],
    saml_accounts: [],
    enterprise_accounts: [],
    public_metadata: user.metadata ?? {},
    external_id: null as string | null,
    last_sign_in_at: at,
    banned: false,
    locked: false,
    lockout_expires_in_seconds: null,
    verification_attempts_remaining: 5,
    created_at: at,
    updated_at: at,
    delete_self_enabled: true,
    create_organization_enabled: false,
    last_active_at: at,
    mfa_enabled_at: null,
    mfa_disabled_at: null,
    legal_accepted_at: null,
  };
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
