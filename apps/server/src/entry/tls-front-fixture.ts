/** TLS in front of a store of the tests, which speaks plainly: for what an operator's store behind TLS is called like. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';

export type TlsFront = { port: number; close(): Promise<void> };

type Options = {
  /** The store behind it. */
  to: URL;
  identity: { key: Buffer; cert: Buffer };
  /** PostgreSQL agrees on TLS in plain words first; `refused` says it offers none. */
  opening: 'tls' | 'postgres' | 'refused';
  host?: string;
};

export async function openTlsFront({ to, identity, opening, host = '127.0.0.1' }: Options): Promise<TlsFront> {
  const secureContext = createSecureContext(identity);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const secure = () => relay(new TLSSocket(socket, { isServer: true, secureContext }));
    if (opening === 'tls') secure();
    else
      socket.once('data', () => {
        if (opening === 'refused') socket.end('N');
        else {
          socket.write('S');
          secure();
        }
      });
  });
  const relay = (secured: TLSSocket) => {
    const behind = connect(Number(to.port), to.hostname);
    sockets.add(behind);
    // Either end may go first; nobody reads the error of the other.
    pipeline(secured, behind, secured, () => undefined);
  };
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
