import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Finding, found } from './finding.ts';

type Listener = { variable: string; port: number; host: string; protocol: 'tcp' | 'udp' };

/** Every port the server would listen on, tried for real. Port 0 takes any free one and needs no check. */
export async function checkPorts(
  http: { host: string; port: number },
  ports: { syslogTcp: number; syslogUdp: number; sandbox: number },
): Promise<Finding[]> {
  const { host } = http;
  const listeners: Listener[] = [
    { variable: 'PORT', port: http.port, host, protocol: 'tcp' },
    { variable: 'SYSLOG_TCP_PORT', port: ports.syslogTcp, host, protocol: 'tcp' },
    { variable: 'SYSLOG_UDP_PORT', port: ports.syslogUdp, host, protocol: 'udp' },
    { variable: 'SANDBOX_PORT', port: ports.sandbox, host: '127.0.0.1', protocol: 'tcp' },
  ];
  return await Promise.all(listeners.filter(({ port }) => port !== 0).map(checkPort));
}

async function checkPort({ variable, port, host, protocol }: Listener): Promise<Finding> {
  const place = `${host} port ${port} (${protocol})`;
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
