/**
 * Headers every answer carries.
 *
 * Scripts come from our own origin only; an inline script of the built page is allowed by its hash, never by a keyword.
 * The component library writes its theme variables into a style element in the page: each answer with the page names a
 * nonce for those, and every other answer takes no inline style at all.
 * Browsers that know Trusted Types refuse to make elements or scripts of a text.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DashboardConfig } from '@airdeck/contracts/system/schema';
import type { FastifyInstance, FastifyReply } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';
import { clerkHost } from '../config/clerk-address.ts';

const HSTS_S = 365 * 24 * 3600;

/** Returns them; `x-request-id` comes on top. */
export function installSecurityHeaders(
  app: FastifyInstance,
  options: { https: boolean; dashboard: DashboardConfig; indexHtml: string | undefined },
): Readonly<Record<string, string>> {
  const headers = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'", ...inlineScriptHashes(options.indexHtml ?? '')],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'", ...connectOrigins(options.dashboard)],
        'manifest-src': ["'self'"],
        'worker-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'require-trusted-types-for': ["'script'"],
        // The one of `first-paint.js`.
        'trusted-types': ['default'],
      },
    },
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: options.https ? { maxAge: HSTS_S, includeSubDomains: true } : false,
  });
  headers['permissions-policy'] = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()';
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
  return headers;
}

/** Lets style elements of this one answer apply that carry the nonce returned. */
export function allowStyles(reply: FastifyReply): string {
  const nonce = randomBytes(16).toString('base64');
  allowStylesOf(reply, `'nonce-${nonce}'`);
  return nonce;
}

/** Lets a style element of this one answer apply that has this text. */
export function allowStyle(reply: FastifyReply, text: string): void {
  allowStylesOf(reply, hashSource(text));
}

function allowStylesOf(reply: FastifyReply, source: string): void {
  const policy = String(reply.getHeader('content-security-policy'));
  void reply.header('content-security-policy', policy.replace("style-src 'self'", `style-src 'self' ${source}`));
}

/** What helmet would set on an answer. None of it depends on the request, so it is asked once instead of every time. */
function headersOf(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  const answer = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => undefined,
  };
  helmet(options)({} as IncomingMessage, answer as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw error;
  });
  return headers;
}

function inlineScriptHashes(html: string): string[] {
  const scripts = html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g);
  return [...scripts].map(([, script = '']) => hashSource(script));
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Where the dashboard may talk to besides its own server, as far as configured. */
function connectOrigins(dashboard: DashboardConfig): string[] {
  const addresses = [dashboard.api_base_url, dashboard.analytics_host, dashboard.error_reporting_dsn];
  const origins = addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address).origin);
  return [...new Set([...origins, ...identityOrigins(dashboard)])];
}

/** Clerk is only called: its script is part of our own build, so none is ever loaded from there. */
function identityOrigins(dashboard: DashboardConfig): string[] {
  const host = clerkHost(dashboard.identity_publishable_key);
  return host === undefined ? [] : [`https://${host}`];
}
