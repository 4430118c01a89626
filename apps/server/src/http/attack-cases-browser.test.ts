/** What another site could do with a browser that is signed in here: frames, openers, and calls from its own scripts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from './test-server.ts';

const PUBLIC_URL = 'https://air.example.com';
const places = ['/', '/login', '/config.json', '/me', '/auth/token', '/api/openapi.json', '/nowhere'];

let server: TestServer;

beforeAll(async () => {
  server = await createTestServer({ env: { TARGET_STAGE: 'prod', PUBLIC_URL } });
});
afterAll(() => server?.close());

describe('another site', () => {
  it.each(places)('neither frames %s, nor keeps a hand on the window it opened it in, nor includes it', async (url) => {
    const { headers } = await server.inject({ url, headers: { accept: 'text/html' } });
    expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/);
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it.each([
    'null',
    'https://product.evil',
    'https://sub.air.example.com',
    'https://air.example.com.evil.example',
    'https://evil.example/air.example.com',
    'http://air.example.com',
    'https://air.example.com:8443',
  ])('with the origin %s reads no answer, whatever it asks for', async (origin) => {
    const asking = { origin, cookie: 'air_session=x', 'access-control-request-headers': 'authorization' };
    for (const url of places) {
      for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
        const { headers } = await server.inject({
          ...{ method, url },
          headers: { ...asking, 'access-control-request-method': 'POST' },
        });
        expect(
          Object.keys(headers).filter((name) => name.startsWith('access-control-')),
          `${method} ${url}`,
        ).toEqual([]);
      }
    }
  });
});
