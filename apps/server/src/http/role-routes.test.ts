import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from './test-server.ts';

const shared = {
  DATABASE_URL: 'postgresql://db/air',
  EVENTS_URL: 'http://events:8123',
  FILES_URL: 's3://key:secret@files.example.com/air',
  IDENTITY_SECRET: 'x'.repeat(32),
  CONNECTOR_KEYS_FILE: import.meta.filename,
};
const asPage = { accept: 'text/html' };
const ingest = '/api/01920000-0000-7000-8000-000000000001/event/ingest/01920000-0000-7000-8000-000000000002';

describe.each(['worker', 'ingest'])('a process of the role %s', (role) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer({ env: { ...shared, ROLE: role } });
  });
  afterAll(() => server?.close());

  it('says whether it is there and ready', async () => {
    for (const url of ['/health/live', '/health/ready']) expect((await server.inject({ url })).statusCode).toBe(200);
  });

  it('serves nothing to people: no page, no sign-in, no API', async () => {
    for (const url of ['/', '/login', '/config.json', '/api/me', '/api/docs', '/api/openapi.json', '/auth/token']) {
      const answer = await server.inject({ url, headers: asPage });
      expect(answer.statusCode, url).toBe(404);
      expect(answer.json(), url).toMatchObject({
        code: 'ROUTE_NOT_FOUND',
        message: `There is no such address here: this process has the role ${role}.`,
      });
    }
  });

  it(role === 'ingest' ? 'takes events' : 'takes no events', async () => {
    const answer = await server.inject({ method: 'POST', url: ingest, payload: {} });
    expect(answer.json()).toMatchObject({ code: role === 'ingest' ? 'TOKEN_MISSING' : 'ROUTE_NOT_FOUND' });
  });
});
