/** The composed server beside a Graylog stand-in that reaches it over HTTP: what tests of automation rules share. */
import { randomUUID } from 'node:crypto';
import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { automationRuleSchema } from '@airdeck/contracts/automation-rules/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { startSandbox } from '@airdeck/simulator/sandbox/sandbox';
import { expect, vi } from 'vitest';
import { type Actor, createTestServer } from '../../http/test-server.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import { alertJobs } from './automation-rules-module.ts';

const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;

type GraylogState = { definitions: JsonObject[]; notifications: (JsonObject & { id: string; title: string })[] };
type Fired = { event_id: string; deliveries: { title: string; status: number | null }[] };

const NO_TENANT = '00000000-0000-0000-0000-000000000000';

export const DEFINITION = 'Repeated failed logons';

export async function createAutomationRulesFixture(options: { env?: Record<string, string> } = {}) {
  const keys = { graylog: `graylog-${randomUUID()}`, fortigate: `forti-${randomUUID()}` };
  const sandbox = await startSandbox({ port: 0, keys });
  const server = await createTestServer({ ...options, sandbox: { host: '127.0.0.1', port: sandbox.port } });
  await server.composition.app.server.listen({ host: '127.0.0.1', port: 0 });
  const { work } = server.composition;
  const db = server.stores.database;

  const graylog = () => sandbox.state().graylog as unknown as GraylogState;
  const definition = (title = DEFINITION) => {
    const found = graylog().definitions.find((one) => one.title === title);
    if (found === undefined) throw new Error(`The stand-in has no ${title}.`);
    return found as JsonObject & { id: string; notifications: { notification_id: string }[] };
  };
  const usedBy = (title = DEFINITION) => definition(title).notifications.map((entry) => entry.notification_id);

  async function train(path: string, body: unknown): Promise<JsonObject> {
    const answer = await fetch(`${sandbox.url}/graylog/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as JsonObject;
  }

  /** As somebody with an account there. */
  async function atGraylog(method: string, path: string, body?: unknown): Promise<void> {
    const answer = await fetch(`${sandbox.url}/graylog${path}`, {
      method,
      headers: {
        'x-requested-by': 'test',
        authorization: `Basic ${Buffer.from(`${keys.graylog}:token`).toString('base64')}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.ok, `${method} ${path}`).toBe(true);
  }

  async function createWorkspace() {
    sandbox.reset();
    await train('sandbox/version', {});
    const tenant = await server.createTenant();
    const scope = trustedTenantScope(tenant);
    const connectorId = await db.tenant(tenant, async (tx) => {
      const firewall = { base_url: `${sandbox.url}/fortigate`, api_token: keys.fortigate };
      await work.connectors.create(tx, scope, { definitionId: 'fortigate', name: 'Firewall', config: firewall }, by);
      const config = { base_url: `${sandbox.url}/graylog`, api_token: keys.graylog };
      return await work.connectors.create(tx, scope, { definitionId: 'graylog', name: 'Logs', config }, by);
    });
    const analyst = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const path = `/api/tenants/${tenant}/event/automation_rules`;

    async function send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, more: object = {}) {
      const { actor = analyst, headers = {} } = more as { actor?: Actor; headers?: object };
      const answer = await server.inject({
        method,
        url,
        headers: { ...actor.headers, ...headers },
        ...(payload === undefined ? {} : { payload }),
      });
      return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
    }

    const blocking = (more: object = {}) => ({
      name: 'Block who guesses',
      event_category_id: definition().id,
      actions: {
        responses: [
          {
            response_type: 'action',
            name: 'Block',
            action_name: 'fortigate.block_address',
            inputs: { address: '{{ alert.fields.src_ip }}', comment: '{{ alert.title }} {{ alert.priority }}' },
          },
        ],
      },
      ...more,
    });

    async function create(more: object = {}): Promise<AutomationRule> {
      const { status, body } = await send('POST', path, blocking(more));
      expect(status, JSON.stringify(body)).toBe(201);
      return automationRuleSchema.parse(body);
    }

    return {
      tenant,
      scope,
      connectorId,
      analyst,
      path,
      send,
      blocking,
      create,
      async get(id: string): Promise<AutomationRule> {
        const { status, body } = await send('GET', `${path}/${id}`);
        expect(status, JSON.stringify(body)).toBe(200);
        return automationRuleSchema.parse(body);
      },
      async repair(id: string): Promise<AutomationRule> {
        const { status, body } = await send('POST', `${path}/${id}/repair`);
        expect(status, JSON.stringify(body)).toBe(200);
        return automationRuleSchema.parse(body);
      },
      history: async (id: string) => (await send('GET', `${path}/${id}/history`)).body.entries,
      /** An alert is raised; the stand-in calls what is attached to its definition. */
      fire: async (alert: object = {}) =>
        (await train('sandbox/fire', {
          event_definition_title: DEFINITION,
          fields: { src_ip: '203.0.113.9' },
          ...alert,
        })) as Fired,
      /** The look that comes by itself every few minutes, until it has come to `check`. */
      async lookUntil(check: () => Promise<void>): Promise<void> {
        await db.system(async (tx) => {
          // Rules of tests before would have work done on the same stand-in.
          await tx.deleteFrom('automation_rule').where('tenant_id', '!=', tenant).execute();
          await work.engine.enqueueJob(work.enginePool.client(tx), {
            tenantId: NO_TENANT,
            kind: alertJobs.dueLooks.kind,
          });
        });
        await vi.waitFor(check, { timeout: 30_000 });
      },
      runs: async () => {
        const { body } = await send('GET', `/api/tenants/${tenant}/soar/actions_activity`);
        return body as { summary: { action_name: string; status: string; type: string }; details: JsonObject }[];
      },
    };
  }

  return {
    server,
    work,
    db,
    sandbox,
    graylog,
    definition,
    usedBy,
    atGraylog,
    train,
    createWorkspace,
    /** Where alerts of a workspace come in, opened with a token that the test knows. */
    async doorOf({ tenant, scope }: { tenant: string; scope: TenantScope }): Promise<{ url: string; token: string }> {
      const { source_id: id } = await db.tenant(tenant, (tx) =>
        tx.selectFrom('automation_alert_source').select('source_id').executeTakeFirstOrThrow(),
      );
      const token = await db.tenant(tenant, (tx) => work.sources.rotateToken(tx, scope, id, by));
      return { url: `${server.composition.listeningAt()}/api/${tenant}/event/ingest/${id}`, token };
    },
    async close() {
      await server.close();
      await sandbox.close();
    },
  };
}
