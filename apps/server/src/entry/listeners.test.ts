import { describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { listenersOf } from './listeners.ts';

const SOURCE = '0195f3a0-0000-7000-8000-00000000000b';
const shared = {
  DATABASE_URL: 'postgresql://air@192.0.2.1/air',
  EVENTS_URL: 'https://192.0.2.2/air',
  FILES_URL: 's3://key:secret@files.example.com/airdeck',
  IDENTITY_SECRET: 's'.repeat(48),
  CONNECTOR_KEYS_FILE: '/keys.json',
};

function variables(env: Record<string, string>): string[] {
  const config = readConfig({ HOST: '192.0.2.9', ...env }, '0.0.0', () => true);
  return listenersOf(config).map(({ variable, port, host, protocol }) => `${variable} ${host}:${port}/${protocol}`);
}

describe('the ports a process listens on', () => {
  it('are those of the demo too where everything is in one process', () => {
    expect(variables({})).toEqual([
      'SANDBOX_PORT 192.0.2.9:4010/tcp',
      'SYSLOG_TCP_PORT 192.0.2.9:5514/tcp',
      'SYSLOG_UDP_PORT 192.0.2.9:5514/udp',
      'PORT 192.0.2.9:4000/tcp',
    ]);
    expect(variables({ MOCK_DATA: 'false' }).join()).not.toContain('SANDBOX_PORT');
  });

  it.each(['api', 'worker'])('are none for syslog in a process that takes no events in: %s', (ROLE) => {
    expect(variables({ ...shared, ROLE, SYSLOG_TLS_PORT: '6514', SYSLOG_PORTS: `5601=${SOURCE}` })).toEqual([
      'PORT 192.0.2.9:4000/tcp',
    ]);
  });

  it('are every door that was asked for: metrics, encrypted syslog, and those of single sources', () => {
    const env = { METRICS_PORT: '9100', SYSLOG_TLS_PORT: '6514', SYSLOG_PORTS: `5601=${SOURCE}` };
    expect(variables({ ...shared, ROLE: 'ingest', SYSLOG_HOST: '0.0.0.0', ...env })).toEqual([
      'SYSLOG_TCP_PORT 0.0.0.0:5514/tcp',
      'SYSLOG_UDP_PORT 0.0.0.0:5514/udp',
      'SYSLOG_TLS_PORT 0.0.0.0:6514/tcp',
      'SYSLOG_PORTS 0.0.0.0:5601/tcp',
      'SYSLOG_PORTS 0.0.0.0:5601/udp',
      'PORT 192.0.2.9:4000/tcp',
      // Whoever reaches it reads it, so it is never as open as the server.
      'METRICS_PORT 127.0.0.1:9100/tcp',
    ]);
    expect(variables({ ...shared, ROLE: 'worker', METRICS_PORT: '9100', METRICS_HOST: '0.0.0.0' })).toContain(
      'METRICS_PORT 0.0.0.0:9100/tcp',
    );
  });
});
