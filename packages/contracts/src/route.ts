import type { z } from 'zod';
import type { Requirement } from './access/requirements.ts';
import type { ErrorCode } from './error-codes.ts';

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call a route.
 * - `public`: nobody needs to be known.
 * - `identity`: a valid access token; the person behind it may have no account of ours yet (sign-up).
 * - `signed_in`: a valid access token or API key; no tenant is involved.
 * - `tenant`: the caller is a member of the tenant in the path and meets the requirement.
 * - `source`: the event source's own token.
 */
export type RouteAccess =
  | { readonly kind: 'public' }
  | { readonly kind: 'identity' }
  | { readonly kind: 'signed_in' }
  | ({ readonly kind: 'tenant' } & Requirement)
  | { readonly kind: 'source' };

/** One row of the route table. What is not in the table cannot be served. */
export type Route = {
  readonly method: RouteMethod;
  /** With `{name}` for parameters, as in the specification. */
  readonly path: string;
  readonly summary: string;
  readonly access: RouteAccess;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  /** `raw` hands the undecoded stream to the handler (ingestion); everything else is JSON. */
  readonly body?: z.ZodType | 'raw';
  /** Media types of a raw body. */
  readonly takes?: readonly string[];
  /** `stream` is written by its handler: server-sent events, or a file. */
  readonly response: z.ZodType | 'stream' | 'empty';
  /** Media types of a stream that is a file; one without is server-sent events. */
  readonly sends?: readonly string[];
  /** A stream that is open as long as somebody looks: how long it took says nothing of how it was answered. */
  readonly live?: true;
  readonly status?: 200 | 201 | 202 | 204;
  /**
   * Answers 449 until the caller repeats the call with the confirmation header. Its handler says what is confirmed with
   * `context.confirm`; one that forgets fails.
   */
  readonly confirm?: true;
  /** Starts what reaches the outside, or reaches it itself: refused while the restore fence is up. */
  readonly acts?: true;
  /**
   * What has to work while there are too many calls: counts apart, for the person alone, and waits in no line; of strangers it is
   * never refused. Everything else counts for the person, the tenant and the address it comes from.
   */
  readonly urgent?: true;
  /** Codes beyond the ones every route of its access kind can answer with. */
  readonly errors?: readonly ErrorCode[];
};

export type Routes = Readonly<Record<string, Route>>;

/** Keeps the literal types of a resource's routes and checks their shape. */
export function defineRoutes<const T extends Routes>(routes: T): T {
  return routes;
}

type Part<R, K extends string> = R extends Readonly<Record<K, infer S>> ? S : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;
type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a client sends. */
export type RouteInput<R extends Route> = {
  params: Input<Part<R, 'params'>>;
  query: Input<Part<R, 'query'>>;
  body: Input<Part<R, 'body'>>;
};

/** What a handler receives. */
export type RouteRequest<R extends Route> = {
  params: Output<Part<R, 'params'>>;
  query: Output<Part<R, 'query'>>;
  body: Output<Part<R, 'body'>>;
};

/** What a handler returns and a client receives. */
export type RouteAnswer<R extends Route> = R['response'] extends z.ZodType ? z.output<R['response']> : undefined;
