import type { Told } from '@airdeck/contracts/filled-text';
import { readAnswer, readFailure } from './answer.ts';
import { ApiError, type ErrorCategory } from './api-error.ts';
import { clientFailures } from './client-failures.ts';
import type { EventStreamDeps, StreamHandlers } from './event-stream.ts';
import {
  type CallAnswer,
  type CallControls,
  type CallRouteId,
  type DownloadControls,
  type FileRouteId,
  type PreparedCall,
  prepareCall,
  type RouteParts,
  type StreamRouteId,
  type UntypedParts,
} from './route-call.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

export type ApiClientDeps = {
  /** Origin and path prefix of the API; `/` or empty for the page's own origin. */
  baseUrl: string;
  /** The bearer token, or undefined when nobody is signed in. `refresh` asks for a new one after a refusal. */
  getToken: (options?: { refresh?: boolean }) => Promise<string | undefined>;
  fetch: typeof globalThis.fetch;
  /** Called when a call stays unauthorized with a fresh token: the session is over. */
  onUnauthorized: () => void;
  newId: () => string;
  /** Headers that tie a call to the error report of the page, such as `traceparent`. */
  traceHeaders?: () => Readonly<Record<string, string>>;
  /** A sentence of the server in the words of whoever reads it; without it as it came. */
  tell?: (told: Told) => string;
  /** An empty answer of a route that has something to say is a failure, instead of an empty object (spec §7). */
  missesEmpty?: boolean;
  timeoutSignal?: (milliseconds: number) => AbortSignal;
  stream?: Partial<EventStreamDeps>;
};

export type ApiClient = {
  /**
   * Calls a route of the contract. Never retries, except once with a fresh token after a 401.
   *
   * @throws ApiError for every failure
   */
  call<K extends CallRouteId>(routeId: K, options: RouteParts<K> & CallControls): Promise<CallAnswer<K>>;
  /**
   * Fetches what a route sends as a file. A plain link could not carry the token, so it is read here; the browser keeps a
   * large one on disk, not in memory. One that breaks off half-way is a failure, never a shorter file.
   *
   * @throws ApiError for every failure
   */
  download<K extends FileRouteId>(routeId: K, options: RouteParts<K> & DownloadControls): Promise<DownloadedFile>;
  /** Listens to server-sent events until the returned function is called; reconnects by itself. */
  subscribe<K extends StreamRouteId>(routeId: K, options: RouteParts<K>, handlers: StreamHandlers): () => void;
};

/** The name is the server's, if it gave one that is no path. */
export type DownloadedFile = { readonly file: Blob; readonly name: string | undefined };

export function createApiClient(deps: ApiClientDeps): ApiClient {
  return {
    async call(routeId, options) {
      const call = prepareCall(deps.baseUrl, routeId, options as UntypedParts);
      const mayBeEmpty = call.empty || deps.missesEmpty !== true;
      const read = (response: Response) => readAnswer(response, call, mayBeEmpty);
      const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
      return (await send(deps, call, { ...options, timeoutMs }, read)) as CallAnswer<typeof routeId>;
    },
    async download(routeId, options) {
      const call = prepareCall(deps.baseUrl, routeId, options as UntypedParts);
      // Loaded when first used, like the stream below.
      const read = async (response: Response) =>
        (await import('./file-answer.ts')).readFile(response, call, options.onProgress);
      return send(deps, call, { ...options, accept: '*/*' }, read);
    },
    subscribe(routeId, options, handlers) {
      const call = prepareCall(deps.baseUrl, routeId, options as UntypedParts);
      const streamDeps = {
        ...deps.stream,
        fetch: deps.fetch,
        getToken: deps.getToken,
        onUnauthorized: deps.onUnauthorized,
      };
      const closed = new AbortController();
      // Loaded when first used: a sign-in page calls routes, but listens to nothing.
      void import('./event-stream.ts').then(({ keepStreamOpen }) =>
        keepStreamOpen(streamDeps, call.url, handlers, closed.signal),
      );
      return () => closed.abort();
    },
  };
}

