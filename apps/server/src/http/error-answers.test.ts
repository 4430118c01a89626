import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FilesUnavailable } from '../modules/files/s3-bucket.ts';
import { AppError } from './app-error.ts';
import { answeredError, installErrorAnswers } from './error-answers.ts';
import { readJsonBody } from './json-body.ts';
import { requestSignal } from './request-signal.ts';

const app = Fastify();
let answered: (status: number) => void = () => undefined;

beforeAll(async () => {
  installErrorAnswers(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', readJsonBody);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    answered(reply.statusCode);
    done();
  });
  app.post('/body', () => ({}));
  app.get('/lost', () => Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })));
  app.get('/turn', async (_request, reply) => {
    const signal = requestSignal(reply);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    signal.throwIfAborted();
  });
  app.get('/bucket', () => Promise.reject(new FilesUnavailable(new TypeError('fetch failed'))));
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

it('does not take a client that left within its body for a store that is away', async () => {
  const status = new Promise<number>((resolve) => {
    answered = resolve;
  });
  const head =
    'POST /body HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"half":';
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const came = once(app.server, 'request');
  socket.write(head);
  await came;
  socket.destroy();
  expect(await status).toBe(400);
});

it('does not take for a fault of ours that a client left while its call waited for its turn', async () => {
  const status = new Promise<number>((resolve) => {
    answered = resolve;
  });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const came = once(app.server, 'request');
  socket.write('GET /turn HTTP/1.1\r\nhost: a\r\n\r\n');
  await came;
  socket.destroy();
  expect(await status).toBe(400);
});

it('says that the bucket for files is away', async () => {
  const answer = await app.inject({ url: '/bucket' });
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['retry-after']).toBe('2');
  expect(answer.json()).toMatchObject({ code: 'STORE_UNAVAILABLE' });
});

it('says that a store is away when a connection to it broke', async () => {
  const answer = await app.inject({ url: '/lost' });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ code: 'STORE_UNAVAILABLE' });
});

it('tells with which code a request was answered and whether that blames others wrongly, and of none where it was no error', async () => {
  const codes: unknown[] = [];
  const asked = Fastify();
  installErrorAnswers(asked);
  asked.addHook('onResponse', async (request) => void codes.push(answeredError(request)));
  asked.get('/failed', () => Promise.reject(new AppError('ACTION_FAILED', { isOurs: true })));
  asked.get('/lost', () => Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })));
  asked.get('/fine', () => ({}));
  for (const url of ['/lost', '/failed', '/fine']) await asked.inject({ url });
  await asked.close();
  expect(codes).toEqual([
    { code: 'STORE_UNAVAILABLE', isOurs: false },
    { code: 'ACTION_FAILED', isOurs: true },
    undefined,
  ]);
});

it('writes a line with a stack for the first that a store refused, and a minute later how many more there were', async () => {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const clock = { ms: Date.parse('2026-11-20T10:00:00Z') };
  const flooded = Fastify({ logger: { level: 'warn', stream }, disableRequestLogging: true });
  installErrorAnswers(flooded, undefined, () => new Date(clock.ms));
  const refusing = (code: string) => () => Promise.reject(Object.assign(new Error(`no: ${code}`), { code }));
  flooded.get('/lost', refusing('ECONNREFUSED'));
  flooded.get('/ended', refusing('57P01'));
  flooded.get('/locked', refusing('55P03'));
  flooded.get('/mistake', refusing('MISTAKE'));
  const all = ['/lost', '/ended', '/locked'];
  const flood = async (times: number) => {
    for (const url of all) await Promise.all(Array.from({ length: times }, () => flooded.inject({ url })));
  };
  await flood(50);
  expect(lines.map(({ msg, code, err }) => [msg, code, (err as { stack?: unknown }).stack !== undefined])).toEqual([
    ['request refused', 'STORE_UNAVAILABLE', true],
    ['request refused', 'STORE_UNAVAILABLE', true],
    ['request refused', 'OVERLOADED', true],
  ]);
  clock.ms += 60_001;
  await flood(3);
  expect(lines).toHaveLength(6);
  for (let n = 0; n < 2; n++) await flooded.inject({ url: '/mistake' });
  expect(lines.filter(({ msg }) => msg === 'request failed')).toHaveLength(2);
  await flooded.close();
  const counts = lines.filter(({ msg }) => msg === 'requests refused');
  expect(counts.map(({ code, cause, repeated }) => `${String(code)} ${String(cause)} ${String(repeated)}`)).toEqual([
    'STORE_UNAVAILABLE ECONNREFUSED 49',
    'STORE_UNAVAILABLE 57P01 49',
    'OVERLOADED 55P03 49',
    'STORE_UNAVAILABLE ECONNREFUSED 2',
    'STORE_UNAVAILABLE 57P01 2',
    'OVERLOADED 55P03 2',
  ]);
});
