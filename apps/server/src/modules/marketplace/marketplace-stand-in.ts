/**
 * The Azure Marketplace and the publisher's directory for tests: one server on loopback with the paths and models of the
 * public description of the fulfilment API, tokens signed by a key it publishes, and switches for what goes wrong.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { MARKETPLACE_APP } from './marketplace-client.ts';

const HOST = '127.0.0.1';
const KEY_ID = 'the-key-of-the-directory';
export const publisher = {
  directory: '5a1f3a52-7a0e-4e0a-9b58-3f7f0a0c1d21',
  clientId: '0c6e8f4b-2d53-4a65-8c0d-6b1f5a3f9e77',
  clientSecret: 'a client secret of the tests',
} as const;

export type StandInSubscription = {
  id: string;
  publisherId: string;
  offerId: string;
  name: string;
  saasSubscriptionStatus: 'NotStarted' | 'PendingFulfillmentStart' | 'Subscribed' | 'Suspended' | 'Unsubscribed';
  beneficiary: { emailId: string; objectId: string; tenantId: string; puid?: string };
  purchaser: { emailId: string; objectId: string; tenantId: string; puid?: string };
  planId: string;
  quantity?: number;
  term?: { termUnit: string; startDate?: string; endDate?: string };
  autoRenew: boolean;
  isTest: boolean;
  isFreeTrial: boolean;
  allowedCustomerOperations: string[];
  sandboxType: string;
  sessionMode: string;
};

export type StandInOperation = {
  id: string;
  activityId: string;
  subscriptionId: string;
  offerId: string;
  publisherId: string;
  planId: string;
  quantity?: number;
  action: string;
  timeStamp: string;
  status: 'NotStarted' | 'InProgress' | 'Succeeded' | 'Failed' | 'Conflict';
};

export const callNames = [
  'token',
  'configuration',
  'keys',
  'resolve',
  'subscription',
  'activate',
  'operation',
  'answer',
] as const;
export type CallName = (typeof callNames)[number];

/** `late`: takes effect, and the connection is cut before the answer. `silent`: never answers. */
export type Failure =
  | { status: number; body?: string; headers?: Record<string, string> }
  | { gone: 'cut' | 'late' | 'silent' };

export type Recorded = {
  call: CallName;
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
  /** What was answered. */
  answer: unknown;
};

export type StandIn = Awaited<ReturnType<typeof createMarketplaceStandIn>>;

