/**
 * Binds the contract's route table to the server. What is not in the table cannot be served by a handler, and a row
 * without a handler stops the start. For every row: authorization before the body is read, at once where a look is enough
 * to refuse, the caller's quotas, validation by its schemas, the handler in the turn of its tenant, and its answer through the
 * response schema.
 */
import type { Route, RouteMethod } from '@airdeck/contracts/route';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import { storableJson } from '@airdeck/domain/storable-json';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Tracer } from '../tracing/tracer.ts';
import { AppError } from './app-error.ts';
import type { Authorization, Granted } from './authorization.ts';
import type { CallQuotas } from './call-quotas.ts';
import { compressAnswer } from './compressed-answers.ts';
import { type Confirm, type Confirmations, confirmationHeaders } from './confirmation.ts';
import { type NoteRefusal, recordOf, validationFailed } from './error-answers.ts';
import { sendTagged, tagged } from './etag.ts';
import type { AllHandlers } from './handlers.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { readJsonBody } from './json-body.ts';
import { KeptAnswer } from './kept-answer.ts';
import type { Refuse } from './prepared-refusals.ts';
import { requestSignal } from './request-signal.ts';
import { isNavigation } from './static-dashboard.ts';
import { inOurWords } from './value-problems.ts';

const allMethods: readonly RouteMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Handlers without the types that tie each one to its row; `AllHandlers` has checked them. */
type AnyHandler = (request: { params: unknown; query: unknown; body: unknown }, context: unknown) => Promise<unknown>;

type Dependencies = {
  handlers: Partial<AllHandlers>;
  authorization: Authorization;
  confirmations: Confirmations;
  quotas: CallQuotas;
  refuse: Refuse;
  /** Told whose request it is. */
  tracer?: Pick<Tracer, 'current'>;
  /** Where it is kept whose requests they are, for whoever has to name them later. */
  granted?: WeakMap<FastifyRequest, Granted>;
  /** Told of what is refused without an error of the request's own: tokens and keys that were looked up, and calls that are too many. */
  noteRefusal?: NoteRefusal;
  /** Only where a test serves a few rows: those without a handler are left out. The server itself needs them all. */
  allowMissing?: boolean;
};

/** Returns the ids of the rows that are served. Throws when one has no handler, or a handler has no row. */
export function bindRoutes(app: FastifyInstance, deps: Dependencies): RouteId[] {
  const handlers = deps.handlers as Readonly<Record<string, AnyHandler | undefined>>;
  const unknown = Object.keys(handlers).filter((id) => !Object.hasOwn(routeTable, id));
  if (unknown.length > 0) throw new Error(`These handlers have no row in the route table: ${unknown.join(', ')}.`);
  const ids = Object.keys(routeTable) as RouteId[];
  const missing = ids.filter((id) => handlers[id] === undefined);
  if (missing.length > 0 && deps.allowMissing !== true) {
    throw new Error(`These rows of the route table have no handler: ${missing.join(', ')}.`);
  }
  readBodies(app);
  const bound = ids.filter((id) => handlers[id] !== undefined);
  for (const id of bound) {
    const handler = handlers[id];
    if (handler !== undefined) bindRoute(app, { id, route: routeTable[id], handler, ...deps });
  }
  refuseOtherMethods(app, bound);
  return bound;
}

