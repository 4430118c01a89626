import type { Duplex } from 'node:stream';
import type { ErrorBody } from '@airdeck/contracts/error-codes';
import type { RouteId } from '@airdeck/contracts/route-table';
import type { DashboardConfig } from '@airdeck/contracts/system/schema';
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Answered } from './http/answered.ts';
import { AppError } from './http/app-error.ts';
import { type AuthLimits, mountAuthEndpoints } from './http/auth-endpoints.ts';
import type { Authorization, Granted } from './http/authorization.ts';
import { bindRoutes } from './http/bind-routes.ts';
import { addressName, type CallQuotas } from './http/call-quotas.ts';
import type { Confirmations } from './http/confirmation.ts';
import { docsPage, docsStyle } from './http/docs-page.ts';
import { installDrain } from './http/drain.ts';
import { answeredError, errorBody, installErrorAnswers, sendError } from './http/error-answers.ts';
import type { AllHandlers } from './http/handlers.ts';
import { createNoteRefusal } from './http/note-refusal.ts';
import type { OwnOrigin } from './http/own-origin.ts';
import { createRefuse } from './http/prepared-refusals.ts';
import type { RefusalLog } from './http/refusal-log.ts';
import { installRequestSpans } from './http/request-spans.ts';
import { routesOf } from './http/role-routes.ts';
import { allowStyle, installSecurityHeaders } from './http/security-headers.ts';
import { readIndexHtml, serveDashboard } from './http/static-dashboard.ts';
import { installUnreadAnswers, unreadBounds } from './http/unread-answers.ts';
import type { AuthCallCounter } from './modules/identity/auth-call-counter.ts';
import type { AuthCalls } from './modules/identity/auth-routes.ts';
import type { Tracer } from './tracing/tracer.ts';

export type AppServices = {
  handlers: AllHandlers;
  authorization: Authorization;
  confirmations: Confirmations;
  quotas: CallQuotas;
  refusals: Pick<RefusalLog, 'note' | 'noteStranger'>;
  /** Undefined where a hosted provider signs people in: then nothing is there to call. */
  authCalls: { calls: AuthCalls; counter: AuthCallCounter } | undefined;
  /** Told once the app exists, because readiness needs to know about draining. */
  onDrainReady?: (isDraining: () => boolean) => void;
};

export type AppOptions = {
  role: Config['role'];
  dashboard: DashboardConfig;
  dashboardFolder: string;
  own: OwnOrigin;
  trustedProxies: readonly string[];
  authLimits: AuthLimits;
  ids: () => string;
  log: Logger;
  tracer: Tracer;
  /** Told of every answer that is out. */
  onAnswer?: (answer: Answered) => void;
};

export type App = {
  server: FastifyInstance;
  /** Rows of the route table that are served. */
  routes: readonly RouteId[];
  /** What guards them, for tests of the guard itself. */
  authorization: Authorization;
  drain: () => Promise<number>;
};

/** A request with its body: twenty megabytes over a slow line. Of strangers only little is held meanwhile (json-body.ts). */
const ARRIVES_WITHIN_MS = 120_000;
/** For a refusal to arrive before the connection is gone. */
const LINGER_MS = 1_000;
/** Browsers and proxies send a few dozen. */
const HEADERS_MAX = 200;
/**
 * Address and headers of a request to the doors of people, instead of the 16 kB of Node.js: the address of a search keeps
 * its query and its filters, of which `search.tail` alone takes 60,000 characters; in other scripts than ours fewer fit.
 */
const HEAD_MAX_KB = 128;

