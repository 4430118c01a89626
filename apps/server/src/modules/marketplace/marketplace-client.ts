/**
 * The SaaS fulfilment API of the Azure Marketplace, version 2 (`2018-08-31`), through the guarded egress.
 *
 * Our own access token comes by client credentials, is kept until shortly before its end, fetched once however many calls
 * need it, and replaced once when a call is refused as 401. When the marketplace asks us to wait, nothing is sent before.
 * Answers we cannot use are MARKETPLACE_UNAVAILABLE to people; what was wrong goes to the log as call, status and the
 * vendor's code: never an address with its query, a header or a body, because those hold tokens.
 */
import type { Egress, EgressResponse } from '@airdeck/connector-kit/egress';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import type { z } from 'zod';
import type { MarketplaceConfig } from '../../config/config.ts';
import { AppError } from '../../http/app-error.ts';
import { createWorkLimit } from '../identity/work-limit.ts';
import {
  accessTokenSchema,
  errorCodeOf,
  type MarketplaceOperation,
  type MarketplaceSubscription,
  operationSchema,
  resolvedSchema,
  subscriptionSchema,
} from './marketplace-answers.ts';

const API_VERSION = '2018-08-31';
/** The marketplace itself, as an application of the directory. */
export const MARKETPLACE_APP = '20e940b3-4c77-4b0b-9a53-9e16a1b010a7';
export const INSTALLATION = 'installation';
export const CALL_TIMEOUT_MS = 10_000;
const ANSWER_MAX_LENGTH = 256 * 1024;
const TOKEN_RENEWED_BEFORE_MS = 120_000;
const PARALLEL_CALLS = 8;
const WAITING_CALLS = 64;
const WAIT_MAX_S = 60;
const WAIT_DEFAULT_S = 5;

export type ResolvedPurchase = MarketplaceSubscription & { readonly subscriptionName: string | null };
/** `conflict`: a newer change is fulfilled already, or nobody waits for the answer any more. */
export type OperationAnswered = 'accepted' | 'conflict';

/** Every call throws MARKETPLACE_UNAVAILABLE when it gets no usable answer, and OVERLOADED in a flood. */
export interface MarketplaceClient {
  /** Without effect. Throws MARKETPLACE_TOKEN_INVALID for a landing token that is malformed, expired or nobody's. */
  resolve(token: string, requestId: string): Promise<ResolvedPurchase>;
  /** Billing starts. */
  activate(subscription: { id: string; planId: string; quantity: number | null }, requestId: string): Promise<void>;
  /** Undefined when there is none. */
  findSubscription(id: string, requestId: string): Promise<MarketplaceSubscription | undefined>;
  findOperation(
    of: { subscription: string; operation: string },
    requestId: string,
  ): Promise<MarketplaceOperation | undefined>;
  answerOperation(
    of: { subscription: string; operation: string; status: 'Success' | 'Failure' },
    requestId: string,
  ): Promise<OperationAnswered>;
}

export type ClientDependencies = {
  config: MarketplaceConfig;
  egress: Egress;
  ids: () => string;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
};

type Call = {
  name: string;
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: object;
  requestId: string;
};
type Answer = { status: number; body: unknown };

export function createMarketplaceClient(deps: ClientDependencies): MarketplaceClient {
  const api = createApi(deps);

  /** The answer when it is one of these, otherwise thrown. */
  async function expect(call: Call, statuses: readonly number[]): Promise<Answer> {
    const answer = await api(call);
    if (statuses.includes(answer.status)) return answer;
    throw unusable(deps, call, { status: answer.status, code: errorCodeOf(answer.body) });
  }

  function read<S extends z.ZodType>(call: Call, schema: S, answer: Answer): z.output<S> {
    const parsed = schema.safeParse(answer.body);
    if (parsed.success) return parsed.data;
    const fields = parsed.error.issues.map(({ path }) => path.join('.')).slice(0, 10);
    throw unusable(deps, call, { status: answer.status, unreadable: fields });
  }

  async function find<S extends z.ZodType>(call: Call, schema: S): Promise<z.output<S> | undefined> {
    const answer = await expect(call, [200, 404]);
    return answer.status === 404 ? undefined : read(call, schema, answer);
  }

  const one = (id: string) => `/saas/subscriptions/${encodeURIComponent(id)}`;
  return {
    async resolve(token, requestId) {
      const headers = { 'x-ms-marketplace-token': token };
      const call: Call = { name: 'resolve', method: 'POST', path: '/saas/subscriptions/resolve', headers, requestId };
      const answer = await expect(call, [200, 400, 404]);
      if (answer.status !== 200) throw new AppError('MARKETPLACE_TOKEN_INVALID');
      const { id, subscriptionName, subscription } = read(call, resolvedSchema, answer);
      if (id !== subscription.id) throw unusable(deps, call, { status: 200, unreadable: ['id'] });
      return { ...subscription, subscriptionName: subscriptionName ?? null };
    },
    async activate({ id, planId, quantity }, requestId) {
      const body = quantity === null ? { planId } : { planId, quantity };
      await expect({ name: 'activate', method: 'POST', path: `${one(id)}/activate`, body, requestId }, [200]);
    },
    findSubscription: (id, requestId) =>
      find({ name: 'get subscription', method: 'GET', path: one(id), requestId }, subscriptionSchema),
    findOperation: ({ subscription, operation }, requestId) => {
      const path = `${one(subscription)}/operations/${encodeURIComponent(operation)}`;
      return find({ name: 'get operation', method: 'GET', path, requestId }, operationSchema);
    },
    async answerOperation({ subscription, operation, status }, requestId) {
      const path = `${one(subscription)}/operations/${encodeURIComponent(operation)}`;
      const call: Call = { name: 'answer operation', method: 'PATCH', path, body: { status }, requestId };
      const answer = await expect(call, [200, 202, 204, 404, 409]);
      return answer.status === 404 || answer.status === 409 ? 'conflict' : 'accepted';
    },
  };
}

