import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forbiddenNames, forbiddenUrls } from '@airdeck/connector-kit/forbidden-url-payloads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { caseOpened, createNotificationsFixture, type NotificationsFixture, wants } from './notifications-fixture.ts';

let fixture: NotificationsFixture;
/** Tenants whose Admins have opened this network. */
const opened = new Set<string>();
const OWN_NETWORK = '10.1.2.0/24';
const listeners: { server: ReturnType<typeof createServer>; port: number; calls: number }[] = [];

async function listen(host: string) {
  const listener = { server: createServer((_request, response) => response.end()), port: 0, calls: 0 };
  listener.server.on('connection', () => {
    listener.calls += 1;
  });
  await new Promise<void>((resolve) => listener.server.listen({ host, port: 0, ipv6Only: false }, resolve));
  listener.port = (listener.server.address() as AddressInfo).port;
  listeners.push(listener);
  return listener;
}

beforeAll(async () => {
  const { port } = await listen('127.0.0.1');
  await listen('::');
  fixture = await createNotificationsFixture({
    receiver: { host: '127.0.0.1', port },
    ownNetworks: async (tenant) => (opened.has(tenant) ? [OWN_NETWORK] : []),
    resolve: async (host) => forbiddenNames[host] ?? (host.toLowerCase() === 'localhost' ? ['127.0.0.1', '::1'] : []),
  });
});
afterAll(async () => {
  await fixture?.close();
  for (const { server } of listeners) {
    server.closeAllConnections();
    server.close();
  }
});

it('a webhook is not called at any address nobody may reach, and is not tried again there', async () => {
  const [open, forbidden] = listeners;
  const tenant = await fixture.tenant();
  const wish = (url: string) => ({ ...wants('case_opened', 'webhook'), webhook_url: url });
  await fixture.person(tenant, 'Analyst', wish(`http://127.0.0.1:${open?.port}/hook`));
  const urls = [...new Set(forbiddenUrls)].filter((url) => url !== '');
  expect(urls.length).toBeGreaterThanOrEqual(120);
  for (const url of urls) await fixture.person(tenant, 'Analyst', wish(url.replace('PORT', String(forbidden?.port))));
  await fixture.tell(caseOpened(tenant));
  await fixture.work();
  expect(open?.calls).toBe(1);
  expect(forbidden?.calls).toBe(0);
  expect(await fixture.deliveries()).toEqual([]);
}, 60_000);

it('a person of several tenants has nothing called in the networks those have opened to their connectors', async () => {
  const [home, customer] = [await fixture.tenant(), await fixture.tenant()];
  const wish = { ...wants('case_opened', 'webhook', 'slack'), webhook_url: 'http://10.1.2.9:8080/hook' };
  const user = await fixture.person(home, 'Analyst', wish);
  await fixture.db.system((tx) =>
    tx.insertInto('membership').values({ tenant_id: customer, user_id: user.id, role: 'Analyst' }).execute(),
  );
  const context = {
    caller: { userId: user.id, username: user.email, fullname: '', homeTenant: home, via: 'session' },
    requestId: 'test',
  } as never;
  const nothing = { params: undefined, query: undefined, body: undefined };
  const slack = { ...nothing, body: { url: 'https://10.1.2.9/services/x' } };
  await fixture.module.handlers['notifications.set-slack'](slack, context);
  for (const tenant of [home, customer]) {
    opened.add(tenant);
    await fixture.egress.check(tenant, 'http://10.1.2.9:8080/');
    await fixture.tell(caseOpened(tenant));
  }
  await fixture.work();
  const { failures = [] } = await fixture.module.handlers['notifications.slack'](nothing, context);
  const message = '10.1.2.9 leads to an address that is not allowed (private).';
  expect(failures.toSorted((a, b) => a.channel.localeCompare(b.channel))).toMatchObject([
    { channel: 'slack', message },
    { channel: 'webhook', message },
  ]);
  expect(await fixture.deliveries()).toEqual([]);
});