/** The HTTP server from composed services; nothing listens yet. */
export async function buildApp(services: AppServices, options: AppOptions): Promise<App> {
  const { dashboard, log } = options;
  const served = routesOf(options.role);
  const server = Fastify({
    ...(served === undefined ? { http: { maxHeaderSize: HEAD_MAX_KB * 1024 } } : {}),
    loggerInstance: log.child({ part: 'http' }, { serializers: { req: requestFields } }),
    genReqId: () => options.ids(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    return503OnClosing: false,
    // Requests have had their time in the drain by then. A client that stays, or half of an upload, would hold the
    // process for a minute.
    forceCloseConnections: true,
    requestTimeout: ARRIVES_WITHIN_MS,
    routerOptions: { maxParamLength: 300 },
    clientErrorHandler: refuseBrokenRequest(options.ids),
    // What the router refuses before any route: its own answers would have another shape and repeat the address.
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  }) as unknown as FastifyInstance;
  installRequestSpans(server, options.tracer);
  const granted = new WeakMap<FastifyRequest, Granted>();
  const noteRefusal = createNoteRefusal({ refusals: services.refusals, granted });
  installErrorAnswers(server, noteRefusal);
  const indexHtml = readIndexHtml(options.dashboardFolder);
  const https = options.own.publicUrl?.startsWith('https:') === true;
  const everywhere = installSecurityHeaders(server, { https, dashboard, indexHtml });
  const { isDraining, drain } = installDrain(server);
  installUnreadAnswers(
    server,
    unreadBounds,
    (request) => granted.get(request)?.scope?.tenantId ?? addressName(request.ip),
  );
  refuseManyHeaders(server);
  refuseTunnels(server, options.ids);
  services.onDrainReady?.(isDraining);
  server.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    // The pattern, not the address: query strings carry what people search for.
    request.log.debug({ method, route: routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime }, 'answered');
    const { routeId, countedAs } = routeOptions.config as { routeId?: RouteId; countedAs?: 'auth' };
    const { statusCode: status, elapsedTime: ms } = reply;
    options.onAnswer?.({ routeId: routeId ?? countedAs, status, ...answeredError(request), ms });
    done();
  });
  const { handlers, authorization, confirmations, quotas } = services;
  const elsewhere = served === undefined ? {} : { message: notHere(options.role) };
  refuseUnknownAddresses(server, elsewhere);
  const routes = bindRoutes(server, {
    ...{ authorization, confirmations, quotas, refuse: createRefuse(everywhere), tracer: options.tracer },
    ...{ granted, noteRefusal },
    handlers: served === undefined ? handlers : Object.fromEntries(served.map((id) => [id, handlers[id]])),
    allowMissing: served !== undefined,
  });
  if (served === undefined) await servePeople(server, { services, options, indexHtml });
  else
    server.setNotFoundHandler(async () => {
      throw new AppError('ROUTE_NOT_FOUND', elsewhere);
    });
  await server.ready();
  return { server, routes, authorization, drain };
}

/** Node.js only has a limit for all of them together, in bytes. */
function refuseManyHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (request.raw.rawHeaders.length <= 2 * HEADERS_MAX) return done();
    void reply.header('connection', 'close');
    done(new AppError('BODY_NOT_DECODABLE', { message: `A request may have ${HEADERS_MAX} headers.` }));
  });
}

function notHere(role: Config['role']): string {
  return `There is no such address here: this process has the role ${role}.`;
}

/** What only a page could be is left to `serveDashboard`; the rest is refused before its body is read, which anybody may send. */
function refuseUnknownAddresses(server: FastifyInstance, elsewhere: { message?: string }): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    done(request.is404 && !reads ? new AppError('ROUTE_NOT_FOUND', elsewhere) : undefined);
  });
}

type People = { services: AppServices; options: AppOptions; indexHtml: string | undefined };

async function servePeople(server: FastifyInstance, { services, options, indexHtml }: People): Promise<void> {
  const { authCalls } = services;
  if (authCalls !== undefined) {
    await mountAuthEndpoints(server, { ...authCalls, own: options.own, limits: options.authLimits });
  }
  mountDocs(server, options.dashboard);
  await serveDashboard(server, { folder: options.dashboardFolder, indexHtml });
}

function mountDocs(server: FastifyInstance, dashboard: DashboardConfig): void {
  // Made when somebody asks: it is a page about every route, and no start waits for it. All who read it share its bytes.
  let page: Buffer | undefined;
  server.get('/api/docs', async (_request, reply) => {
    page ??= Buffer.from(docsPage({ title: dashboard.product_name, version: dashboard.release }));
    allowStyle(reply, docsStyle);
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page);
  });
}

function requestFields(request: { id: string; method: string }) {
  return { id: request.id, method: request.method };
}

const notHttp = { status: '400 Bad Request', message: 'This is not a valid HTTP request.' };
/** By the code of Node.js. */
const brokenRequests: Readonly<Record<string, typeof notHttp>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'The request took too long to arrive.' },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: 'Address and headers of this request are too long together.',
  },
};

/**
 * What is not even HTTP: answered in our shape and closed, so that nothing else is read from it. Who does not close the
 * other half of the connection as well is cut off after a moment, or it would stay open for as long as they like.
 */
function refuseBrokenRequest(ids: () => string) {
  return (error: Error & { code?: string }, socket: Ended & { writable: boolean }) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, message } = brokenRequests[error.code ?? ''] ?? notHttp;
    lastWords(socket, status, errorBody(new AppError('BODY_NOT_DECODABLE', { message }), ids()));
  };
}

/** Node.js hands these to nobody, and without a listener closes the connection without a word. */
function refuseTunnels(server: FastifyInstance, ids: () => string): void {
  server.server.on('connect', (_request: unknown, socket: Duplex) => {
    // Gone in the middle of what it is told.
    socket.on('error', () => undefined);
    lastWords(socket, '405 Method Not Allowed', errorBody(new AppError('METHOD_NOT_ALLOWED'), ids()));
  });
}

type Ended = Pick<Duplex, 'end' | 'destroy'>;

function lastWords(socket: Ended, status: string, error: ErrorBody): void {
  const body = JSON.stringify(error);
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
