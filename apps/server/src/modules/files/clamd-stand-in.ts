/**
 * The part of ClamAV's daemon (clamd(8), Commands) that is asked, without its signatures: what holds the mark is malware. For
 * tests; `malware-scanner.test.ts` holds the same against the real one where it is installed.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export const MALWARE_MARK = 'AIRDECK-MALWARE-MARK';
export const MALWARE_NAME = 'Airdeck.Mark.UNOFFICIAL';

const COMMANDS = { ping: 'zPING\0', scan: 'zINSTREAM\0' };

type ClamdStandIn = {
  url: string;
  /** Whole streams it has seen, the newest last. */
  seen: readonly Buffer[];
  /** Connections that are open. */
  open(): number;
  close(): Promise<void>;
};

export async function startClamdStandIn({ maxBytes = 25_000_000 } = {}): Promise<ClamdStandIn> {
  const seen: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
    let rest = Buffer.alloc(0);
    let content: Buffer[] | undefined;
    socket.on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      if (content === undefined) {
        const command = rest.toString('latin1');
        if (command.startsWith(COMMANDS.ping)) socket.end('PONG\0');
        if (!command.startsWith(COMMANDS.scan)) return;
        content = [];
        rest = rest.subarray(COMMANDS.scan.length);
      }
      while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE()) {
        const length = rest.readUInt32BE();
        content.push(rest.subarray(4, 4 + length));
        rest = rest.subarray(4 + length);
        const stream = Buffer.concat(content);
        if (stream.length > maxBytes) return void socket.end('INSTREAM size limit exceeded. ERROR\0');
        if (length > 0) continue;
        seen.push(stream);
        return void socket.end(stream.includes(MALWARE_MARK) ? `stream: ${MALWARE_NAME} FOUND\0` : 'stream: OK\0');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
