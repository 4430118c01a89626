import { createEgress } from '@airdeck/connector-kit/egress';
import { createRegistry } from '@airdeck/connector-kit/registry';
import { abuseipdb } from '@airdeck/connectors/abuseipdb/abuseipdb';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createActionCatalogue } from '../actions/action-catalogue.ts';
import { createActionRunner } from '../actions/action-runner.ts';
import { createCircuitBreakers } from '../actions/circuit-breaker.ts';
import {
  type ActivityFixture,
  by,
  createActivityFixture,
  promptOf,
  type Workspace,
} from '../activity/activity-fixture.ts';

let fixture: ActivityFixture;
let workspace: Workspace;

beforeAll(async () => {
  fixture = await createActivityFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.sandbox.reset();
  workspace = await fixture.createWorkspace();
});

const lookup = () => workspace.act('abuseipdb.check_ip', { ip: '203.0.113.30' });

function tamper(statement: ReturnType<typeof sql>) {
  return fixture.db.system((tx) => statement.execute(tx));
}

async function expectUnopenable() {
  const done = await lookup();
  expect(done.details.error_info).toEqual({
    code: 'CONNECTOR_UNAVAILABLE',
    message: 'The secret "api_key" could not be opened. Enter it again.',
    retryable: false,
  });
  expect(fixture.sandbox.state().calls).toEqual([]);
}

describe('a sealed secret', () => {
  test('opens where it belongs', async () => {
    expect((await lookup()).summary.status).toBe('success');
  });

  test('does not open in another tenant', async () => {
    const other = await fixture.createWorkspace();
    await tamper(sql`update connector_secret mine set sealed = theirs.sealed
      from connector_secret theirs
      where mine.tenant_id = ${workspace.tenant} and theirs.tenant_id = ${other.tenant}
        and mine.field = 'api_key' and theirs.field = 'api_key'`);
    await expectUnopenable();
  });

  test("does not open in another connector of the same tenant, nor under that connector's field", async () => {
    await tamper(sql`update connector_secret mine set sealed = theirs.sealed
      from connector_secret theirs
      where mine.tenant_id = ${workspace.tenant} and theirs.tenant_id = ${workspace.tenant}
        and mine.field = 'api_key' and theirs.field = 'api_token'`);
    await expectUnopenable();
  });

  test('does not open when its connector points to another host', async () => {
    await tamper(sql`update connector
      set config = jsonb_set(config, '{base_url}', '"https://attacker.example"')
      where tenant_id = ${workspace.tenant} and definition_id = 'abuseipdb'`);
    await expectUnopenable();
  });

  test('does not open with the data key of another tenant', async () => {
    const other = await fixture.createWorkspace();
    await tamper(sql`update tenant_data_key mine set wrapped = theirs.wrapped
      from tenant_data_key theirs where mine.tenant_id = ${workspace.tenant} and theirs.tenant_id = ${other.tenant}`);
    const done = await lookup();
    expect(done.details.error_info).toMatchObject({ code: 'CONNECTOR_UNAVAILABLE', retryable: false });
  });

  test('is nowhere in the clear after a whole journey: not in a table, an answer or the sandbox’s state', async () => {
    const definitionId = await workspace.addPlaybook();
    const inputs = { ip: '{{ group.src_ip }}', case_reference: '{{ case.reference }}' };
    const { guess } = await fixture.addDetection(workspace, { definitionId, inputs });
    await guess('203.0.113.31');
    const [caseId = ''] = await fixture.casesOf(workspace);
    const runId = (await workspace.getCase(caseId)).alert_responses[0]?.workflow_instance_id ?? '';
    const prompt = promptOf(await workspace.runReaches(runId, 'waiting'));
    const run = `${workspace.soar}/playbook_activity/${runId}`;
    await fixture.call(workspace.analyst, 'POST', `${run}/prompt/${prompt}`, { option: 'block' });
    await workspace.runReaches(runId, 'success');
    fixture.sandbox.disturb({ vendor: 'abuseipdb', kind: 'unauthorized' });
    await lookup();

    const answers = await Promise.all(
      [run, `${workspace.soar}/actions_activity`, `/api/tenants/${workspace.tenant}/case/${caseId}`].map(
        async (path) => (await fixture.call(workspace.analyst, 'GET', path)).body,
      ),
    );
    const tables = await everythingStored();
    expect(tables).toContain('203.0.113.31');
    const everything = JSON.stringify([answers, fixture.sandbox.state()]) + tables;
    for (const secret of Object.values(fixture.keys)) {
      for (const encoding of ['utf8', 'base64', 'base64url', 'hex'] as const) {
        expect(everything).not.toContain(Buffer.from(secret).toString(encoding).replaceAll('=', ''));
      }
    }
  });
});

