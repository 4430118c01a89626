/** The composed server against the real sandbox: what tests of runs and answers share. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Role } from '@airdeck/contracts/access/roles';
import type { ActionActivity, PlaybookRun } from '@airdeck/contracts/activity/schema';
import { actionActivitySchema, playbookRunSchema } from '@airdeck/contracts/activity/schema';
import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { caseDetailSchema } from '@airdeck/contracts/cases/schema';
import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { startSandbox } from '@airdeck/simulator/sandbox/sandbox';
import { expect, vi } from 'vitest';
import { type Actor, createTestServer } from '../../http/test-server.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import { blockGuessingAddress } from '../playbooks/starter-playbooks.ts';
import { starterPolicies } from '../policies/starter-policies.ts';

export const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;

export type Answer = { status: number; body: Record<string, unknown> };
export type ActivityFixture = Awaited<ReturnType<typeof createActivityFixture>>;
export type Workspace = Awaited<ReturnType<ActivityFixture['createWorkspace']>>;
type Named = { tenant: string; scope: TenantScope };

const SETTLED = new Set(['success', 'error', 'cancelled']);

export async function createActivityFixture(
  options: Pick<NonNullable<Parameters<typeof createTestServer>[0]>, 'keys' | 'identitySecret'> = {},
) {
  const keys = { abuseipdb: `abuse-${randomUUID()}`, fortigate: `forti-${randomUUID()}` };
  const sandbox = await startSandbox({ port: 0, keys });
  const server = await createTestServer({ ...options, sandbox: { host: '127.0.0.1', port: sandbox.port } });
  const { work } = server.composition;
  const db = server.stores.database;

  async function call(
    actor: Actor,
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    headers = {},
  ): Promise<Answer> {
    const answer = await server.inject({
      method,
      url: path,
      headers: { ...actor.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: answer.json() };
  }

  async function addConnectors(scope: TenantScope): Promise<void> {
    const connectors = [
      {
        definitionId: 'abuseipdb',
        name: 'Reputation',
        config: { base_url: `${sandbox.url}/abuseipdb`, api_key: keys.abuseipdb },
      },
      {
        definitionId: 'fortigate',
        name: 'Firewall',
        config: { base_url: `${sandbox.url}/fortigate`, api_token: keys.fortigate },
      },
    ];
    await db.tenant(scope.tenantId, async (tx) => {
      for (const connector of connectors) await work.connectors.create(tx, scope, connector, by);
    });
  }

  /** A tenant with an analyst, and unless told otherwise with both connectors. */
  async function createWorkspace({ connectors = true } = {}) {
    const tenant = await server.createTenant();
    const scope = trustedTenantScope(tenant);
    if (connectors) await addConnectors(scope);
    const person = (role: Role) => server.createActor({ home: tenant, roles: { [tenant]: role } });
    const analyst = await person('Analyst');
    const soar = `/api/tenants/${tenant}/soar`;

    async function getRun(id: string): Promise<PlaybookRun> {
      const { status, body } = await call(analyst, 'GET', `${soar}/playbook_activity/${id}`);
      expect(status).toBe(200);
      return playbookRunSchema.parse(body);
    }

    async function getCase(id: string): Promise<CaseDetail> {
      return caseDetailSchema.parse((await call(analyst, 'GET', `/api/tenants/${tenant}/case/${id}`)).body);
    }

    return {
      tenant,
      scope,
      soar,
      analyst,
      person,
      getRun,
      addPlaybook: (definition: PlaybookDefinition = blockGuessingAddress) =>
        db.tenant(tenant, (tx) => work.playbooks.create(tx, scope, definition, by)),
      async start(playbookId: string, inputs: object = { ip: '203.0.113.7' }): Promise<string> {
        const started = await call(analyst, 'POST', `${soar}/playbook_activity`, { playbook_id: playbookId, inputs });
        expect(started.status).toBe(202);
        return playbookRunSchema.parse(started.body).summary.workflow_uuid;
      },
      runReaches: (id: string, status: PlaybookRun['summary']['status']) =>
        vi.waitFor(
          async () => {
            const run = await getRun(id);
            expect(run.summary.status).toBe(status);
            return run;
          },
          { timeout: 30_000 },
        ),
      async act(action_name: string, action_input: object, more: object = {}): Promise<ActionActivity> {
        const started = await call(analyst, 'POST', `${soar}/actions_activity`, { action_name, action_input, ...more });
        expect(started.status).toBe(202);
        const { action_uuid } = actionActivitySchema.parse(started.body).details.context;
        return await vi.waitFor(
          async () => {
            const { body } = await call(analyst, 'GET', `${soar}/actions_activity/${action_uuid}`);
            const action = actionActivitySchema.parse(body);
            expect(SETTLED).toContain(action.summary.status);
            return action;
          },
          { timeout: 30_000 },
        );
      },
      getCase,
      /** Waits until the first response of a case has this status. */
      caseReaches: (id: string, status: PlaybookRun['summary']['status']) =>
        vi.waitFor(
          async () => {
            const found = await getCase(id);
            expect(found.alert_responses[0]?.status).toBe(status);
            return found;
          },
          { timeout: 30_000 },
        ),
      auditVerdict: () => db.system((tx) => server.composition.audit.verify(tx, scope)),
    };
  }

  /** The policy against password guessing, answered by `response`, and a source that can be sent to. */
  async function addDetection(
    { tenant, scope }: Named,
    response: { definitionId: string; inputs: Record<string, unknown>; type?: 'action' | 'playbook' },
  ) {
    const rule = starterPolicies.find(({ name }) => name === 'SSH password guessing');
    if (!rule) throw new Error('The starter policy is gone.');
    const source = await db.tenant(tenant, async (tx) => {
      const ruleId = await work.policies.create(
        tx,
        scope,
        { rule },
        { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null },
      );
      const added = {
        rule_id: ruleId,
        response_name: 'Block it',
        response_type: response.type ?? 'playbook',
        definition_id: response.definitionId,
        connector_id: null,
        inputs: response.inputs,
        enabled: true,
        created_by: 'Automation',
        owner_user_id: null,
      };
      await work.addRuleResponse(tx, scope, added, by);
      return await work.sources.createSource(tx, scope, { name: 'Servers', kind: 'syslog' }, by);
    });
    return {
      /** Six failed sign-ins of the address arrive through the HTTP door. */
      async guess(address: string): Promise<void> {
        const at = new Date().toISOString();
        const line = (port: number) =>
          `<38>1 ${at} web-1 sshd 4711 - - Failed password for root from ${address} port ${port} ssh2`;
        await work.ingestion.http.deliver({
          tenantId: tenant,
          sourceId: source.id,
          headers: { authorization: `Bearer ${source.token}`, 'content-type': 'text/plain' },
          stream: Readable.from([Buffer.from([1, 2, 3, 4, 5, 6].map((n) => line(40_000 + n)).join('\n'))]),
        });
      },
    };
  }

  return {
    server,
    work,
    db,
    sandbox,
    keys,
    call,
    createWorkspace,
    addConnectors,
    addDetection,
    async casesOf({ tenant, analyst }: { tenant: string; analyst: Actor }): Promise<string[]> {
      const { body } = await call(analyst, 'GET', `/api/tenants/${tenant}/case`);
      return (body.cases as { id: string }[]).map(({ id }) => id);
    },
    async close() {
      await server.close();
      await sandbox.close();
    },
  };
}

export function promptOf(run: PlaybookRun): string {
  const prompt = run.summary.actions_summary.find(({ prompt_id }) => prompt_id !== null)?.prompt_id;
  if (!prompt) throw new Error('The run asks nothing.');
  return prompt;
}

export function statusesOf(run: PlaybookRun): Record<string, string> {
  return Object.fromEntries(run.summary.actions_summary.map((one) => [one.workflow_action_id, one.status]));
}