function createApi(deps: ClientDependencies): (call: Call) => Promise<Answer> {
  const { config, now } = deps;
  const limit = createWorkLimit({ parallel: PARALLEL_CALLS, waiting: WAITING_CALLS });
  const accessToken = createAccessToken(deps);
  let silentUntil = 0;

  function requireWelcome(): void {
    const waitS = Math.ceil((silentUntil - now().getTime()) / 1000);
    if (waitS > 0) throw new AppError('MARKETPLACE_UNAVAILABLE', { retryAfterS: waitS });
  }

  async function send(call: Call, token: string): Promise<EgressResponse> {
    const answer = await guarded(deps, call, {
      tenant: INSTALLATION,
      method: call.method,
      url: `${config.apiUrl}${call.path}?api-version=${API_VERSION}`,
      headers: {
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
        authorization: `Bearer ${token}`,
        'x-ms-requestid': deps.ids(),
        'x-ms-correlationid': call.requestId,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      timeoutMs: CALL_TIMEOUT_MS,
    });
    if ((answer.status === 429 || answer.status === 503) && answer.retryAfterS !== undefined) {
      silentUntil = now().getTime() + Math.min(answer.retryAfterS, WAIT_MAX_S) * 1000;
    }
    return answer;
  }

  return (call) =>
    limit(async () => {
      requireWelcome();
      const token = await accessToken.get(call);
      const first = await send(call, token);
      if (first.status !== 401) return answerOf(first);
      accessToken.forget(token);
      return answerOf(await send(call, await accessToken.get(call)));
    });
}

function createAccessToken(deps: ClientDependencies) {
  const { config, now } = deps;
  let kept: { token: string; until: number } | undefined;
  let fetching: Promise<string> | undefined;

  async function fetchToken(call: Call): Promise<string> {
    const name = { name: 'get access token', requestId: call.requestId };
    const form = {
      grant_type: 'client_credentials',
      client_id: config.clientId,
      client_secret: config.clientSecret,
      resource: MARKETPLACE_APP,
    };
    const answer = await guarded(deps, name, {
      tenant: INSTALLATION,
      method: 'POST',
      url: `${config.loginUrl}/${config.directory}/oauth2/token`,
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      timeoutMs: CALL_TIMEOUT_MS,
    });
    const parsed = accessTokenSchema.safeParse(answerOf(answer).body);
    if (answer.status !== 200 || !parsed.success) throw unusable(deps, name, { status: answer.status });
    const { access_token: token, expires_in: livesS } = parsed.data;
    kept = { token, until: now().getTime() + livesS * 1000 - TOKEN_RENEWED_BEFORE_MS };
    return token;
  }

  return {
    get(call: Call): Promise<string> {
      if (kept !== undefined && kept.until > now().getTime()) return Promise.resolve(kept.token);
      fetching ??= fetchToken(call).finally(() => {
        fetching = undefined;
      });
      return fetching;
    },
    /** Only the one that was refused: another call may have replaced it meanwhile. */
    forget(token: string): void {
      if (kept?.token === token) kept = undefined;
    },
  };
}

type Named = Pick<Call, 'name' | 'requestId'>;

/** Failures of egress name a host and a reason, nothing of the request. */
export async function guarded(
  deps: Pick<ClientDependencies, 'egress' | 'log'>,
  call: Named,
  request: Parameters<Egress['request']>[0],
): Promise<EgressResponse> {
  try {
    return await deps.egress.request(request);
  } catch (error) {
    if (error instanceof EgressError) throw unusable(deps, call, { egress: error.code });
    throw error;
  }
}

/** Undefined where there is no JSON, or more than any answer of these calls. */
export function answerOf({ status, text }: EgressResponse): Answer {
  if (text === '' || text.length > ANSWER_MAX_LENGTH) return { status, body: undefined };
  try {
    return { status, body: JSON.parse(text) as unknown };
  } catch {
    // Error pages of proxies are no JSON; the status says enough.
    return { status, body: undefined };
  }
}

export function unusable(deps: Pick<ClientDependencies, 'log'>, { name, requestId }: Named, what: object): AppError {
  deps.log.warn({ call: name, request_id: requestId, ...what }, 'the marketplace gave no usable answer');
  return new AppError('MARKETPLACE_UNAVAILABLE', { retryAfterS: WAIT_DEFAULT_S });
}
