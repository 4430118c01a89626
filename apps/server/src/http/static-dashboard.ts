import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';
import { allowStyles } from './security-headers.ts';

/** The place in the page for the nonce of its style elements. */
const NONCE_PLACE = '<meta property="csp-nonce" nonce=""';

/** The built page, or undefined when the dashboard was not built (tests, API-only machines). */
export function readIndexHtml(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, 'index.html'), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}

/**
 * Serves the built dashboard: hashed files for ever, everything else only after asking again. A browser that navigates
 * to an address we do not know gets the page, whose router knows more; anything else gets ROUTE_NOT_FOUND.
 */
export async function serveDashboard(
  app: FastifyInstance,
  options: { folder: string; indexHtml: string | undefined },
): Promise<void> {
  const { folder, indexHtml } = options;
  if (indexHtml !== undefined) {
    const hashed = join(folder, 'assets') + sep;
    await app.register(fastifyStatic, {
      root: folder,
      serve: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        void reply.header(
          'cache-control',
          path.startsWith(hashed) ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
    for (const name of filesToServe(folder)) app.get(`/${name}`, (_, reply) => reply.sendFile(name));
    // One route for hundreds of files: a route for each took a sixth of the processor time of a start.
    const assets = new Set(filesToServe(hashed));
    app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
      const { name } = request.params;
      return assets.has(name) ? reply.sendFile(`assets/${name}`) : reply.callNotFound();
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (indexHtml === undefined || !isNavigation(request)) throw new AppError('ROUTE_NOT_FOUND');
    const html = indexHtml.replace(NONCE_PLACE, () => `<meta property="csp-nonce" nonce="${allowStyles(reply)}"`);
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(html);
  });
}

/** What was there at the start, by name, but the page itself, hidden files, sources and what is sent in place of another. */
function filesToServe(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^\.|^index\.html$|\.(?:br|gz|map)$/.test(entry.name))
    .map((entry) => entry.name);
}

/** A browser opens the address as a page of the dashboard, whose paths begin differently from those only we answer. */
export function isNavigation(request: FastifyRequest): boolean {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const isServerPath = /^\/(?:api|auth|assets)(?:\/|$)/.test(request.url);
  return reads && !isServerPath && (request.headers.accept ?? '').includes('text/html');
}
