import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forbiddenNames, forbiddenUrls } from '@airdeck/connector-kit/forbidden-urls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { caseOpened, createNotificationsFixture, type NotificationsFixture, wants } from './notifications-fixture.ts';

let fixture: NotificationsFixture;
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