describe('an action', () => {
  test('whose vendor sends the credential back stores and shows it masked', async () => {
    const [check] = abuseipdb.actions;
    if (!check) throw new Error('AbuseIPDB has no action.');
    const echoing: typeof check = {
      ...check,
      run: async ({ config }) => ({ seen: [`key=${config.api_key}`], deep: { [String(config.api_key)]: 1 } }),
    };
    const catalogue = createActionCatalogue(createRegistry([{ ...abuseipdb, actions: [echoing] }]));
    const egress = createEgress({ allowLoopback: [], now: () => new Date() });
    const { db, work } = fixture;
    const now = () => new Date();
    const circuits = createCircuitBreakers({ now });
    const runner = createActionRunner({ db, catalogue, connectors: work.connectors, egress, circuits, now });
    const output = await runner.run({
      scope: workspace.scope,
      actionName: check.action_id,
      connectorId: null,
      input: { ip: '203.0.113.30' },
      idempotencyKey: 'k',
      signal: new AbortController().signal,
      beforeCall: async () => undefined,
    });
    expect(output).toEqual({ seen: ['key=[secret]'], deep: { '[secret]': 1 } });
    await egress.close();
  });
});

describe('a connector', () => {
  const second = () => ({
    definitionId: 'abuseipdb',
    name: 'Second',
    config: { base_url: `${fixture.sandbox.url}/abuseipdb`, api_key: 'wrong-key' },
  });
  const inTenant = <T>(work: Parameters<typeof fixture.db.tenant<T>>[1]) => fixture.db.tenant(workspace.tenant, work);

  test('added beside another of its kind does not become the default, and can be chosen', async () => {
    const id = await inTenant((tx) => fixture.work.connectors.create(tx, workspace.scope, second(), by));
    expect((await lookup()).summary.status).toBe('success');
    const chosen = await workspace.act('abuseipdb.check_ip', { ip: '203.0.113.30' }, { connector_id: id });
    expect(chosen.details.error_info?.code).toBe('VENDOR_CREDENTIALS_REFUSED');
  });

  test('is refused when its configuration does not fit, with every path', async () => {
    const config = { base_url: 'ftp://x', colour: 'red' };
    const created = inTenant((tx) => fixture.work.connectors.create(tx, workspace.scope, { ...second(), config }, by));
    const error = await created.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'VALIDATION_FAILED' });
    const paths = (error as { details: { path: string }[] }).details.map(({ path }) => path).sort();
    expect(paths).toEqual(['config.api_key', 'config.base_url', 'config.colour']);
  });

  test('that is paused or switched off is not used', async () => {
    await tamper(sql`update connector set state = 'paused' where tenant_id = ${workspace.tenant}`);
    expect((await lookup()).details.error_info?.code).toBe('CONNECTOR_UNAVAILABLE');
    await tamper(sql`update connector set state = 'active', enabled = false where tenant_id = ${workspace.tenant}`);
    expect((await lookup()).details.error_info?.code).toBe('CONNECTOR_UNAVAILABLE');
  });

  test('moved to another host works with the secrets it is given there', async () => {
    const { connectors } = fixture.work;
    const config = { base_url: 'http://127.0.0.1:9/abuseipdb', api_key: fixture.keys.abuseipdb };
    const reputation = { definitionId: 'abuseipdb', name: 'Reputation', config };
    await inTenant((tx) => connectors.moveTo(tx, workspace.scope, reputation, by));
    expect((await lookup()).details.error_info?.code).toBe('EGRESS_DENIED');
    const back = { ...reputation, config: { ...config, base_url: `${fixture.sandbox.url}/abuseipdb` } };
    await inTenant((tx) => connectors.moveTo(tx, workspace.scope, back, by));
    expect((await lookup()).summary.status).toBe('success');
  });
});

/** Every row of every table as text, past row-level security. */
async function everythingStored(): Promise<string> {
  return await fixture.db.system(async (tx) => {
    const { rows } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'engine') and has_table_privilege(current_user, format('%I.%I', schemaname, tablename), 'select')
    `.execute(tx);
    expect(rows.length).toBeGreaterThan(15);
    const texts: string[] = [];
    for (const { name } of rows) {
      const table = sql.raw(name);
      const { rows: stored } = await sql<{ text: string }>`select t::text as text from ${table} t`.execute(tx);
      texts.push(...stored.map(({ text }) => text));
    }
    return texts.join('\n');
  });
}
