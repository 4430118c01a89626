import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { EgressOptions, EgressRequest, GuardedEgress } from './egress.ts';
import { createEgress } from './egress.ts';
import { EgressError } from './egress-error.ts';

const open: { server: Server; egress: GuardedEgress }[] = [];

afterEach(async () => {
  for (const { server, egress } of open.splice(0)) {
    await egress.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A real server that answers with `listener`, and an egress that may reach it. */
async function serve(listener: RequestListener, options: EgressOptions = {}) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const egress = createEgress({ ...options, allowLoopback: [{ host: '127.0.0.1', port }] });
  open.push({ server, egress });
  const call = (parts: Partial<EgressRequest> = {}) =>
    egress.request({ tenant: 't', method: 'GET', url: `http://127.0.0.1:${port}/path?q=1`, ...parts });
  return { port, call };
}

async function failureOf(work: Promise<unknown>): Promise<EgressError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(EgressError);
  return error as EgressError;
}

describe('a call that is allowed', () => {
  it('sends method, path, headers and body as given and returns any status as an answer', async () => {
    const { call, port } = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        response.writeHead(418, { 'x-seen': 'a', 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] });
        response.end(
          JSON.stringify({
            method: request.method,
            url: request.url,
            key: request.headers.key,
            host: request.headers.host,
            body,
          }),
        );
      });
    });
    const answer = await call({ method: 'POST', headers: { key: 'k' }, body: '{"a":1}' });
    expect(answer.status).toBe(418);
    expect(answer.retryAfterS).toBe(7);
    expect(answer.headers).toMatchObject({ 'x-seen': 'a', 'set-cookie': 'a=1, b=2' });
    expect(JSON.parse(answer.text)).toEqual({
      method: 'POST',
      url: '/path?q=1',
      key: 'k',
      host: `127.0.0.1:${port}`,
      body: '{"a":1}',
    });
  });

  it('reads Retry-After as a date too', async () => {
    const now = new Date('2026-11-20T12:00:00Z');
    const { call } = await serve(
      (_request, response) => response.writeHead(503, { 'retry-after': 'Fri, 20 Nov 2026 12:01:30 GMT' }).end(),
      { now: () => now },
    );
    expect((await call()).retryAfterS).toBe(90);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('decodes %s', async (encoding, compress) => {
    const { call } = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('{"a":"ü"}')),
    );
    expect((await call()).text).toBe('{"a":"ü"}');
  });
});

