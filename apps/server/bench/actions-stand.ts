/**
 * A server whose first tenant has 100,000 runs of actions: `tsx actions-stand.ts <empty folder> <port of the vendor>` prints
 * one line of JSON with what `runActionsBench` needs. Ends on SIGTERM.
 */
import { sqlClient } from '../src/storage/database.ts';
import type { ActionsStand } from './actions-bench.ts';
import { startComposedStand } from './composed-stand.ts';

const RUNS = 100_000;

const [dataDir, vendorPort] = process.argv.slice(2);
if (dataDir === undefined || vendorPort === undefined) throw new Error('Name an empty folder and a port.');
const { db, url, createMember, asOwner } = await startComposedStand(dataDir, {
  vendor: { host: '127.0.0.1', port: Number(vendorPort) },
});
const member = await createMember('Admin');
await db.system(async (tx) => {
  const client = sqlClient(tx);
  await client.query(`insert into engine.definition (tenant_id, hash, body, traits) values ($1, 'h', '{}', '{}')`, [
    member.tenant,
  ]);
  // A tenth by hand, the rest of playbooks, over the last seventy days.
  await client.query(
    `insert into engine.run (id, tenant_id, kind, name, definition_hash, status, inputs, trigger, priority, dry_run, created_at, updated_at, started_at, finished_at)
     select ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1::uuid,
       case when n % 10 = 0 then 'adhoc' else 'playbook' end, 'Block it', 'h', 'success', '{}',
       '{"trigger_type":"manual","username":"ann@example.com","user_tenant_id":null,"user_tenant_name":null,"case_id":null,"acts_as":null,"response_name":null,"connector_id":null}',
       0, false, at, at, at, at
     from generate_series(1, $2::int) n, lateral (select now() - make_interval(mins => $2 - n) as at) times`,
    [member.tenant, RUNS],
  );
  await client.query(
    `insert into engine.step (id, run_id, tenant_id, action_id, iteration, kind, name, status, attempt, failures, input, output, idempotent, created_at, finished_at, run_kind)
     select ('018f0001-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
       $1::uuid, 'block', 0, 'action', (array['fortigate.block_address', 'okta.suspend_user', 'jira.create_issue'])[1 + n % 3],
       case when n % 50 = 0 then 'error' else 'success' end, 1, 0,
       jsonb_build_object('address', '203.0.113.' || n % 250), jsonb_build_object('blocked', true, 'rule', n), true, at, at,
       case when n % 10 = 0 then 'adhoc' else 'playbook' end
     from generate_series(1, $2::int) n, lateral (select now() - make_interval(mins => $2 - n) as at) times`,
    [member.tenant, RUNS],
  );
});
await asOwner('vacuum analyze engine.run, engine.step');
const pollers = await Promise.all(Array.from({ length: 4 }, () => createMember('Admin')));
console.log(JSON.stringify({ url, member, pollers, runs: RUNS } satisfies ActionsStand));
