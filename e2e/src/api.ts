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
  return createApiClient({
    baseUrl: demo.url,
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

/** What the sandbox's vendors received. */
export async function sandboxState(demo: DemoFile): Promise<{
  calls: { vendor: string; method: string; path: string; body: unknown }[];
  fortigate: { addresses: { name: string; subnet: string }[]; groups: Record<string, string[]> };
}> {
  const answer = await fetch(`http://127.0.0.1:${demo.ports.sandbox}/sandbox/state`);
  return (await answer.json()) as Awaited<ReturnType<typeof sandboxState>>;
}