export async function createMarketplaceStandIn() {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  const subscriptions = new Map<string, StandInSubscription>();
  const landingTokens = new Map<string, string>();
  const operations = new Map<string, StandInOperation>();
  const recorded: Recorded[] = [];
  const failures = new Map<CallName, { failure: Failure; times: number }>();
  const held = new Map<CallName, () => Promise<unknown>>();
  let accessTokens = new Set<string>();

  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => await serve(request, response, body));
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  const origin = `http://${HOST}:${port}`;
  const loginUrl = `${origin}/login`;

  async function serve(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    const call = callOf(request.method ?? '', url.pathname);
    if (call === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { headers, method = '' } = request;
    const entry: Recorded = {
      call,
      method,
      path: url.pathname,
      query: url.searchParams,
      headers,
      body,
      answer: undefined,
    };
    recorded.push(entry);
    const failure = takeFailure(call);
    if (failure !== undefined && 'status' in failure) {
      response.writeHead(failure.status, { 'content-type': 'application/json', ...failure.headers });
      response.end(failure.body ?? JSON.stringify({ error: { code: 'Odd', message: 'made up' } }));
      return;
    }
    if (failure?.gone === 'silent') return;
    if (failure?.gone === 'cut') {
      request.socket.destroy();
      return;
    }
    const { status, answer } = answerTo(entry);
    entry.answer = answer;
    if (failure?.gone === 'late') {
      request.socket.destroy();
      return;
    }
    const text = answer === undefined ? '' : JSON.stringify(answer);
    const work = held.get(call);
    held.delete(call);
    await work?.();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(text);
  }

  function takeFailure(call: CallName): Failure | undefined {
    const set = failures.get(call);
    if (set === undefined) return undefined;
    set.times--;
    if (set.times <= 0) failures.delete(call);
    return set.failure;
  }

  function answerTo(entry: Recorded): { status: number; answer?: unknown } {
    switch (entry.call) {
      case 'token':
        return issueToken(entry);
      case 'configuration': {
        const issuer = `${loginUrl}/${publisher.directory}/v2.0`;
        return { status: 200, answer: { issuer, jwks_uri: `${loginUrl}/${publisher.directory}/discovery/v2.0/keys` } };
      }
      case 'keys':
        return { status: 200, answer: { keys: [key] } };
      default:
        return answerToApi(entry);
    }
  }

  function issueToken({ path, body }: Recorded) {
    const form = new URLSearchParams(body);
    const isPublisher =
      path.split('/')[2] === publisher.directory &&
      form.get('grant_type') === 'client_credentials' &&
      form.get('client_id') === publisher.clientId &&
      form.get('client_secret') === publisher.clientSecret &&
      form.get('resource') === MARKETPLACE_APP;
    if (!isPublisher) return { status: 401, answer: { error: 'invalid_client' } };
    const token = `access-${randomUUID()}`;
    accessTokens.add(token);
    return { status: 200, answer: { token_type: 'Bearer', expires_in: '3599', access_token: token } };
  }

  function answerToApi(entry: Recorded): { status: number; answer?: unknown } {
    const bearer = entry.headers.authorization?.replace('Bearer ', '') ?? '';
    if (!accessTokens.has(bearer)) return { status: 401 };
    if (entry.query.get('api-version') !== '2018-08-31') return { status: 400 };
    const [, , , , id = '', , operationId = ''] = entry.path.split('/');
    const subscription = subscriptions.get(entry.call === 'resolve' ? resolvedId(entry) : id);
    if (subscription === undefined) return { status: entry.call === 'resolve' ? 400 : 404 };
    if (entry.call === 'resolve') return { status: 200, answer: resolvedAnswer(subscription) };
    if (entry.call === 'subscription') return { status: 200, answer: subscription };
    if (entry.call === 'activate') return activate(subscription, entry.body);
    const operation = operations.get(operationId);
    if (operation?.subscriptionId !== id) return { status: 404 };
    if (entry.call === 'operation') return { status: 200, answer: operation };
    const { status } = JSON.parse(entry.body) as { status: string };
    operation.status = status === 'Success' ? 'Succeeded' : 'Failed';
    return { status: 200 };
  }

  const resolvedId = ({ headers }: Recorded) => landingTokens.get(String(headers['x-ms-marketplace-token'])) ?? '';

  return {
    host: HOST,
    port,
    apiUrl: `${origin}/api`,
    loginUrl,
    subscriptions,
    operations,
    recorded,
    calls: (call: CallName) => recorded.filter((entry) => entry.call === call),
    /** The next calls of that name go wrong; `times` is one when left out. */
    fail: (call: CallName, failure: Failure, times = 1) => failures.set(call, { failure, times }),
    /** The next answer of that name is made, and sent when the work is done. */
    hold: (call: CallName, work: () => Promise<unknown>) => held.set(call, work),
    /** Tokens given out so far are refused from now on. */
    revokeAccessTokens: () => {
      accessTokens = new Set();
    },
    /** A purchase, and the token of its landing page with the characters that decoding can break. */
    buy(change: Partial<StandInSubscription> & { email: string }) {
      const { email, ...rest } = change;
      const person = { emailId: email, objectId: randomUUID(), tenantId: randomUUID(), puid: '10030000A1B2C3D4' };
      const subscription: StandInSubscription = {
        id: randomUUID(),
        publisherId: 'publisher',
        offerId: 'airdeck',
        name: 'Contoso',
        saasSubscriptionStatus: 'PendingFulfillmentStart',
        beneficiary: person,
        purchaser: { ...person, emailId: `buyer-of-${email}` },
        planId: 'standard',
        quantity: 20,
        term: { termUnit: 'P1M' },
        autoRenew: true,
        isTest: false,
        isFreeTrial: false,
        allowedCustomerOperations: ['Read', 'Update', 'Delete'],
        sandboxType: 'None',
        sessionMode: 'None',
        ...rest,
      };
      const token = `${randomUUID()}+/a%2Bb==`;
      subscriptions.set(subscription.id, subscription);
      landingTokens.set(token, subscription.id);
      return { subscription, token };
    },
    /** An operation the marketplace has begun, and the notice about it. */
    begin(subscription: StandInSubscription, change: Partial<StandInOperation> & { action: string }) {
      const id = randomUUID();
      const { publisherId, offerId, planId, id: subscriptionId, quantity } = subscription;
      const operation: StandInOperation = {
        ...{ id, activityId: id, subscriptionId, offerId, publisherId, planId, status: 'InProgress' },
        ...(quantity === undefined ? {} : { quantity }),
        timeStamp: new Date().toISOString(),
        ...change,
      };
      operations.set(id, operation);
      const notice = { ...operation, operationRequestSource: 'Azure', subscription };
      return { operation, notice };
    },
    /** The token a genuine notice carries; `claims` and `sign` change it. */
    noticeToken(claims: JWTPayload = {}, sign: { issuer?: string; key?: typeof privateKey; expires?: string } = {}) {
      return new SignJWT({ tid: publisher.directory, appid: MARKETPLACE_APP, ver: '1.0', ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' })
        .setIssuer(sign.issuer ?? `https://sts.windows.net/${publisher.directory}/`)
        .setSubject(String(claims.sub ?? randomUUID()))
        .setAudience(claims.aud ?? publisher.clientId)
        .setIssuedAt()
        .setNotBefore('0s')
        .setExpirationTime(sign.expires ?? '1h')
        .sign(sign.key ?? privateKey);
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const apiPaths: readonly [CallName, string, RegExp][] = [
  ['resolve', 'POST', /^\/api\/saas\/subscriptions\/resolve$/],
  ['activate', 'POST', /^\/api\/saas\/subscriptions\/[^/]+\/activate$/],
  ['operation', 'GET', /^\/api\/saas\/subscriptions\/[^/]+\/operations\/[^/]+$/],
  ['answer', 'PATCH', /^\/api\/saas\/subscriptions\/[^/]+\/operations\/[^/]+$/],
  ['subscription', 'GET', /^\/api\/saas\/subscriptions\/[^/]+$/],
  ['token', 'POST', /^\/login\/[^/]+\/oauth2\/token$/],
  ['configuration', 'GET', /^\/login\/[^/]+\/v2\.0\/\.well-known\/openid-configuration$/],
  ['keys', 'GET', /^\/login\/[^/]+\/discovery\/v2\.0\/keys$/],
];

function callOf(method: string, path: string): CallName | undefined {
  return apiPaths.find(([, wanted, pattern]) => wanted === method && pattern.test(path))?.[0];
}

function resolvedAnswer(subscription: StandInSubscription) {
  const { id, name: subscriptionName, offerId, planId, quantity } = subscription;
  return { id, subscriptionName, offerId, planId, ...(quantity === undefined ? {} : { quantity }), subscription };
}

function activate(subscription: StandInSubscription, body: string) {
  const { planId, quantity } = JSON.parse(body) as { planId: string; quantity?: number };
  if (planId !== subscription.planId || quantity !== subscription.quantity) return { status: 400 };
  subscription.saasSubscriptionStatus = 'Subscribed';
  return { status: 200 };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, () => resolve());
  });
}
