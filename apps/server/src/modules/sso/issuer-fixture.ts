/** Real OpenID Connect issuers for tests: one server on loopback, an issuer under each path. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export type Person = {
  subject: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  /** Whatever an issuer may send. */
  groups?: readonly unknown[];
  /** Where Entra ID has more groups than fit. */
  _claim_names?: Readonly<Record<string, string>>;
};

export type IssuerFixture = {
  host: string;
  port: number;
  /** Address of the issuer under that path. */
  issuer(name: string): string;
  /** What a person does in the browser at the issuer; the address the issuer sends it back to. `null` declines. */
  authorize(url: string, person: Person | null): Promise<string>;
  /** Stops listening; `start` listens on the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

export const CLIENT = { id: 'airdeck', secret: 'a client secret of the tests, long enough' } as const;
const HOST = '127.0.0.1';

export async function createIssuerFixture(names: readonly string[], redirectUri: string): Promise<IssuerFixture> {
  const people = new Map<string, Person>();
  const providers = new Map<string, Provider>();
  let next: Person | null = null;

  const server = createServer((request, response) => {
    const name = request.url?.split('/')[1] ?? '';
    const provider = providers.get(name);
    if (provider === undefined) {
      // Whatever else is asked for is an issuer that claims to be the first one.
      const [first = ''] = names;
      const claim = { ...configurationOf(issuer(first)), jwks_uri: `${issuer(name)}/jwks` };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(claim));
      return;
    }
    Object.assign(request, { originalUrl: request.url });
    request.url = (request.url ?? '').slice(name.length + 1);
    if (request.url.startsWith('/interaction/')) void interact(provider, request, response, next);
    else void provider.callback()(request, response);
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  const issuer = (name: string) => `http://${HOST}:${port}/${name}`;
  for (const name of names) providers.set(name, createProvider(issuer(name), { name, people, redirectUri }));

  return {
    host: HOST,
    port,
    issuer,
    async authorize(url, person) {
      next = person;
      if (person !== null) people.set(person.subject, person);
      return await follow(url, redirectUri);
    },
    stop: () => close(server),
    start: () => listen(server, port),
  };
}

type ProviderOptions = { name: string; people: ReadonlyMap<string, Person>; redirectUri: string };

function createProvider(issuer: string, { name, people, redirectUri }: ProviderOptions): Provider {
  return new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups', '_claim_names'],
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    conformIdTokenClaims: true,
    cookies: { keys: ['a key for the cookies of the tests'] },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 300, IdToken: 300, Interaction: 300, Session: 300 },
    interactions: { url: (_ctx, interaction) => `/${name}/interaction/${interaction.uid}` },
    findAccount: (_ctx, subject) => {
      const { subject: _subject, ...claims } = people.get(subject) ?? { subject };
      return { accountId: subject, claims: () => ({ sub: subject, ...claims }) };
    },
    async loadExistingGrant(ctx) {
      const { client, session, provider } = ctx.oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  });
}

function configurationOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  person: Person | null,
): Promise<void> {
  const result = person === null ? { error: 'access_denied' } : { login: { accountId: person.subject } };
  await provider.interactionFinished(request, response, result);
}

/** Follows redirects like a browser of its own, until one leads to `end`. */
async function follow(url: string, end: string): Promise<string> {
  const cookies = new Map<string, string>();
  let address = url;
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`The issuer answered ${answer.status}: ${await answer.text()}`);
    address = new URL(location, address).href;
    if (address.startsWith(end)) return address;
  }
  throw new Error('The issuer redirected too often.');
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
