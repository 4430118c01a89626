import type { FirstSteps } from '@airdeck/contracts/dashboards/schema';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { call } from '../users/users-fixture.ts';

let server: TestServer;
let tenant: string;
let reader: Actor;

beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
  reader = await server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } });
});
afterAll(() => server?.close());

const read = async () => (await call<FirstSteps>(server, reader, { url: `/api/tenants/${tenant}/first_steps` })).body;
const write = (query: ReturnType<typeof sql>) => server.stores.database.system((tx) => query.execute(tx));

const none = { source_connected: false, events_seen: false, policies_enabled: false, automation_enabled: false };

it('follows what there is in the tenant, also back', async () => {
  await write(sql`delete from policy where tenant_id = ${tenant}`);
  expect(await read()).toEqual(none);

  const [source, policy] = [v7(), v7()];
  await write(sql`insert into event_source (id, tenant_id, name, kind, token_hash, token_hint, created_at)
    values (${source}, ${tenant}, 'Server', 'syslog', ${Buffer.from(source)}, '…', now())`);
  expect(await read()).toEqual({ ...none, source_connected: true });
  await write(sql`insert into source_event_hour (tenant_id, source_id, hour, events, bytes)
    values (${tenant}, ${source}, date_trunc('hour', now()), 1, 10)`);
  const seen = { ...none, source_connected: true, events_seen: true };
  expect(await read()).toEqual(seen);

  await write(
    sql`insert into policy (id, tenant_id, enabled, rule) values (${policy}, ${tenant}, false, '{"name": "P"}')`,
  );
  expect(await read()).toEqual(seen);
  await write(sql`update policy set enabled = true where id = ${policy}`);
  expect(await read()).toEqual({ ...seen, policies_enabled: true });

  await write(sql`insert into rule_response
    (tenant_id, rule_id, response_name, response_type, definition_id, inputs, created_by, updated_at)
    values (${tenant}, ${policy}, 'Block', 'action', 'fortigate.block_address', '{}', 'Test', now())`);
  expect(await read()).toEqual({ ...seen, policies_enabled: true, automation_enabled: true });
  await write(sql`update rule_response set enabled = false where tenant_id = ${tenant}`);
  await write(sql`update event_source set deleted_at = now() where id = ${source}`);
  expect(await read()).toEqual({ ...none, events_seen: true, policies_enabled: true });
});

it('says nothing of other tenants', async () => {
  const other = await server.createTenant();
  const actor = await server.createActor({ home: other, roles: { [other]: 'ReadOnly' } });
  await write(sql`delete from policy where tenant_id = ${other}`);
  const { body } = await call<FirstSteps>(server, actor, { url: `/api/tenants/${other}/first_steps` });
  expect(body).toEqual(none);
  expect((await call(server, actor, { url: `/api/tenants/${tenant}/first_steps` })).status).toBe(403);
});
