import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Actor, createTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
let actor: Actor;
let url: string;

beforeAll(async () => {
  server = await createTestServer();
  const tenant = await server.createTenant();
  actor = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
  url = `/api/tenants/${tenant}/soar/available_actions`;
}, 120_000);
afterAll(() => server?.close());

const ask = async (path: string, headers: Record<string, string> = {}) =>
  await server.inject({ url: path, headers: { ...actor.headers, ...headers } });

describe('a long answer', () => {
  test.each([
    ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
    ['gzip', 'gzip, deflate', gunzipSync],
    ['gzip', 'br;q=0, gzip', gunzipSync],
  ])('goes out as %s to who sends %s, and is the same', async (encoding, accepted, unpack) => {
    const plain = await ask(url);
    const packed = await ask(url, { 'accept-encoding': accepted });
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(packed.rawPayload.length),
      vary: expect.stringMatching(/(^|, )accept-encoding$/),
      etag: plain.headers.etag,
    });
    expect(unpack(packed.rawPayload).toString()).toBe(plain.body);
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
  });

  test.each(['', 'identity', 'gzip;q=0', 'zstd'])('stays as it is for who sends "%s"', async (accepted) => {
    const { headers, body } = await ask(url, { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.vary).toMatch(/(^|, )accept-encoding$/);
    expect(JSON.parse(body).length ?? Object.keys(JSON.parse(body)).length).toBeGreaterThan(0);
  });

  test('is not sent to who has it already, however it is packed', async () => {
    const { headers } = await ask(url, { 'accept-encoding': 'br' });
    const again = await ask(url, { 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect(again.headers['content-encoding']).toBeUndefined();
  });
});

test('a short answer stays as it is', async () => {
  const { headers } = await ask('/me', { 'accept-encoding': 'br' });
  expect(headers['content-encoding']).toBeUndefined();
});

test('an answer to nobody in particular stays as it is: a cookie alone must not have a secret compressed', async () => {
  const { headers, body } = await server.inject({ url: '/api/openapi.json', headers: { 'accept-encoding': 'br' } });
  expect(body.length).toBeGreaterThan(4_096);
  expect(headers['content-encoding']).toBeUndefined();
});
