import type { Config } from '../config/config.ts';

export type Listener = { variable: string; port: number; host: string; protocol: 'tcp' | 'udp' };

/** Only a process that takes events in listens for them. */
export function takesSyslog({ role }: Pick<Config, 'role'>): boolean {
  return role === 'all' || role === 'ingest';
}

/**
 * Where senders of syslog are told to send; undefined where no door is known. `opened` is the port of this process's own.
 * Who opens none shows people the doors of `ingest`, as its variables name them.
 */
export function syslogAddressOf(
  config: Pick<Config, 'role' | 'http' | 'ports' | 'syslogHost' | 'syslogPublicHost'>,
  opened: number | undefined,
): string | undefined {
  const port = takesSyslog(config) ? opened : config.ports.syslogTcp;
  // 0 takes a free port, which only the process that took it knows.
  return port === undefined || port === 0 ? undefined : `syslog+tcp://${hostSeen(config)}:${port}`;
}

type Hosts = Pick<Config, 'http' | 'syslogHost' | 'syslogPublicHost'>;

function hostSeen({ http: { publicUrl }, syslogHost, syslogPublicHost }: Hosts): string {
  if (syslogPublicHost === undefined && publicUrl !== undefined) return new URL(publicUrl).hostname;
  const host = syslogPublicHost ?? syslogHost;
  return host.includes(':') ? `[${host}]` : host;
}

/** Several processes on shared stores are an installation, not a demo. */
export function hasDemo({ mockData, role }: Pick<Config, 'mockData' | 'role'>): boolean {
  return mockData && role === 'all';
}

/** Every port a process of this configuration listens on, in the order it takes them. `airdeck doctor` tries them. */
export function listenersOf(
  config: Pick<
    Config,
    'role' | 'http' | 'ports' | 'mockData' | 'syslogHost' | 'metricsHost' | 'syslogTls' | 'syslogPorts'
  >,
): Listener[] {
  const { http, ports, syslogHost, metricsHost, syslogTls, syslogPorts } = config;
  const syslogDoors: Omit<Listener, 'host'>[] = [
    { variable: 'SYSLOG_TCP_PORT', port: ports.syslogTcp, protocol: 'tcp' },
    { variable: 'SYSLOG_UDP_PORT', port: ports.syslogUdp, protocol: 'udp' },
    ...(syslogTls ? [{ variable: 'SYSLOG_TLS_PORT', port: syslogTls.port, protocol: 'tcp' } as const] : []),
    ...[...syslogPorts.keys()].flatMap((port) =>
      (['tcp', 'udp'] as const).map((protocol) => ({ variable: 'SYSLOG_PORTS', port, protocol })),
    ),
  ];
  const tcp = (variable: string, port: number): Listener => ({ variable, port, host: http.host, protocol: 'tcp' });
  return [
    ...(hasDemo(config) ? [tcp('SANDBOX_PORT', ports.sandbox)] : []),
    ...(takesSyslog(config) ? syslogDoors.map((door) => ({ ...door, host: syslogHost })) : []),
    tcp('PORT', http.port),
    ...(ports.metrics === undefined ? [] : [{ ...tcp('METRICS_PORT', ports.metrics), host: metricsHost }]),
  ];
}
