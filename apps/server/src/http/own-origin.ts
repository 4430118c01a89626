import type { FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export type OwnOrigin = { readonly publicUrl: string | undefined; readonly listensOnLoopback: boolean };

/**
 * Refuses a request whose Host is not a name of ours. A page of somebody else can make its own name point to this
 * machine; what it then sends is same-origin for the browser, and only the name gives it away.
 */
export function requireOwnHost(request: FastifyRequest, own: OwnOrigin): void {
  const names = new Set<string>();
  if (own.publicUrl !== undefined) names.add(new URL(own.publicUrl).hostname);
  if (own.listensOnLoopback || own.publicUrl !== undefined) for (const name of loopbackNames) names.add(name);
  // Listening on all addresses without a public one: any name may be ours.
  if (names.size === 0 || names.has(hostnameOf(request))) return;
  throw new AppError('ORIGIN_NOT_ALLOWED');
}

/**
 * For calls that act on a cookie: the browser says where a request comes from, and only our own pages may send it.
 * Programs send neither header; they are let through as long as they bring no cookie.
 */
export function requireOwnOrigin(request: FastifyRequest): void {
  const { origin, cookie } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new AppError('ORIGIN_NOT_ALLOWED');
  if (origin !== undefined) {
    if (origin !== `${request.protocol}://${request.host}`) throw new AppError('ORIGIN_NOT_ALLOWED');
    return;
  }
  if (site === undefined && cookie !== undefined && request.method !== 'GET') throw new AppError('ORIGIN_NOT_ALLOWED');
}

/** For addresses another site sends the browser to: a page that is opened, never a script, picture or frame. */
export function requireNavigation(request: FastifyRequest): void {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = request.headers;
  if (mode !== undefined && mode !== 'navigate') throw new AppError('ORIGIN_NOT_ALLOWED');
  if (destination !== undefined && destination !== 'document') throw new AppError('ORIGIN_NOT_ALLOWED');
}

function hostnameOf(request: FastifyRequest): string {
  const address = `http://${request.host}`;
  return URL.canParse(address) ? new URL(address).hostname : '';
}