describe('a call that goes wrong', () => {
  it('refuses a body above the limit while it arrives', async () => {
    const { call } = await serve((_request, response) => response.end('x'.repeat(5000)), { maxBodyBytes: 4096 });
    expect((await failureOf(call())).code).toBe('BODY_TOO_LARGE');
  });

  it('gives the outline of a larger body where that is asked for, however it is packed, and a smaller one as it is', async () => {
    const body = (length: number) => JSON.stringify({ list: [{ id: 'é1', text: 'é'.repeat(length) }], next: 'n' });
    const { call, port } = await serve(
      ({ url }, response) => {
        const text = body(url === '/small' ? 10_000 : 9_000_000);
        response.writeHead(200, { 'content-encoding': 'gzip', link: '<next>' }).end(gzipSync(text));
      },
      { maxBodyBytes: 100_000 },
    );
    const outlined = await call({ outline: true });
    expect(outlined).toMatchObject({ isOutline: true, status: 200, headers: { link: '<next>' } });
    expect(JSON.parse(outlined.text)).toEqual({ list: [{ id: 'é1', text: '' }], next: 'n' });
    const small = await call({ outline: true, url: `http://127.0.0.1:${port}/small` });
    expect([small.isOutline, small.text]).toEqual([undefined, body(10_000)]);
  });

  it('reads a body to its end only where the outline of it is small', async () => {
    let sent = 0;
    const { call } = await serve(
      (_request, response) => {
        const more = () => {
          while (!response.destroyed && sent < 200_000_000) {
            sent += 1_000_000;
            if (!response.write(`${'{"a":1},'.repeat(125_000)}`)) break;
          }
        };
        response.on('drain', more).write('[');
        more();
      },
      { maxBodyBytes: 100_000 },
    );
    expect((await failureOf(call({ outline: true }))).code).toBe('BODY_TOO_LARGE');
    expect(sent).toBeLessThan(30_000_000);
  });

  it('refuses a small body that inflates above the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    expect(bomb.length).toBeLessThan(10_000);
    const { call } = await serve(
      (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      { maxBodyBytes: 100_000 },
    );
    expect((await failureOf(call())).code).toBe('BODY_TOO_LARGE');
  });

  it.each([
    ['gzip', 'not gzip'],
    ['zstd', 'unknown'],
    ['constructor', 'unknown'],
  ])('does not guess at a body that says %s', async (encoding, body) => {
    const { call } = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body),
    );
    expect((await failureOf(call())).code).toBe('BODY_UNREADABLE');
  });

  it.each([301, 302, 303, 307, 308])('refuses a %i and names where it led, without path or query', async (status) => {
    const { call } = await serve((_request, response) =>
      response.writeHead(status, { location: 'http://169.254.169.254/latest?token=secret' }).end(),
    );
    const failure = await failureOf(call());
    expect(failure.code).toBe('REDIRECT_REFUSED');
    expect(failure.message).toContain('169.254.169.254');
    expect(failure.message).not.toContain('secret');
    // Where a form was taken, its answer is elsewhere; the others ask to be sent the same thing there.
    expect(failure.outcomeUnknown).toBe(status === 302 || status === 303);
  });

  it('ends a call to a server that never answers', async () => {
    const { call } = await serve(() => undefined, { totalTimeoutMs: 80 });
    expect(await failureOf(call())).toMatchObject({ code: 'TIMEOUT', retryable: true, outcomeUnknown: true });
  });

  it('ends a call whose body drips', async () => {
    const { call } = await serve((_request, response) => void response.writeHead(200).write('x'), {
      totalTimeoutMs: 80,
    });
    expect((await failureOf(call())).code).toBe('TIMEOUT');
  });

  it('never lets a caller lengthen the limit', async () => {
    const { call } = await serve(() => undefined, { totalTimeoutMs: 80 });
    expect((await failureOf(call({ timeoutMs: 60_000 }))).code).toBe('TIMEOUT');
  });

  it('stops when the caller does, before and during the call', async () => {
    let arrived = (): void => undefined;
    const { call } = await serve(() => arrived());
    const controller = new AbortController();
    arrived = () => controller.abort();
    expect((await failureOf(call({ signal: controller.signal }))).code).toBe('ABORTED');
    expect((await failureOf(call({ signal: AbortSignal.abort() }))).code).toBe('ABORTED');
  });

  it('says when nobody listens', async () => {
    const { port } = await serve(() => undefined);
    for (const { server } of open) await new Promise((resolve) => server.close(resolve));
    const egress = createEgress({ allowLoopback: [{ host: '127.0.0.1', port }] });
    const failure = await failureOf(
      egress.request({ tenant: 't', method: 'GET', url: `http://127.0.0.1:${port}/a?key=secret` }),
    );
    expect(failure).toMatchObject({ code: 'CONNECT_FAILED', retryable: true, outcomeUnknown: false });
    expect(failure.message).toBe('No answer from 127.0.0.1 (ECONNREFUSED).');
    await egress.close();
  });

  it('says when a name does not resolve, and when resolving takes too long', async () => {
    const failing = createEgress({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(
      (await failureOf(failing.request({ tenant: 't', method: 'GET', url: 'https://absent.example/' }))).code,
    ).toBe('DNS_FAILED');
    const hanging = createEgress({ resolve: () => new Promise(() => undefined), connectTimeoutMs: 50 });
    expect(
      await failureOf(hanging.request({ tenant: 't', method: 'GET', url: 'https://slow.example/' })),
    ).toMatchObject({ code: 'TIMEOUT', retryable: true, outcomeUnknown: false });
    await Promise.all([failing.close(), hanging.close()]);
  });

  it('says that it is TLS when the other side does not speak it', async () => {
    const { port } = await serve((_request, response) => response.end('plain'));
    const egress = createEgress({ allowLoopback: [{ host: '127.0.0.1', port }] });
    expect(
      (await failureOf(egress.request({ tenant: 't', method: 'GET', url: `https://127.0.0.1:${port}/` }))).code,
    ).toBe('TLS_FAILED');
    await egress.close();
  });

  it('sends nothing when a header or path would smuggle a second request', async () => {
    let arrived = 0;
    const { call } = await serve((_request, response) => {
      arrived += 1;
      response.end();
    });
    expect((await failureOf(call({ headers: { key: 'a\r\nhost: evil.example' } }))).code).toBe('EGRESS_DENIED');
    expect((await failureOf(call({ headers: { 'a\r\nb': 'c' } }))).code).toBe('EGRESS_DENIED');
    expect(arrived).toBe(0);
  });

  it('survives a server that hangs up at any point', async () => {
    const { call } = await serve((request) => request.socket.destroy());
    expect(await failureOf(call())).toMatchObject({ code: 'CONNECT_FAILED', outcomeUnknown: true });
    const cut = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy());
    });
    expect((await failureOf(cut.call())).code).toBe('CONNECT_FAILED');
  });
});

describe('the connections of a tenant', () => {
  it('are not used up by requests that cannot be sent', async () => {
    const { call } = await serve((_request, response) => response.end('{}'));
    for (const key of ['a\r\nx-injected: 1', 'пароль', 'a\u0001b', 'a\u0000']) {
      const refused = await Promise.all(Array.from({ length: 40 }, () => failureOf(call({ headers: { key } }))));
      expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['EGRESS_DENIED']));
      expect(JSON.stringify(refused.map(({ message, cause }) => [message, String(cause)]))).not.toContain(key);
    }
    expect(await failureOf(call({ headers: { 'not a name': 'x' } }))).toMatchObject({ code: 'EGRESS_DENIED' });
    expect(await call()).toMatchObject({ status: 200 });
  });

  it('do not hold a call that waits for one beyond its end', async () => {
    let asked = 0;
    const { call } = await serve(() => {
      asked++;
    });
    const calls = new AbortController();
    const busy = Array.from({ length: 16 }, () => failureOf(call({ signal: calls.signal })));
    await expect.poll(() => asked).toBe(16);
    const waiting = new AbortController();
    const last = failureOf(call({ signal: waiting.signal }));
    waiting.abort();
    expect((await last).code).toBe('ABORTED');
    // Its place was taken from nobody: all the others still wait for their answer.
    expect(asked).toBe(16);
    calls.abort();
    expect((await Promise.all(busy)).map(({ code }) => code)).toEqual(busy.map(() => 'ABORTED'));
  });
});
