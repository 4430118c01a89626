import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import type { SyslogDependencies, SyslogListenOptions } from './syslog-tcp.ts';

/** Room in the kernel for a burst; it may grant less. */
const RECEIVE_BUFFER_BYTES = 4 * 1_048_576;

export type SyslogUdp = {
  port: number;
  /** Datagrams the kernel threw away before we saw them; undefined where it does not tell. */
  kernelDrops(): Promise<number | undefined>;
  close(): Promise<void>;
};

/** Listens for syslog over UDP. Nobody can be held back here: what does not fit is dropped and counted. */
export function listenSyslogUdp(options: SyslogListenOptions, deps: SyslogDependencies): Promise<SyslogUdp> {
  const { add, budget, counters } = deps;
  const type = isIPv6(options.host) ? 'udp6' : 'udp4';
  let drops: number | undefined;
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
      resolve({
        port,
        kernelDrops: async () => {
          // A closed socket is in no list any more.
          drops = (await kernelDrops(type, port)) ?? drops;
          return drops;
        },
        close: () => new Promise((closed) => socket.close(() => closed())),
      });
    });
  });
}

/** Linux lists every UDP socket with its drops in the last column. */
async function kernelDrops(type: 'udp4' | 'udp6', port: number): Promise<number | undefined> {
  const table = await readFile(type === 'udp6' ? '/proc/net/udp6' : '/proc/net/udp', 'utf8').catch(() => undefined);
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const row = table?.split('\n').find((line) => line.trim().split(/\s+/)[1]?.endsWith(local));
  const drops = Number(row?.trim().split(/\s+/).at(-1));
  return row === undefined || Number.isNaN(drops) ? undefined : drops;
}
