import type { ActivityReport } from '@airdeck/contracts/reports/activity-report';
import { minutesSavedByEffect } from '@airdeck/contracts/reports/activity-report';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { type ActivityFixture, createActivityFixture, type Workspace } from '../activity/activity-fixture.ts';
import { actionsQuery, runsQuery } from './activity-figures.ts';

let fixture: ActivityFixture;
let workspace: Workspace;

beforeAll(async () => {
  fixture = await createActivityFixture();
  workspace = await fixture.createWorkspace();
  await workspace.act('abuseipdb.check_ip', { ip: '203.0.113.20' });
  await workspace.act('fortigate.block_address', { address: '203.0.113.20' });
  const bare = await fixture.createWorkspace({ connectors: false });
  await bare.act('abuseipdb.check_ip', { ip: '203.0.113.21' });
  const run = await workspace.start(await workspace.addPlaybook());
  await workspace.runReaches(run, 'waiting');
});
afterAll(() => fixture?.close());

function get(query = '', { who = workspace.analyst, rest = '' }: { who?: Actor; rest?: string } = {}) {
  const url = `/api/tenants/${workspace.tenant}/reports/soar${rest}?${query}`;
  return fixture.server.inject({ method: 'GET', url, headers: who.headers });
}

describe('the SOAR report', () => {
  it('counts what really ran, by status, day, action and playbook', async () => {
    const report = (await get()).json<ActivityReport>();
    expect(report.playbook_count).toBe(1);
    expect(report.playbook_results).toMatchObject({ waiting: 1, success: 0 });
    expect(report.action_results.success).toBe(report.action_count);
    expect(report.by_day).toHaveLength(31);
    expect(report.by_day.reduce((sum, { actions }) => sum + actions, 0)).toBe(report.action_count);
    expect(report.top_actions).toContainEqual(
      expect.objectContaining({ action_name: 'fortigate.block_address', count: 1, success: 1, error: 0 }),
    );
    expect(report.top_actions.every(({ label, action_name: name }) => label !== name)).toBe(true);
    expect(report.top_playbooks).toHaveLength(1);
  });

  it('reckons the time saved from successful actions by a table it shows', async () => {
    const report = (await get()).json<ActivityReport>();
    const minutes = report.time_saved_by.reduce((sum, row) => sum + row.actions * row.minutes_each, 0);
    expect(report.time_saved_minutes).toBe(minutes);
    expect(report.time_saved_by.map(({ effect, minutes_each }) => [effect, minutes_each])).toEqual(
      Object.entries(minutesSavedByEffect),
    );
    expect(report.time_saved_by.find(({ effect }) => effect === 'changes')?.actions).toBe(1);
    expect(report.by_day.reduce((sum, day) => sum + day.time_saved_minutes, 0)).toBe(minutes);
    expect(report.top_actions.reduce((sum, each) => sum + each.time_saved_minutes, 0)).toBe(minutes);
  });

  it('leaves out what lies outside of the time', async () => {
    const before = await get('start_time=2026-01-01T00:00:00Z&end_time=2026-02-01T00:00:00Z');
    expect(Date.parse(before.json<ActivityReport>().kept_from ?? '')).toBeLessThan(Date.now() - 399 * 86_400_000);
    expect(before.json()).toMatchObject({ action_count: 0, playbook_count: 0, time_saved_minutes: 0, top_actions: [] });
  });

  it('leaves dry runs out', async () => {
    const count = async () => (await get()).json<ActivityReport>().playbook_count;
    const was = await count();
    await fixture.db.system((tx) =>
      sql`insert into engine.run (id, tenant_id, kind, name, definition_hash, status, inputs, priority, dry_run, created_at, updated_at)
        select ${v7()}::uuid, tenant_id, kind, name, definition_hash, 'pending', inputs, priority, true, now(), now()
        from engine.run where tenant_id = ${workspace.tenant} and kind = 'playbook' limit 1`.execute(tx),
    );
    expect(await count()).toBe(was);
  });

  it('has its tables as CSV', async () => {
    const csv = async (table: string) => (await get(`table=${table}`, { rest: '/csv' })).body;
    expect(await csv('results')).toContain('playbook,waiting,1\r\n');
    expect(await csv('actions')).toContain('fortigate.block_address,');
    expect((await csv('days')).split('\r\n')).toHaveLength(33);
    expect(await csv('playbooks')).toContain(',1,0,0\r\n');
    const [head, ...saved] = (await csv('time_saved')).trim().split('\r\n');
    expect(head).toMatch(/effect,actions,minutes_each,time_saved_minutes$/);
    expect(saved.map((row) => row.split(',')[0])).toEqual(Object.keys(minutesSavedByEffect));
    expect(saved[1]).toBe(`changes,1,${minutesSavedByEffect.changes},${minutesSavedByEffect.changes}`);
  });

  it('finds runs and steps by their ids, however many there are', async () => {
    const range = { start: new Date('2026-11-01'), end: new Date('2026-11-02'), timeZone: 'UTC' };
    const scope = trustedTenantScope(workspace.tenant);
    for (const query of [actionsQuery(scope, range), runsQuery(scope, range)]) {
      const plan = await fixture.db.system(async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx);
        const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(tx);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      expect(plan).toMatch(/Index Cond: \(\(tenant_id = .*\) AND \(id >= .*\) AND \(id < .*\)\)/);
    }
  });

  it('is for members of the tenant', async () => {
    const other = await fixture.createWorkspace({ connectors: false });
    expect((await get('', { who: other.analyst })).statusCode).toBe(403);
    expect((await get('', { who: await workspace.person('ReadOnly') })).statusCode).toBe(200);
  });
});
