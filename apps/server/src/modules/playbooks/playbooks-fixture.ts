/** The composed server with people who build playbooks: what tests of the module share. */
import type { Role } from '@airdeck/contracts/access/roles';
import type { JsonObject } from '@airdeck/contracts/fields';
import {
  type DraftDefinition,
  type Playbook,
  type PlaybookDraft,
  playbookDraftSchema,
  playbookSchema,
} from '@airdeck/contracts/playbooks/schema';
import { expect } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Answer = { status: number; body: Record<string, unknown>; text: string };
export type PlaybooksFixture = Awaited<ReturnType<typeof createPlaybooksFixture>>;
export type Workspace = Awaited<ReturnType<PlaybooksFixture['createWorkspace']>>;

export async function createPlaybooksFixture(options: Parameters<typeof createTestServer>[0] = {}) {
  const server = await createTestServer(options);
  const db = server.stores.database;

  async function call(actor: Actor, method: Method, path: string, body?: unknown, headers = {}): Promise<Answer> {
    const answer = await server.inject({
      method,
      url: path,
      headers: { ...actor.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = answer.body;
    return { status: answer.statusCode, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>), text };
  }

  async function createWorkspace() {
    const tenant = await server.createTenant();
    const person = (role: Role) => server.createActor({ home: tenant, roles: { [tenant]: role } });
    const analyst = await person('Analyst');
    const playbooks = `/api/tenants/${tenant}/soar/playbooks`;
    const as = analyst;

    async function create(definition: JsonObject | DraftDefinition = threeSteps()): Promise<PlaybookDraft> {
      const { status, body } = await call(as, 'POST', playbooks, { definition });
      expect(status).toBe(201);
      return playbookDraftSchema.parse(body);
    }

    async function publish(id: string, revision: number): Promise<Playbook> {
      const { status, body } = await call(as, 'POST', `${playbooks}/${id}/publish`, { revision });
      expect({ status, body }).toMatchObject({ status: 200 });
      return playbookSchema.parse(body);
    }

    return {
      tenant,
      scope: trustedTenantScope(tenant),
      person,
      analyst,
      playbooks,
      create,
      publish,
      async createPublished(definition: JsonObject | DraftDefinition = threeSteps()): Promise<Playbook> {
        const draft = await create(definition);
        return await publish(draft.playbook_id, draft.revision);
      },
      async problemsOf(definition: unknown, more: object = {}): Promise<Record<string, unknown>[]> {
        const { status, body } = await call(as, 'POST', `${playbooks}/validate`, { definition, ...more });
        expect({ status, body }).toMatchObject({ status: 200 });
        expect(body.valid).toBe((body.problems as unknown[]).length === 0);
        return body.problems as Record<string, unknown>[];
      },
      audited: async (action: string) => await auditOf(server, tenant, action),
      auditVerdict: () => db.system((tx) => server.composition.audit.verify(tx, trustedTenantScope(tenant))),
    };
  }

  return { server, db, call, createWorkspace, close: () => server.close() };
}

async function auditOf(server: TestServer, tenant: string, action: string) {
  return await server.stores.database.system((tx) =>
    tx
      .selectFrom('audit_record')
      .select(['actor_name', 'target_id', 'outcome', 'code', 'data'])
      .where('tenant_id', '=', tenant)
      .where('action', '=', action)
      .orderBy('sequence')
      .execute(),
  );
}

/** Looks an address up, asks, blocks it: without problems in every tenant. */
export function threeSteps(name = 'Block an address') {
  return {
    metadata: { name, description: 'Looks up, asks, blocks.', author: 'somebody else', updated_by: 'nobody' },
    inputs: {
      type: 'object',
      properties: { ip: { type: 'string' } },
      required: ['ip'],
      additionalProperties: false,
    } as JsonObject,
    actions: [
      {
        id: 'lookup',
        kind: 'action',
        action: 'abuseipdb.check_ip',
        connector_id: null,
        input: { ip: '{{ inputs.ip }}' },
      },
      {
        id: 'ask',
        kind: 'prompt',
        depends_on: ['lookup'],
        message: 'Block {{ inputs.ip }}?',
        options: [
          { value: 'block', label: 'Block' },
          { value: 'ignore', label: 'Ignore' },
        ],
        expires_in_s: 3600,
        default_option: 'ignore',
      },
      {
        id: 'block',
        kind: 'action',
        action: 'fortigate.block_address',
        connector_id: null,
        depends_on: ['ask'],
        when: "actions.ask.output.option == 'block'",
        input: { address: '{{ inputs.ip }}' },
      },
    ] as JsonObject[],
    outputs: { blocked: "{{ actions.block.status == 'success' }}" } as JsonObject,
    exec_options: { max_concurrent_actions: 2 } as JsonObject,
  };
}