/** `{name}` of the specification as the router spells it. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

type Bound = {
  id: RouteId;
  route: Route;
  handler: AnyHandler;
  authorization: Authorization;
  confirmations: Confirmations;
  quotas: CallQuotas;
  refuse: Refuse;
  tracer?: Pick<Tracer, 'current'>;
  granted?: WeakMap<FastifyRequest, Granted>;
  noteRefusal?: NoteRefusal;
};

function bindRoute(app: FastifyInstance, bound: Bound): void {
  const { id, route, handler, authorization, quotas, refuse, tracer, noteRefusal } = bound;
  const granted = bound.granted ?? new WeakMap<FastifyRequest, Granted>();
  const guarded = { id, access: route.access };
  app.route({
    method: route.method,
    url: routerPath(route.path),
    exposeHeadRoute: false,
    config: {
      routeId: id,
      rawBody: route.body === 'raw',
      ofStrangers: route.access.kind === 'public',
      takesNone: route.body === undefined,
    },
    onRequest: (request, reply, done) => {
      const code = authorization.refusedAtOnce(guarded, request);
      if (code !== undefined) {
        refuse(code, request, reply);
        return;
      }
      authorization.decide(guarded, request).then(
        (grant) => {
          granted.set(request, grant);
          tracer?.current()?.note({ 'airdeck.tenant_id': grant.scope?.tenantId });
          const tooMany = quotas.refused(bound, grant, request.ip);
          if (tooMany === undefined) {
            done();
            return;
          }
          void recordOf(noteRefusal, tooMany.error, request);
          if (tooMany.afterMs === 0) refuse(tooMany.error, request, reply);
          else setTimeout(refuse, tooMany.afterMs, tooMany.error, request, reply);
        },
        (error: unknown) => {
          // Found out late, and answered no dearer. Too many calls are on record where it was found out.
          if (error instanceof AppError && error.code === 'TOKEN_INVALID') {
            void recordOf(noteRefusal, error, request);
            refuse(error.code, request, reply);
          } else if (error instanceof AppError && error.code === 'RATE_LIMITED') refuse(error, request, reply);
          else done(error as Error);
        },
      );
    },
    onSend: (request, reply, payload, done) => compressAnswer(request, reply, payload, done),
    handler: async (request, reply) => {
      const parsed = validate(route, request);
      // Whether or not this call keeps it: a key that is none would protect nobody who counts on it.
      if (route.method !== 'GET') idempotencyKeyOf(request.headers);
      const signal = requestSignal(reply);
      const grant = granted.get(request) ?? {};
      const asking = confirmationOf(bound, request, grant);
      const context = { ...grant, confirm: asking.confirm, requestId: request.id, signal, raw: { request, reply } };
      const answer = await quotas.inTurn(bound, grant, { signal, work: () => handler(parsed, context) });
      if (route.confirm && !asking.confirmed()) throw new Error(`The handler of ${id} did not ask for confirmation.`);
      return reply.sent ? reply : sendAnswer({ id, route }, request, reply, answer);
    },
  });
}

/** One parser for everything, chosen by the route and never by what the client calls its body. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    if ((request.routeOptions.config as { rawBody?: boolean }).rawBody === true) {
      done(null, payload);
      return;
    }
    readJsonBody(request, payload).then((body) => done(null, body), done);
  });
}

function validate(route: Route, request: FastifyRequest) {
  const problems: { part: string; error: z.ZodError }[] = [];
  const part = (name: 'params' | 'query' | 'body', schema: z.ZodType | undefined, value: unknown): unknown => {
    const result = schema?.safeParse(value, inOurWords);
    if (result === undefined || result.success) return result?.data;
    problems.push({ part: name, error: result.error });
    return undefined;
  };
  // As with bodies; halves of surrogate pairs have no spelling in an address.
  const storable = (fields: unknown): unknown =>
    request.url.includes('%00') ? JSON.parse(storableJson(fields)) : fields;
  const params = part('params', route.params, storable(request.params));
  const query = part('query', route.query, given(route.query, storable(request.query)));
  const schema = route.body === 'raw' ? undefined : route.body;
  const body = part('body', schema, request.body ?? (schema === undefined ? undefined : {}));
  if (problems.length > 0) throw validationFailed(problems);
  if (route.body === undefined) refuseUnexpectedBody(request.body);
  return { params, query, body };
}

/** `?status=&page=2` names a filter and asks for nothing in it: as good as not there, where it need not be. */
function given(schema: z.ZodType | undefined, query: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || typeof query !== 'object' || query === null) return query;
  if (!Object.values(query).includes('')) return query;
  const fields = new Map(Object.entries(schema.shape as Record<string, z.ZodType>));
  const isNothing = (name: string, value: unknown) =>
    value === '' && fields.get(name)?.safeParse(undefined).success === true;
  return Object.fromEntries(Object.entries(query).filter(([name, value]) => !isNothing(name, value)));
}

/** `{}` is what many clients send when they have nothing to say. */
function refuseUnexpectedBody(body: unknown): void {
  const empty = body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0);
  if (empty) return;
  const details = [{ path: 'body', message: 'This call takes no body.' }];
  throw new AppError('VALIDATION_FAILED', { details, tampered: true });
}

function confirmationOf({ id, confirmations }: Bound, request: FastifyRequest, granted: Granted) {
  let done = false;
  const confirm: Confirm = async (question) => {
    const { caller, scope } = granted;
    if (caller === undefined) throw new Error(`Nobody is there to confirm ${id}.`);
    const tenant = scope?.tenantId ?? caller.homeTenant;
    const headers = confirmationHeaders(request.headers);
    await confirmations.confirm({ caller, tenant, routeId: id, requestId: request.id, headers, question });
    done = true;
  };
  return { confirm, confirmed: () => done };
}

function sendAnswer(
  { id, route }: { id: RouteId; route: Route },
  request: FastifyRequest,
  reply: FastifyReply,
  answer: unknown,
): FastifyReply {
  // A handler may have chosen another status (readiness does).
  if (reply.statusCode === 200) void reply.code(route.status ?? (route.response === 'empty' ? 204 : 200));
  if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
  if (route.response === 'empty') return reply.send();
  if (route.response === 'stream') throw new Error(`The handler of ${id} returned without opening its stream.`);
  const { response } = route;
  if (answer instanceof KeptAnswer) {
    const kept = answer.written((value: unknown) => tagged(writtenAnswer(id, response, value)));
    return sendTagged(request, reply, kept);
  }
  const text = writtenAnswer(id, response, answer);
  if (route.method === 'GET' && reply.statusCode === 200) return sendTagged(request, reply, tagged(text));
  return reply.type('application/json; charset=utf-8').send(text);
}

function writtenAnswer(id: RouteId, response: z.ZodType, answer: unknown): string {
  const result = response.safeParse(answer);
  if (result.success) return JSON.stringify(result.data);
  throw new Error(`The answer of ${id} does not fit its schema: ${result.error.message}`, { cause: result.error });
}

/** A known path with another method is 405 with the ones that exist; nothing overrides a method. */
function refuseOtherMethods(app: FastifyInstance, bound: readonly RouteId[]): void {
  const methodsOf = new Map<string, RouteMethod[]>();
  for (const id of bound) {
    const { method, path } = routeTable[id];
    const url = routerPath(path);
    methodsOf.set(url, [...(methodsOf.get(url) ?? []), method]);
  }
  for (const [url, methods] of methodsOf) {
    const others = allMethods.filter((method) => !methods.includes(method));
    app.route({
      method: [...others, 'OPTIONS', 'HEAD', 'TRACE'],
      url,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        // The dashboard has a screen of the same address: an invitation's link is opened there, and accepted here.
        if (!methods.includes('GET') && isNavigation(request)) return reply.callNotFound();
        void reply.header('allow', methods.join(', '));
        throw new AppError('METHOD_NOT_ALLOWED');
      },
      handler: async () => undefined,
    });
  }
}