/** Without `timeoutMs` there is no limit. */
type SendControls = CallControls & { accept?: string };

async function send<T>(
  deps: ApiClientDeps,
  call: PreparedCall,
  controls: SendControls,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { timeoutMs } = controls;
  const timeout = timeoutMs === undefined ? undefined : (deps.timeoutSignal ?? AbortSignal.timeout)(timeoutMs);
  const signal = AbortSignal.any([controls.signal, timeout].filter((each) => each !== undefined));
  // One key for both tries below: they are the same mutation.
  const headers = headersOf(deps, call, controls);
  try {
    let response = await attempt(deps, { call, controls, headers, signal, refresh: false });
    if (response.status === 401 && controls.anonymous !== true) {
      response = await attempt(deps, { call, controls, headers, signal, refresh: true });
      if (response.status === 401) deps.onUnauthorized();
    }
    // Awaited here: a body that breaks off half-way is a failure of this call too.
    if (response.ok) return await read(response);
    throw await readFailure(response, call, deps.tell);
  } catch (cause) {
    throw asApiError(cause, call, { caller: controls.signal, timeout });
  }
}

type Attempt = {
  call: PreparedCall;
  controls: SendControls;
  headers: Record<string, string>;
  signal: AbortSignal;
  refresh: boolean;
};

async function attempt(deps: ApiClientDeps, { call, controls, headers, signal, refresh }: Attempt): Promise<Response> {
  const authorization = controls.anonymous === true ? {} : await bearer(deps, call, refresh);
  return deps.fetch(call.url, {
    method: call.method,
    headers: { ...headers, ...authorization },
    credentials: 'same-origin',
    signal,
    ...(controls.keepalive === undefined ? {} : { keepalive: controls.keepalive }),
    ...(call.body === undefined ? {} : { body: call.body }),
  });
}

async function bearer(deps: ApiClientDeps, call: PreparedCall, refresh: boolean): Promise<Record<string, string>> {
  const token = await deps.getToken({ refresh });
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (refresh) deps.onUnauthorized();
  throw new ApiError({
    endpoint: call.endpoint,
    method: call.method,
    category: 'auth',
    code: 'TOKEN_MISSING',
    message: 'No auth token found',
  });
}

function headersOf(deps: ApiClientDeps, call: PreparedCall, controls: SendControls): Record<string, string> {
  return {
    accept: controls.accept ?? 'application/json',
    ...(call.body === undefined ? {} : { 'content-type': contentType(call.body) }),
    ...(call.method === 'GET' ? {} : { 'idempotency-key': controls.idempotencyKey ?? deps.newId() }),
    ...(controls.confirm === undefined ? {} : { 'x-air-confirm': 'true' }),
    ...(controls.confirm?.passphrase === undefined
      ? {}
      : { 'x-air-confirm-passphrase': headerText(controls.confirm.passphrase) }),
    ...deps.traceHeaders?.(),
  };
}

/** A header takes no character beyond these; what has one is as wrong as nothing is, and the server says so. */
function headerText(text: string): string {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text) ? text : '';
}

function contentType(body: string | Blob): string {
  if (typeof body === 'string') return 'application/json';
  return body.type === '' ? 'application/octet-stream' : body.type;
}

function asApiError(
  cause: unknown,
  call: PreparedCall,
  signals: { caller: AbortSignal | undefined; timeout: AbortSignal | undefined },
): ApiError {
  if (cause instanceof ApiError) return cause;
  const failed = (category: ErrorCategory, code: keyof typeof clientFailures) =>
    new ApiError({
      endpoint: call.endpoint,
      method: call.method,
      category,
      code,
      message: clientFailures[code],
      cause,
    });
  if (signals.caller?.aborted === true) return failed('abort', 'ABORTED');
  if (signals.timeout?.aborted === true) return failed('timeout', 'TIMED_OUT');
  // What fetch throws when there is no answer at all: no connection, refused, name not found.
  if (cause instanceof TypeError) return failed('network', 'UNREACHABLE');
  return failed('unknown', 'UNEXPECTED');
}
