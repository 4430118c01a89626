/** The composed server with a vendor of its own that answers, waits or fails as told: what tests of whole runs share. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { Role } from '@airdeck/contracts/access/roles';
import {
  actionActivitySchema,
  type PlaybookRun,
  type Prompt,
  playbookRunListSchema,
  playbookRunSchema,
  promptSchema,
} from '@airdeck/contracts/activity/schema';
import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { type ResponseHistoryEntry, ruleResponseHistorySchema } from '@airdeck/contracts/rule-responses/schema';
import { expect, vi } from 'vitest';
import { type Actor, createTestServer } from '../../http/test-server.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { starterPolicies } from '../policies/starter-policies.ts';

type Answer = { status: number; body: Record<string, unknown> };
export type RunsFixture = Awaited<ReturnType<typeof createRunsFixture>>;
export type RunsWorkspace = Awaited<ReturnType<RunsFixture['workspace']>>;
type Actions = PlaybookDefinition['actions'];
type ServerOptions = NonNullable<Parameters<typeof createTestServer>[0]>;

const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
const WAIT = { timeout: 30_000, interval: 50 };

/** Calls to `/hold…` wait until they are released, to `/fail…` answer 500 as long as told to, others as `answers` says. */
async function startVendor() {
  const calls: string[] = [];
  let held: ServerResponse[] = [];
  const fails = new Set<string>();
  let heard: (path: string) => void = () => undefined;
  const answers = new Map<string, (response: ServerResponse) => void>();
  const vendor = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    calls.push(`${request.method} ${path}`);
    request.resume();
    heard(path);
    const answer = answers.get(path);
    if (answer) answer(response);
    else if (path.startsWith('/hold')) held.push(response);
    else if (fails.has(path)) response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ path }));
  });
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
  const { port } = vendor.address() as AddressInfo;
  return {
    port,
    calls,
    fails,
    answers,
    held: () => held.length,
    /** What a call sets off elsewhere, until the next `reset`. */
    onCall(listener: (path: string) => void) {
      heard = listener;
    },
    release() {
      for (const response of held) response.end('{}');
      held = [];
    },
    reset() {
      this.release();
      calls.length = 0;
      fails.clear();
      heard = () => undefined;
      answers.clear();
    },
    close() {
      this.release();
      vendor.closeAllConnections();
      vendor.close();
    },
  };
}

