import { type Connector, connectorSchema } from '@airdeck/contracts/connectors/schema';
import { expect, vi } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import type { ActivityFixture, Workspace } from '../activity/activity-fixture.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What tests of connectors ask for, as the SystemManager of the workspace of the moment unless they say who. */
export function connectorCalls(present: () => { fixture: ActivityFixture; workspace: Workspace; manager: Actor }) {
  async function call(method: Method, path: string, body?: unknown, more: { actor?: Actor; headers?: object } = {}) {
    const { fixture, workspace, manager } = present();
    const { actor = manager, headers = {} } = more;
    const answer = await fixture.server.inject({
      method,
      url: `/api/tenants/${workspace.tenant}/${path}`,
      headers: { ...actor.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, text: answer.body, body: answer.body === '' ? undefined : answer.json() };
  }

  function reputation(more = {}) {
    const { sandbox, keys } = present().fixture;
    return {
      definition_id: 'abuseipdb',
      name: 'Reputation',
      config: { base_url: `${sandbox.url}/abuseipdb`, api_key: keys.abuseipdb },
      ...more,
    };
  }

  async function create(body: object = reputation(), headers = {}): Promise<Connector> {
    const created = await call('PUT', 'connectors', body, { headers });
    expect(created, created.text).toMatchObject({ status: 200 });
    return connectorSchema.parse(created.body);
  }

  async function get(id: string): Promise<Connector> {
    return connectorSchema.parse((await call('GET', `connectors/${id}`)).body);
  }

  const reaches = (id: string, state: Connector['state']) =>
    vi.waitFor(async () => expect((await get(id)).state).toBe(state), { timeout: 30_000 });

  return { call, reputation, create, get, reaches };
}
