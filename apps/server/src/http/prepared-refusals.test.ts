import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { v7 } from 'uuid';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from './app-error.ts';
import type { RefusedAtOnce } from './authorization.ts';
import { installErrorAnswers } from './error-answers.ts';
import { createRefuse } from './prepared-refusals.ts';
import { installSecurityHeaders } from './security-headers.ts';

const dashboard = {
  api_base_url: '',
  analytics_host: '',
  error_reporting_dsn: '',
  identity_publishable_key: '',
} as unknown as Parameters<typeof installSecurityHeaders>[1]['dashboard'];

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** Refuses the same once by preparation and once by an error. */
function serve(refused: RefusedAtOnce | AppError, https: boolean): FastifyInstance {
  app = Fastify({ genReqId: () => v7() });
  installErrorAnswers(app);
  const refuse = createRefuse(installSecurityHeaders(app, { https, dashboard, indexHtml: undefined }));
  app.route({
    method: ['GET', 'POST'],
    url: '/prepared',
    onRequest: (request, reply, _done) => refuse(refused, request, reply),
    handler: async () => 'let in',
  });
  app.route({
    method: ['GET', 'POST'],
    url: '/thrown',
    onRequest: async () => {
      throw typeof refused === 'string' ? new AppError(refused) : refused;
    },
    handler: async () => 'let in',
  });
  return app;
}

async function answerOf(server: FastifyInstance, url: string) {
  const { statusCode, headers, body } = await server.inject(url);
  const { 'x-request-id': id, date: _date, ...rest } = headers;
  expect(JSON.parse(body)).toMatchObject({ request_id: id });
  return { statusCode, headers: rest, body: body.replace(String(id), 'ID') };
}

describe('prepared refusals', () => {
  it.each([
    ['TOKEN_MISSING', false],
    ['TOKEN_INVALID', false],
    ['TOKEN_INVALID', true],
  ] as const)('of %s are the answers an error would get, header by header (https %s)', async (code, https) => {
    const server = serve(code, https);
    const prepared = await answerOf(server, '/prepared');
    expect(prepared).toEqual(await answerOf(server, '/thrown'));
    expect(prepared.statusCode).toBe(401);
    expect(prepared.headers).toMatchObject({
      'www-authenticate': 'Bearer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(prepared.headers['content-security-policy']).toContain("default-src 'none'");
    expect(prepared.headers['strict-transport-security'] !== undefined).toBe(https);
  });

  it('of calls that are too many are the answers an error would get, with when to come back', async () => {
    const server = serve(new AppError('RATE_LIMITED', { message: 'Too many.', retryAfterS: 3 }), true);
    const prepared = await answerOf(server, '/prepared');
    expect(prepared).toEqual(await answerOf(server, '/thrown'));
    expect(prepared).toMatchObject({ statusCode: 429, headers: { 'retry-after': '3' } });
    expect(await answerOf(server, '/prepared')).toEqual(prepared);
  });

  it('leave the connection usable, though nobody read the body', async () => {
    const server = serve('TOKEN_INVALID', false);
    await server.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect(Number(new URL(server.listeningOrigin).port), '127.0.0.1');
    const payload = 'x'.repeat(200_000);
    socket.write(`POST /prepared HTTP/1.1\r\nhost: a\r\ncontent-length: ${payload.length}\r\n\r\n${payload}`);
    socket.write('GET /prepared HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    const received = await text(socket);
    expect(received.match(/HTTP\/1\.1 401 Unauthorized\r\n/g)).toHaveLength(2);
    const ids = [...received.matchAll(/"request_id":"([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(2);
  });
});