export async function createRunsFixture(
  options: Pick<ServerOptions, 'now' | 'env' | 'tracing' | 'log' | 'keys' | 'identitySecret'> = {},
) {
  const vendor = await startVendor();
  const server = await createTestServer({ sandbox: { host: '127.0.0.1', port: vendor.port }, ...options });
  const { work } = server.composition;
  const db = server.stores.database;

  async function call(
    actor: Actor,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    payload?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await server.inject({
      method,
      url: path,
      headers: { ...actor.headers, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
  }

  async function workspace({ connector = true } = {}) {
    const tenant = await server.createTenant();
    const scope = trustedTenantScope(tenant);
    const person = (role: Role) => server.createActor({ home: tenant, roles: { [tenant]: role } });
    const [analyst, admin] = [await person('Analyst'), await person('Admin')];
    const path = `/api/tenants/${tenant}`;
    const soar = `${path}/soar`;
    const runs = `${soar}/playbook_activity`;
    const config = { base_url: `http://127.0.0.1:${vendor.port}` };
    const connectorId = connector
      ? await db.tenant(tenant, (tx) =>
          work.connectors.create(tx, scope, { definitionId: 'http_request', name: 'Any service', config }, by),
        )
      : undefined;

    let policyId = '';

    async function get(id: string): Promise<PlaybookRun> {
      const { status, body } = await call(analyst, 'GET', `${runs}/${id}`);
      expect(status).toBe(200);
      return playbookRunSchema.parse(body);
    }

    async function started(answer: Answer): Promise<string> {
      expect(answer.status, JSON.stringify(answer.body)).toBe(202);
      return playbookRunSchema.parse(answer.body).summary.workflow_uuid;
    }

    return {
      tenant,
      scope,
      path,
      soar,
      runs,
      analyst,
      admin,
      person,
      connectorId,
      get,
      started,
      /** Publishes a playbook; returns its id. */
      add: (actions: Actions, more: Partial<PlaybookDefinition> = {}) =>
        db.tenant(tenant, (tx) => work.playbooks.create(tx, scope, playbookOf(actions, more), by)),
      async start(playbook_id: string, more: object = {}, actor = analyst): Promise<string> {
        return await started(await call(actor, 'POST', runs, { playbook_id, inputs: {}, ...more }));
      },
      /** Waits until it has this status; a run that ended otherwise is not waited for. */
      async reaches(id: string, status: PlaybookRun['summary']['status']): Promise<PlaybookRun> {
        const run = await vi.waitFor(async () => {
          const now = await get(id);
          expect(now.summary.status === status || now.summary.time_finished !== null).toBe(true);
          return now;
        }, WAIT);
        expect(run.summary.status, JSON.stringify(run.summary.error_info)).toBe(status);
        return run;
      },
      async list(query = '') {
        return playbookRunListSchema.parse((await call(analyst, 'GET', `${runs}?${query}`)).body);
      },
      async action(runId: string, actionId: string, query = '') {
        const found = (await get(runId)).summary.actions_summary.find((one) => one.workflow_action_id === actionId);
        const { status, body } = await call(analyst, 'GET', `${runs}/${runId}/actions/${found?.action_uuid}${query}`);
        expect(status, JSON.stringify(body)).toBe(200);
        return actionActivitySchema.parse(body);
      },
      async prompt(runId: string, actor = analyst, query = ''): Promise<Prompt> {
        const answer = await call(actor, 'GET', `${await promptPath(runId)}${query}`);
        return promptSchema.parse(answer.body);
      },
      async answer(runId: string, actor: Actor, option: string, more: object = {}): Promise<Answer> {
        return await call(actor, 'POST', await promptPath(runId), { option, ...more });
      },
      async setTwoPeople(two_people: boolean) {
        const answer = await call(admin, 'PATCH', `${path}/settings`, { approvals: { two_people } });
        expect(answer.status).toBe(200);
      },
      audit: () => db.tenant(tenant, (tx) => tx.selectFrom('audit_record').selectAll().orderBy('sequence').execute()),
      promptPath,
      answerGuesses,
      async history(name = 'Answer', of = policyId): Promise<ResponseHistoryEntry[]> {
        const url = `${soar}/rule_responses/${of}/history?limit=100&response_name=${name}`;
        return ruleResponseHistorySchema.parse((await call(analyst, 'GET', url)).body).entries;
      },
    };

    /** A policy against password guessing whose cases are answered by the playbook, and a source for its events. */
    async function answerGuesses(definitionId: string, { inputs = {}, names = ['Answer'] } = {}) {
      const rule = starterPolicies.find(({ name }) => name === 'SSH password guessing');
      if (!rule) throw new Error('The starter policy is gone.');
      const source = await db.tenant(tenant, async (tx) => {
        policyId = await work.policies.create(tx, scope, { rule }, by);
        for (const response_name of names) {
          const added = {
            rule_id: policyId,
            response_name,
            response_type: 'playbook',
            definition_id: definitionId,
          } as const;
          const standing = { connector_id: null, enabled: true, created_by: 'Test', owner_user_id: null };
          await work.addRuleResponse(tx, scope, { ...added, ...standing, inputs }, by);
        }
        return await work.sources.createSource(tx, scope, { name: 'Servers', kind: 'syslog' }, by);
      });
      return {
        policyId,
        /** Failed sign-ins of the address arrive, enough for a case. */
        async guess(address: string): Promise<void> {
          const at = new Date().toISOString();
          const line = (port: number) =>
            `<38>1 ${at} web-1 sshd 4711 - - Failed password for root from ${address} port ${port} ssh2`;
          await work.ingestion.http.deliver({
            tenantId: tenant,
            sourceId: source.id,
            headers: { authorization: `Bearer ${source.token}`, 'content-type': 'text/plain' },
            stream: Readable.from([Buffer.from([1, 2, 3, 4, 5].map((n) => line(40_000 + n)).join('\n'))]),
          });
        },
      };
    }

    async function promptPath(runId: string): Promise<string> {
      const { actions_summary } = (await get(runId)).summary;
      const id = actions_summary.find(({ prompt_id }) => prompt_id !== null)?.prompt_id;
      if (!id) throw new Error('The run asks nothing.');
      return `${runs}/${runId}/prompt/${id}`;
    }
  }

  return {
    server,
    vendor,
    db,
    call,
    workspace,
    async close() {
      vendor.release();
      await server.close();
      vendor.close();
    },
  };
}

function playbookOf(actions: Actions, more: Partial<PlaybookDefinition>): PlaybookDefinition {
  return {
    metadata: { name: 'Tidy up', description: '', author: 'Test', updated_by: 'Test' },
    inputs: { type: 'object' },
    actions,
    outputs: {},
    exec_options: { max_concurrent_actions: 4 },
    ...more,
  };
}

/** Nodes of playbooks, in short. */
export const node = {
  read: (id: string, path: string, more: object = {}): Actions[number] => ({
    ...{ id, kind: 'action', action: 'http_request.get', input: { path } },
    ...more,
  }),
  send: (id: string, path: string, more: object = {}): Actions[number] => ({
    ...{ id, kind: 'action', action: 'http_request.send', input: { path, json: { by: 'airdeck' } } },
    ...more,
  }),
  destroy: (id: string, path: string, more: object = {}): Actions[number] => ({
    ...{ id, kind: 'action', action: 'http_request.delete', input: { path } },
    ...more,
  }),
  ask: (id: string, more: object = {}): Actions[number] => ({
    ...{ id, kind: 'prompt', message: 'Delete it?' },
    options: [
      { value: 'delete', label: 'Delete' },
      { value: 'archive', label: 'Archive' },
      { value: 'keep', label: 'Keep' },
    ],
    ...more,
  }),
  play: (id: string, playbook_id: string, more: object = {}): Actions[number] => ({
    ...{ id, kind: 'playbook', playbook_id },
    ...more,
  }),
};

export function statusesOf({ summary }: PlaybookRun): Record<string, string> {
  return Object.fromEntries(summary.actions_summary.map((one) => [one.workflow_action_id, one.status]));
}

export function stepOf({ summary }: PlaybookRun, actionId: string) {
  const found = summary.actions_summary.find((one) => one.workflow_action_id === actionId);
  if (!found) throw new Error(`There is no action ${actionId}.`);
  return found;
}
