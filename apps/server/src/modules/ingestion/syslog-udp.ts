import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import type { SyslogDependencies, SyslogListenOptions } from './syslog-tcp.ts';

/** Room in the kernel for a burst; it may grant less. */
const RECEIVE_BUFFER_BYTES = 4 * 1_048_576;

export type SyslogUdp = {
  port: number;
  /** Datagrams the kernel threw away before we saw them; 0 where it does not tell. */
  kernelDrops(): Promise<number>;
  close(): Promise<void>;
};

type SocketType = 'udp4' | 'udp6';

/** What Linux says of all UDP sockets of one kind, a line each; undefined where nothing says it. */
export type UdpSocketTable = (type: SocketType) => Promise<string | undefined>;

export const readUdpSockets: UdpSocketTable = (type) =>
  readFile(type === 'udp6' ? '/proc/net/udp6' : '/proc/net/udp', 'utf8').catch(() => undefined);

/** Listens for syslog over UDP. Nobody can be held back here: what does not fit is dropped and counted. */
export function listenSyslogUdp(
  options: SyslogListenOptions,
  deps: SyslogDependencies & { udpSockets: UdpSocketTable },
): Promise<SyslogUdp> {
  const { add, budget, counters } = deps;
  const type: SocketType = isIPv6(options.host) ? 'udp6' : 'udp4';
  let drops = 0;
  const socket = createSocket({ type, recvBufferSize: RECEIVE_BUFFER_BYTES });
  socket.on('message', (datagram, { address }) => {
    if (datagram.length === 0) counters.malformed++;
    else if (budget.take(datagram.length)) add(datagram, address);
    else counters.dropped++;
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(options.port, options.host, () => {
      socket.off('error', reject);
      socket.on('error', () => counters.dropped++);
      const { port } = socket.address();
      const kernelDrops = async () => {
        drops = dropsAt(port, await deps.udpSockets(type)) ?? drops;
        return drops;
      };
      resolve({
        port,
        kernelDrops,
        async close() {
          // A closed socket is in no list any more.
          await kernelDrops();
          await new Promise<void>((closed) => socket.close(() => closed()));
        },
      });
    });
  });
}

/** The last column of a socket's line is how many datagrams it lost. */
function dropsAt(port: number, table: string | undefined): number | undefined {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const row = table?.split('\n').find((line) => line.trim().split(/\s+/)[1]?.endsWith(local));
  const drops = Number(row?.trim().split(/\s+/).at(-1));
  return row === undefined || Number.isNaN(drops) ? undefined : drops;
}
