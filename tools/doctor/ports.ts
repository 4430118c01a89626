import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Listener } from '../../apps/server/src/entry/listeners.ts';
import { type Finding, found } from './finding.ts';

/** Every port the server would listen on, tried for real. Port 0 takes any free one and needs no check. */
export async function checkPorts(listeners: readonly Listener[]): Promise<Finding[]> {
  const fixed = listeners.filter(({ port }) => port !== 0);
  return await Promise.all(
    fixed.map(async (listener, at) => {
      const before = fixed.slice(0, at).find((each) => isSamePlace(each, listener));
      return before === undefined ? await checkPort(listener) : takenTwice(listener, before);
    }),
  );
}

function isSamePlace(a: Listener, b: Listener): boolean {
  const isEverywhere = ({ host }: Listener) => host === '0.0.0.0' || host === '::';
  const isSameHost = a.host === b.host || isEverywhere(a) || isEverywhere(b);
  return a.port === b.port && a.protocol === b.protocol && isSameHost;
}

const placeOf = ({ host, port, protocol }: Listener) => `${host} port ${port} (${protocol})`;

/** Not tried: the two would be in each other's way, as at the start, and the other would seem to be somebody else. */
function takenTwice(listener: Listener, { variable: other }: Listener): Finding {
  const { variable } = listener;
  return found(variable, `${placeOf(listener)} is that of ${other} as well. Set ${variable} to another one.`, '');
}

async function checkPort(listener: Listener): Promise<Finding> {
  const { variable, port, host, protocol } = listener;
  const place = placeOf(listener);
  try {
    await (protocol === 'tcp' ? tryTcp(port, host) : tryUdp(port, host));
    return found(variable, undefined, `${place} is free`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return found(
      variable,
      `${place} ${refusals[code] ?? `cannot be used (${code})`}. Set ${variable} to another one.`,
      '',
    );
  }
}

const refusals: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is used by another program',
  EACCES: 'may not be opened by this account',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
};

async function tryTcp(port: number, host: string): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

async function tryUdp(port: number, host: string): Promise<void> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  try {
    socket.bind(port, host);
    await once(socket, 'listening');
  } finally {
    socket.close();
  }
}
