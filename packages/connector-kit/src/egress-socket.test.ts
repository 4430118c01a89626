import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withCallMark } from './call-mark.ts';
import type { EgressOptions, GuardedEgress } from './egress.ts';
import { createEgress } from './egress.ts';
import { EgressError } from './egress-error.ts';
import { mailPorts } from './egress-socket.ts';
import { forbiddenNames, forbiddenUrls } from './forbidden-url-payloads.ts';

describe('a connection to a mail server', () => {
  let server: Server;
  let port: number;
  let connections = 0;
  const opened: GuardedEgress[] = [];
  beforeAll(async () => {
    server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
      socket.end('220 ready\r\n');
    });
    await new Promise<void>((resolve) => server.listen({ host: '::', port: 0, ipv6Only: false }, resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    for (const egress of opened) await egress.close();
    await new Promise((resolve) => server.close(resolve));
  });

  function egressWith(options: EgressOptions = {}): Required<Pick<GuardedEgress, 'openSocket'>> & GuardedEgress {
    const egress = createEgress(options);
    opened.push(egress);
    const { openSocket } = egress;
    if (openSocket === undefined) throw new Error('openSocket is missing');
    return { ...egress, openSocket };
  }
  const sandboxed = () => egressWith({ allowLoopback: [{ host: '127.0.0.1', port }] });

  async function codeOf(work: Promise<Socket>): Promise<string> {
    try {
      (await work).destroy();
      return 'connected';
    } catch (error) {
      expect(error).toBeInstanceOf(EgressError);
      return (error as EgressError).code;
    }
  }

  it('is dialled and handed over before a byte is read', async () => {
    const socket = await sandboxed().openSocket({ tenant: 't', host: '127.0.0.1', port });
    const greeting = await new Promise((resolve) => socket.once('data', (data) => resolve(String(data))));
    expect(greeting).toBe('220 ready\r\n');
    socket.destroy();
  });

  it.each([22, 80, 443, 5432, 6379, 0, 70_000, Number.NaN])(
    'is refused on port %i, which mail servers do not use',
    async (other) => {
      const egress = egressWith({ resolve: async () => ['93.184.216.34'] });
      expect(await codeOf(egress.openSocket({ tenant: 't', host: 'mail.example', port: other }))).toBe('EGRESS_DENIED');
    },
  );

  const hosts = forbiddenUrls
    .map((url) => /^https?:\/\/([^/@]*?)(?::(?:PORT|\d+))?(?:\/.*)?$/u.exec(url)?.[1] ?? '')
    .filter((host) => !['93.184.216.34', ''].includes(host));

  it.each([...new Set(hosts)])('is refused to %s on every port, and connects nowhere', async (host) => {
    const egress = egressWith({
      resolve: async (name) => forbiddenNames[name] ?? (name.toLowerCase() === 'localhost' ? ['127.0.0.1', '::1'] : []),
    });
    const before = connections;
    for (const one of [...mailPorts, port]) {
      expect(await codeOf(egress.openSocket({ tenant: 't', host, port: one }))).toBe('EGRESS_DENIED');
    }
    expect(connections).toBe(before);
  });

  it.each([
    'a b',
    'mail.example/x',
    'user@mail.example',
    'mail.example:25',
    'mail.example#@127.0.0.1',
    'a\r\nb',
    '',
    '[::1',
    '?',
  ])('is refused to %j, which is no host', async (host) => {
    const egress = egressWith({ resolve: async () => ['93.184.216.34'] });
    expect(await codeOf(egress.openSocket({ tenant: 't', host, port: 25 }))).toBe('EGRESS_DENIED');
  });

  it('goes to an address of its own network only where the tenant is allowed to', async () => {
    const egress = egressWith({
      ownNetworks: async (tenant) => (tenant === 'allowed' ? ['10.255.255.0/24'] : []),
      connectTimeoutMs: 50,
    });
    expect(await codeOf(egress.openSocket({ tenant: 'other', host: '10.255.255.1', port: 25 }))).toBe('EGRESS_DENIED');
    expect(await codeOf(egress.openSocket({ tenant: 'allowed', host: '10.255.255.1', port: 25 }))).not.toBe(
      'EGRESS_DENIED',
    );
    expect(await codeOf(egress.openSocket({ tenant: 'allowed', host: '169.254.169.254', port: 25 }))).toBe(
      'EGRESS_DENIED',
    );
  });

  it('leaves the sandbox exception at its host and port', async () => {
    const egress = egressWith({ allowLoopback: [{ host: '127.0.0.1', port }], resolve: async () => ['127.0.0.1'] });
    expect(await codeOf(egress.openSocket({ tenant: 't', host: 'evil.example', port }))).toBe('EGRESS_DENIED');
    expect(await codeOf(egress.openSocket({ tenant: 't', host: '127.0.0.1', port: 25 }))).toBe('EGRESS_DENIED');
  });

  it('stops when told to, before and while a name is being resolved', async () => {
    const egress = egressWith({ resolve: () => new Promise(() => undefined) });
    const controller = new AbortController();
    const work = egress.openSocket({ tenant: 't', host: 'slow.example', port: 25, signal: controller.signal });
    controller.abort();
    expect(await codeOf(work)).toBe('ABORTED');
    const signal = AbortSignal.abort();
    expect(await codeOf(sandboxed().openSocket({ tenant: 't', host: '127.0.0.1', port, signal }))).toBe('ABORTED');
  });

  it('says when nobody listens and when a name has no address', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const closed = (free.address() as AddressInfo).port;
    await new Promise((resolve) => free.close(resolve));
    const egress = egressWith({ allowLoopback: [{ host: '127.0.0.1', port: closed }], resolve: async () => [] });
    expect(await codeOf(egress.openSocket({ tenant: 't', host: '127.0.0.1', port: closed }))).toBe('CONNECT_FAILED');
    expect(await codeOf(egress.openSocket({ tenant: 't', host: 'absent.example', port: 25 }))).toBe('DNS_FAILED');
  });

  it('counts as a change: it is not opened when the mark before a change is refused', async () => {
    const before = connections;
    const marked = withCallMark(sandboxed(), () => Promise.reject(new Error('lease lost')));
    await expect(marked.openSocket?.({ tenant: 't', host: '127.0.0.1', port })).rejects.toThrow('lease lost');
    expect(connections).toBe(before);
  });
});
