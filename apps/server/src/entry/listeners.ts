import type { Config } from '../config/config.ts';

export type Listener = { variable: string; port: number; host: string; protocol: 'tcp' | 'udp' };

/** Only a process that takes events in listens for them. */
export function takesSyslog({ role }: Pick<Config, 'role'>): boolean {
  return role === 'all' || role === 'ingest';
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
