import type { AddressInfo, Server } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { classifyAddress } from './address-class.ts';
import type { GuardedEgress } from './egress.ts';
import { createEgress } from './egress.ts';
import { createDialer } from './egress-dial.ts';
import { EgressError } from './egress-error.ts';
import { forbiddenNames, forbiddenUrls } from './forbidden-url-payloads.ts';

/** Listens on every local address, both families, and only counts. */
async function startListener(): Promise<{ server: Server; port: number; connections: () => number }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen({ host: '::', port: 0, ipv6Only: false }, resolve));
  return { server, port: (server.address() as AddressInfo).port, connections: () => count };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'answered';
  } catch (error) {
    expect(error).toBeInstanceOf(EgressError);
    return (error as EgressError).code;
  }
}

describe('no forbidden address is ever dialled', () => {
  let listener: Awaited<ReturnType<typeof startListener>>;
  let egress: GuardedEgress;
  beforeAll(async () => {
    listener = await startListener();
    egress = createEgress({
      resolve: async (host) => forbiddenNames[host] ?? (host.toLowerCase() === 'localhost' ? ['127.0.0.1', '::1'] : []),
    });
  });
  afterAll(async () => {
    await egress.close();
    await new Promise((resolve) => listener.server.close(resolve));
  });

  it('has at least 120 different spellings', () => {
    expect(new Set(forbiddenUrls).size).toBeGreaterThanOrEqual(120);
  });

  it('uses a listener that does see connections', async () => {
    const open = createEgress({ allowLoopback: [{ host: '127.0.0.1', port: listener.port }] });
    const url = `http://127.0.0.1:${listener.port}/`;
    expect(await codeOf(open.request({ tenant: 't', method: 'GET', url }))).toBe('CONNECT_FAILED');
    await open.close();
    expect(listener.connections()).toBe(1);
  });

  it.each(forbiddenUrls)('refuses %s and connects nowhere', async (text) => {
    const before = listener.connections();
    const url = text.replace('PORT', String(listener.port));
    expect(await codeOf(egress.request({ tenant: 't', method: 'POST', url, body: 'x' }))).toBe('EGRESS_DENIED');
    expect(await codeOf(egress.check('t', url))).toBe('EGRESS_DENIED');
    expect(listener.connections()).toBe(before);
  });

  it('dials exactly what it classified and asks the resolver once, so rebinding has nothing to answer', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    let asked = 0;
    const dial = createDialer('t', undefined, {
      resolve: async () => answers[asked++] ?? [],
      isRefused: () => false,
      isExcepted: (_destination, address) => address === '127.0.0.1',
      connectTimeoutMs: 1000,
    });
    const connect = () =>
      new Promise<string>((resolve) =>
        dial(
          { hostname: 'rebind.example', host: 'rebind.example', protocol: 'http:', port: String(listener.port) },
          (error, socket) => {
            resolve(error === null ? (socket?.remoteAddress ?? '') : (error as EgressError).code);
            socket?.destroy();
          },
        ),
      );
    expect(await connect()).toBe('127.0.0.1');
    expect(asked).toBe(1);
    expect(await connect()).toBe('EGRESS_DENIED');
  });

  it('keeps the sandbox exception to its host and port, and never extends it to a name that points there', async () => {
    const open = createEgress({
      allowLoopback: [{ host: '127.0.0.1', port: listener.port }],
      resolve: async () => ['127.0.0.1'],
    });
    const before = listener.connections();
    for (const url of [
      `http://evil.example:${listener.port}/`,
      `http://127.0.0.2:${listener.port}/`,
      'http://127.0.0.1:81/',
    ]) {
      expect(await codeOf(open.request({ tenant: 't', method: 'GET', url }))).toBe('EGRESS_DENIED');
    }
    await open.close();
    expect(listener.connections()).toBe(before);
  });

  it('has called nobody where it cannot be found out whether an address may be called', async () => {
    const unsure = createEgress({
      ownNetworks: async () => {
        throw Object.assign(new Error('The database is away.'), { code: 'ECONNRESET', syscall: 'read' });
      },
      resolve: async () => ['10.1.2.4'],
    });
    const call = unsure.request({ tenant: 't', method: 'POST', url: 'http://appliance.example/', body: 'x' });
    await expect(call).rejects.toMatchObject({ code: 'CONNECT_FAILED', outcomeUnknown: false, retryable: true });
    await unsure.close();
  });

  it('lets a tenant into the private networks it named, nobody else, and nowhere else', async () => {
    const open = createEgress({
      ownNetworks: async (tenant) => (tenant === 'allowed' ? ['10.1.2.0/24', '0.0.0.0/0', '::/0'] : []),
      resolve: async (host) => (host === 'appliance.example' ? ['10.1.2.4'] : (forbiddenNames[host] ?? [])),
    });
    await open.check('allowed', 'http://10.1.2.3/');
    await open.check('allowed', 'http://appliance.example/');
    for (const url of ['http://10.1.2.3/', 'http://appliance.example/']) {
      expect(await codeOf(open.check('other', url))).toBe('EGRESS_DENIED');
    }
    const before = listener.connections();
    const elsewhere = forbiddenUrls.filter((url) => !url.includes('private.example'));
    for (const text of elsewhere) {
      const url = text.replace('PORT', String(listener.port));
      expect(await codeOf(open.check('allowed', url)), text).toMatch(/^(EGRESS_DENIED|DNS_FAILED)$/);
    }
    expect(listener.connections()).toBe(before);
    await open.close();
  });

  it('does not go on using a connection after its network was taken off the list', async () => {
    let networks = ['10.1.2.3/32'];
    const asked: string[] = [];
    const open = createEgress({
      ownNetworks: async (tenant) => {
        asked.push(tenant);
        return networks;
      },
      connectTimeoutMs: 50,
    });
    const request = () => codeOf(open.request({ tenant: 't', method: 'GET', url: 'http://10.1.2.3/' }));
    expect(await request()).not.toBe('EGRESS_DENIED');
    networks = [];
    expect(await request()).toBe('EGRESS_DENIED');
    expect(new Set(asked)).toEqual(new Set(['t']));
    await open.close();
  });

  it('calls nothing while the list cannot be read', async () => {
    const open = createEgress({ ownNetworks: () => Promise.reject(new EgressError('EGRESS_DENIED', 'not readable')) });
    const url = 'http://10.1.2.3/';
    expect(await codeOf(open.request({ tenant: 't', method: 'GET', url }))).toBe('EGRESS_DENIED');
    expect(await codeOf(open.check('t', url))).toBe('EGRESS_DENIED');
    await open.close();
  });

  it('never leads back to this installation, whatever class its address has', async () => {
    const open = createEgress({
      ownNetworks: async () => ['10.0.0.0/8'],
      isOurs: ({ host }, address) => host === 'air.example' || ['93.184.216.34', '10.0.0.5'].includes(address),
      resolve: async (host) => (host === 'alias.example' ? ['93.184.216.34'] : ['8.8.8.8']),
    });
    for (const host of ['air.example', 'alias.example', '93.184.216.34', '10.0.0.5']) {
      expect(await codeOf(open.check('t', `https://${host}/`)), host).toBe('EGRESS_DENIED');
    }
    await open.check('t', 'https://vendor.example/');
    await open.check('t', 'https://10.0.0.6/');
    await open.close();
  });

  it.each(['93.184.216.34', '8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450::1'])(
    'lets %s, an ordinary public address, pass',
    async (address) => {
      expect(classifyAddress(address)).toBe('public');
      await egress.check('t', `https://${address.includes(':') ? `[${address}]` : address}/`);
    },
  );
});
