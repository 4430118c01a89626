/** Answers that are made to break whoever reads them. What else a server may do is in the tests of the egress module. */
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { createEgress } from '@airdeck/connector-kit/egress';
import type { VendorServer } from '@airdeck/connector-kit/vendor-server-fixture';
import { startVendorServer } from '@airdeck/connector-kit/vendor-server-fixture';
import type { JsonObject } from '@airdeck/contracts/fields';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpRequest } from './http-request/http-request.ts';
import { failureOf } from './sandbox-fixture.ts';

const SECRET = 'planted-secret-of-the-answers';

describe('an answer', () => {
  let server: VendorServer;
  let text = '';
  beforeAll(async () => {
    server = await startVendorServer(() => ({ headers: { 'content-type': 'application/json' }, text }));
  });
  afterAll(() => server.close());

  const config = (): JsonObject => ({ base_url: server.url, auth: 'bearer', secret: SECRET });
  const get = async (): Promise<JsonObject> => {
    const action = httpRequest.actions.find(({ action_id }) => action_id === 'http_request.get');
    if (action === undefined) throw new Error('http_request.get is gone.');
    return await action.run(server.context({ config: config(), input: { path: '/x' } }));
  };

  it('with keys of the prototype is plain data and changes nothing else', async () => {
    text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"then":"x","toString":1}';
    const { body } = await get();
    expect(Object.keys(body as JsonObject)).toEqual(['__proto__', 'constructor', 'then', 'toString']);
    expect(({} as JsonObject).polluted).toBeUndefined();
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it('that looks like a template stays text', async () => {
    text = JSON.stringify({ note: '{{ config.secret }} {{ 1 + 1 }} %7B%7B x %7D%7D' });
    expect((await get()).body).toEqual({ note: '{{ config.secret }} {{ 1 + 1 }} %7B%7B x %7D%7D' });
  });

  it.each([
    ['a million items', `[${'{},'.repeat(1_000_000)}{}]`],
    ['one very long text', JSON.stringify('x'.repeat(2_000_000))],
  ])('with %s is refused by its size, and no secret is in the words', async (_what, long) => {
    text = long;
    const failure = await failureOf(get());
    expect(failure?.code).toBe('VENDOR_REJECTED');
    expect(JSON.stringify(failure)).not.toContain(SECRET);
  });
});

describe('a server that never ends its header', () => {
  let server: Server;
  const sockets = new Set<Socket>();
  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(`x-filler: ${'y'.repeat(1000)}\r\n`));
      };
      socket.on('drain', more);
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is hung up on', async () => {
    const { port } = server.address() as AddressInfo;
    const egress = createEgress({ allowLoopback: [{ host: '127.0.0.1', port }], totalTimeoutMs: 20_000 });
    const work = egress.request({ tenant: 't', method: 'GET', url: `http://127.0.0.1:${port}/` });
    await expect(work).rejects.toMatchObject({ code: 'CONNECT_FAILED' });
    await egress.close();
  });
});
