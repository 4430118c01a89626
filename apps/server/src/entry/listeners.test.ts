import { describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { listenersOf, syslogAddressOf } from './listeners.ts';

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

describe('where senders of syslog are told to send', () => {
  function address(env: Record<string, string>, opened?: number): string | undefined {
    return syslogAddressOf(
      readConfig(env, '0.0.0', () => true),
      opened,
    );
  }
  const api = { ...shared, ROLE: 'api', PUBLIC_URL: 'https://air.example.com/' };

  it('is the door the process opened itself, under the host people know it by', () => {
    expect(address({ SYSLOG_TCP_PORT: '0' }, 40_123)).toBe('syslog+tcp://127.0.0.1:40123');
    expect(address({ SYSLOG_HOST: '2001:db8::1' }, 5514)).toBe('syslog+tcp://[2001:db8::1]:5514');
    expect(address({ PUBLIC_URL: 'https://air.example.com' }, 5514)).toBe('syslog+tcp://air.example.com:5514');
    expect(address({})).toBeUndefined();
  });

  it('is that of the processes that take events in, where the one people are served by opens none', () => {
    expect(address(api)).toBe('syslog+tcp://air.example.com:5514');
    expect(address({ ...api, SYSLOG_TCP_PORT: '601', SYSLOG_HOST: '0.0.0.0' })).toBe(
      'syslog+tcp://air.example.com:601',
    );
    expect(address({ ...api, SYSLOG_TCP_PORT: '0' })).toBeUndefined();
  });

  it('names the balancer in front of them, where it has a name of its own', () => {
    expect(address({ ...api, SYSLOG_PUBLIC_HOST: 'logs.example.com' })).toBe('syslog+tcp://logs.example.com:5514');
    expect(address({ ...api, SYSLOG_PUBLIC_HOST: '2001:db8::7' })).toBe('syslog+tcp://[2001:db8::7]:5514');
    expect(address({ SYSLOG_PUBLIC_HOST: 'logs.example.com' }, 5514)).toBe('syslog+tcp://logs.example.com:5514');
    for (const SYSLOG_PUBLIC_HOST of ['logs.example.com:514', 'https://logs.example.com', 'a b', 'a..b', '.', 'a/b'])
      expect(() => address({ ...api, SYSLOG_PUBLIC_HOST })).toThrow('SYSLOG_PUBLIC_HOST');
  });
});
