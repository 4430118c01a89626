import { randomUUID } from 'node:crypto';
import { createApiClient } from '@airdeck/api-client/client';
import type { BrowserContext } from 'playwright-core';
import type { DemoFile } from './airdeck-process.ts';

type DemoUser = DemoFile['users'][number];

/** The typed client with the session of a browser, as its own screens call. */
export function apiOfBrowser(demo: DemoFile, { request }: Pick<BrowserContext, 'request'>) {
  return clientWith(demo, async () => {
    const answer = await request.get(`${demo.url}/auth/token`);
    return ((await answer.json()) as { token: string }).token;
  });
}

/** The typed client with a demo user's API key: what a script of a customer would use. */
export function apiOf(demo: DemoFile, user: DemoUser) {
  return clientWith(demo, () => Promise.resolve(user.api_key));
}

function clientWith(demo: DemoFile, getToken: () => Promise<string>) {
  return clientAt(demo.url, getToken);
}

export function clientAt(baseUrl: string, getToken: () => Promise<string>) {
  return createApiClient({
    baseUrl,
    getToken,
    fetch: globalThis.fetch,
    onUnauthorized: () => undefined,
    newId: randomUUID,
  });
}

export function userOf(demo: DemoFile, role: string): DemoUser {
  const user = demo.users.find((candidate) => candidate.role === role);
  if (!user) throw new Error(`The demo has no ${role}.`);
  return user;
}

export function adminOf(demo: DemoFile, tenantName: string): DemoUser {
  const tenant = demo.tenants.find(({ name }) => name === tenantName);
  const admin = demo.users.find((user) => user.role === 'Admin' && user.tenant === tenant?.id);
  if (!admin) throw new Error(`The demo has no Admin of ${tenantName}.`);
  return admin;
}

/** A connector of Meridian Foods that the demo came with. */
export async function sandboxConnector(demo: DemoFile) {
  const admin = adminOf(demo, 'Meridian Foods');
  const connectors = await apiOf(demo, admin).call('connectors.list', { params: { tenant: admin.tenant } });
  const found = connectors.find(({ name }) => name === 'FortiGate HQ (sandbox)');
  if (!found) throw new Error('The demo has no FortiGate.');
  return found;
}

/** A playbook of Meridian Foods that the demo came with. */
export async function demoPlaybook(demo: DemoFile, name: string) {
  const admin = adminOf(demo, 'Meridian Foods');
  const playbooks = await apiOf(demo, admin).call('playbooks.list', { params: { tenant: admin.tenant } });
  const found = playbooks.find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`The demo has no playbook ${name}.`);
  return found;
}

/** An automation of log management in Meridian Foods that looks up an address; the same one for everybody who asks. */
export async function logRule(demo: DemoFile, { name, response }: { name: string; response: string }) {
  const admin = adminOf(demo, 'Meridian Foods');
  const api = apiOf(demo, admin);
  const params = { tenant: admin.tenant };
  const [known] = await api.call('automation-rules.list', { params, query: { q: name } });
  if (known !== undefined) return known;
  const { action_output: found } = await api.call('actions.run-now', {
    params,
    body: { action_name: 'graylog.get_event_definitions', action_input: {}, connector_id: null },
  });
  const { events } = found as { events: { id: string; title: string }[] };
  const definition = events.find(({ title }) => title === 'Unusual service start');
  if (definition === undefined) throw new Error('The sandbox has no such event definition.');
  const inputs = { ip: '{{ event.src_ip }}' };
  return await api.call('automation-rules.create', {
    params,
    body: {
      name,
      event_category_id: definition.id,
      actions: { responses: [{ response_type: 'action', name: response, action_name: 'abuseipdb.check_ip', inputs }] },
    },
  });
}

/** What the sandbox's vendors received. */
export async function sandboxState(demo: DemoFile): Promise<{
  calls: { vendor: string; method: string; path: string; body: unknown }[];
  hooks: { path: string; delivery: string | null; signed: boolean; body: Record<string, unknown> }[];
  fortigate: { addresses: { name: string; subnet: string }[]; groups: Record<string, string[]> };
  graylog: {
    definitions: { title: string; state: string; notifications: unknown[] }[];
    notifications: { id: string; title: string }[];
  };
}> {
  const answer = await fetch(`http://127.0.0.1:${demo.ports.sandbox}/sandbox/state`);
  return (await answer.json()) as Awaited<ReturnType<typeof sandboxState>>;
}
