import type { RouteAnswer, RouteInput } from '@airdeck/contracts/route';
import { routeIndex } from '@airdeck/contracts/route-index.gen';
import type { RouteTable } from '@airdeck/contracts/route-table';

type IdsAnswering<Kind> = {
  [K in keyof RouteTable]: RouteTable[K]['response'] extends Kind ? K : never;
}[keyof RouteTable];

/** Routes that answer with server-sent events. */
export type StreamRouteId = IdsAnswering<'stream'>;

/** Ingestion takes a source's own token, so it is not called through this client. */
export type CallRouteId = Exclude<keyof RouteTable, StreamRouteId | 'sources.ingest'>;

/** Routes that answer with a file. */
export type FileRouteId = {
  [K in CallRouteId | StreamRouteId]: RouteTable[K] extends { readonly sends: readonly string[] } ? K : never;
}[CallRouteId | StreamRouteId];

type Input<K extends keyof RouteTable> = RouteInput<RouteTable[K]>;
type IsOptional<T> = undefined extends T ? true : Record<never, never> extends T ? true : false;
type PartNames = 'params' | 'query' | 'body';

type RequiredParts<I> = { [P in PartNames & keyof I as IsOptional<I[P]> extends true ? never : P]: I[P] };
type OptionalParts<I> = {
  [P in PartNames & keyof I as IsOptional<I[P]> extends true ? (I[P] extends undefined ? never : P) : never]?: I[P];
};

/** Routes that take a file as it is get it as a Blob, whose type says what it is. */
type RawPart<R> = R extends { readonly body: 'raw' } ? { body: Blob } : unknown;

/** Parameters, query and body of a route; parts it does not have cannot be given. */
export type RouteParts<K extends keyof RouteTable> = RequiredParts<Input<K>> &
  OptionalParts<Input<K>> &
  RawPart<RouteTable[K]>;

export type CallControls = {
  signal?: AbortSignal;
  /** For repeating a mutation that may already have happened; a fresh key is made when left out. */
  idempotencyKey?: string;
  /** Answers a 449: repeats the call as confirmed. */
  confirm?: { passphrase?: string };
  /** Public routes are called without a token. */
  anonymous?: boolean;
  /** Goes on when the page is left meanwhile; only for small bodies. */
  keepalive?: boolean;
  /** Milliseconds until the call is given up; 30 000 when left out. */
  timeoutMs?: number;
};

export type DownloadControls = {
  signal?: AbortSignal;
  /** Milliseconds until the whole file has to be there; a large one may take its time when left out. */
  timeoutMs?: number;
  /** Bytes read so far. */
  onProgress?: (bytes: number) => void;
};

/** What a call resolves to; an answer without a body is an empty object (spec §7). */
export type CallAnswer<K extends keyof RouteTable> =
  RouteAnswer<RouteTable[K]> extends undefined ? Record<string, never> : RouteAnswer<RouteTable[K]>;

/** The same three parts where the route is no longer known. */
export type UntypedParts = { params?: unknown; query?: unknown; body?: unknown };
export type PreparedCall = {
  method: string;
  endpoint: string;
  url: string;
  body: string | Blob | undefined;
  /** The route answers with nothing. */
  empty: boolean;
};

/**
 * Address and body of a call.
 *
 * @throws RangeError when a path parameter is missing or empty: such an address would mean another route
 */
export function prepareCall(baseUrl: string, routeId: keyof typeof routeIndex, parts: UntypedParts): PreparedCall {
  const route = routeIndex[routeId];
  const params = asRecord(parts.params);
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') {
      throw new RangeError(`"${routeId}" needs the path parameter "${name}".`);
    }
    return encodeURIComponent(String(value));
  });
  return {
    method: route.method,
    endpoint: route.path,
    url: `${baseUrl.replace(/\/+$/, '')}${path}${queryString(asRecord(parts.query))}`,
    empty: 'empty' in route,
    body: parts.body === undefined || parts.body instanceof Blob ? parts.body : JSON.stringify(parts.body),
  };
}

function queryString(query: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
