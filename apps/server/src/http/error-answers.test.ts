import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FilesUnavailable } from '../modules/files/s3-bucket.ts';
import { installErrorAnswers } from './error-answers.ts';
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
