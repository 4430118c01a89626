/**
 * An OpenID Connect issuer to try single sign-on with: whoever types an address there is that person, with the address
 * verified. The code flow with PKCE for clients without a secret; answers go to addresses of this machine only, so that it
 * vouches for nobody elsewhere. Keys and codes are its own and gone with the process.
 */
import { createHash, generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { signInPage } from './openid-page.ts';
import { firstText, objectOf } from './request-values.ts';

const CODE_LIVES_MS = 60_000;
const TOKEN_LIVES_S = 300;
const CODES_MAX = 1_000;
const KEY_ID = 'sandbox';
const EMAIL = /^[^\s@<>]{1,64}@[^\s@<>]{1,190}$/;

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

type Context = {
  readonly now: () => Date;
  /** Where it is reached; known once it listens. */
  readonly url: () => string;
};

type Asked = { clientId: string; redirectUri: string; state: string; nonce: string; challenge: string };
type Granted = Asked & { email: string; groups: string[]; expiresAt: number };

export function registerOpenidIssuer(app: FastifyInstance, { now, url }: Context): void {
  const codes = new Map<string, Granted>();
  let keys: Promise<{ privateKey: KeyObject; publicKey: KeyObject }> | undefined;
  const keyPair = () => {
    keys ??= promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
    return keys;
  };

  app.get('/.well-known/openid-configuration', async () => ({
    issuer: url(),
    authorization_endpoint: `${url()}/authorize`,
    token_endpoint: `${url()}/token`,
    jwks_uri: `${url()}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    scopes_supported: ['openid', 'email', 'profile', 'groups'],
  }));

  app.get('/jwks', async () => {
    const { publicKey } = await keyPair();
    return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' }] };
  });

  app.get('/authorize', async (request, reply) => {
    const asked = askedOf(objectOf(request.query));
    return asked === undefined ? unusable(reply) : page(reply, { action: request.url });
  });

  app.post('/authorize', async (request, reply) => {
    const asked = askedOf(objectOf(request.query));
    if (asked === undefined) return unusable(reply);
    const form = objectOf(request.body);
    const back = (answer: Record<string, string>) => reply.redirect(answerAddress(asked, { ...answer, iss: url() }));
    if (firstText(form.answer) === 'cancel') return back({ error: 'access_denied' });
    const email = firstText(form.email).trim().toLowerCase();
    if (!EMAIL.test(email)) return page(reply, { action: request.url, problem: 'Enter an e-mail address.' });
    const groups = firstText(form.groups)
      .split(',')
      .map((group) => group.trim());
    const code = randomBytes(24).toString('base64url');
    if (codes.size >= CODES_MAX) codes.clear();
    const expiresAt = now().getTime() + CODE_LIVES_MS;
    codes.set(code, { ...asked, email, groups: groups.filter((group) => group !== ''), expiresAt });
    return back({ code });
  });

  app.post('/token', async (request, reply) => {
    const form = objectOf(request.body);
    const code = firstText(form.code);
    const granted = codes.get(code);
    // Once, whatever comes of it.
    codes.delete(code);
    const challenge = createHash('sha256').update(firstText(form.code_verifier)).digest('base64url');
    const isRight =
      granted !== undefined &&
      granted.expiresAt > now().getTime() &&
      granted.challenge === challenge &&
      granted.redirectUri === firstText(form.redirect_uri) &&
      granted.clientId === firstText(form.client_id);
    if (!isRight) return await reply.code(400).send({ error: 'invalid_grant' });
    const { privateKey } = await keyPair();
    return {
      access_token: randomBytes(24).toString('base64url'),
      token_type: 'Bearer',
      expires_in: TOKEN_LIVES_S,
      id_token: signed(claimsOf(granted, { issuer: url(), now: now() }), privateKey),
    };
  });
}

/** Undefined for what no answer may be sent to, or could not be tied to who asked. */
function askedOf(query: Record<string, unknown>): Asked | undefined {
  const text = (name: string) => firstText(query[name]);
  const asked = {
    clientId: text('client_id'),
    redirectUri: text('redirect_uri'),
    state: text('state'),
    nonce: text('nonce'),
    challenge: text('code_challenge'),
  };
  const isCodeFlow = text('response_type') === 'code' && text('code_challenge_method') === 'S256';
  const isOurs = URL.canParse(asked.redirectUri) && loopbackHosts.has(new URL(asked.redirectUri).hostname);
  return isCodeFlow && isOurs && asked.clientId !== '' && asked.challenge !== '' ? asked : undefined;
}

function answerAddress({ redirectUri, state }: Asked, answer: Record<string, string>): string {
  const address = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, state })) address.searchParams.set(name, value);
  return address.href;
}

function claimsOf({ clientId, nonce, email, groups }: Granted, { issuer, now }: { issuer: string; now: Date }) {
  const iat = Math.floor(now.getTime() / 1000);
  const sub = createHash('sha256').update(email).digest('hex').slice(0, 32);
  const [name = email] = email.split('@');
  const person = { email, email_verified: true, name, groups };
  return { iss: issuer, sub, aud: clientId, iat, exp: iat + TOKEN_LIVES_S, nonce, ...person };
}

function signed(claims: object, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256', typ: 'JWT', kid: KEY_ID })}.${part(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

function unusable(reply: FastifyReply): FastifyReply {
  return reply
    .code(400)
    .type('text/plain; charset=utf-8')
    .send('This is no sign-in the sandbox answers: the code flow with PKCE, back to an address of this machine.');
}

function page(reply: FastifyReply, form: Parameters<typeof signInPage>[0]): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(signInPage(form));
}
