import { serverLimits } from '@airdeck/contracts/server-limits';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { createStartPace } from './start-pace.ts';

let server: TestServer;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

test('two processes count the starts of one person together, and begin anew a minute later', async () => {
  const tenant = await server.createTenant();
  const [scope, elsewhere] = [trustedTenantScope(tenant), trustedTenantScope(await server.createTenant())];
  const person = () => server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
  const [busy, calm] = [(await person()).id, (await person()).id];
  const from = Date.parse('2026-03-01T10:00:00Z');
  let at = new Date(from);
  const process = () => createStartPace({ db: server.stores.database, now: () => at });
  const [one, two] = [process(), process()];
  const half = serverLimits.runStartsPerMinute / 2;
  await Promise.all(Array.from({ length: half }, () => [one(scope, busy), two(scope, busy)]).flat());

  at = new Date(from + 45_000);
  const refused = { code: 'RATE_LIMITED', retryAfterS: 15 };
  await expect(one(scope, busy)).rejects.toMatchObject(refused);
  await expect(two(scope, busy)).rejects.toMatchObject(refused);
  await two(scope, calm);
  await two(elsewhere, busy);

  at = new Date(from + 60_000);
  await one(scope, busy);
});

test('many starts at once count each as one', async () => {
  const tenant = await server.createTenant();
  const scope = trustedTenantScope(tenant);
  const { id } = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
  let at = new Date('2026-03-01T10:00:00Z');
  const requirePace = createStartPace({ db: server.stores.database, now: () => at });
  await requirePace(scope, id, 200);
  await requirePace(scope, id, serverLimits.runStartsPerMinute - 200);
  await expect(requirePace(scope, id)).rejects.toMatchObject({ code: 'RATE_LIMITED' });

  at = new Date('2026-03-01T10:01:00Z');
  await requirePace(scope, id, 200);
  const tooMany = serverLimits.runStartsPerMinute - 199;
  await expect(requirePace(scope, id, tooMany)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});
