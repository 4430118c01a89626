import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config/config-error.ts';
import { explainListenError, explainSyslogError, startMessage } from './start-error.ts';
import { eventsAddressOf } from './stores.ts';

async function listenTwice(): Promise<unknown> {
  const first = createServer();
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
  const address = first.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const second = createServer();
  try {
    return await new Promise<unknown>((resolve) => second.once('error', resolve).listen(port, '127.0.0.1'));
  } finally {
    await new Promise((resolve) => first.close(resolve));
  }
}

describe('a start that fails', () => {
  it('names the variable when the port is taken', async () => {
    const explained = explainListenError(await listenTwice(), { variable: 'PORT', port: 4000, host: '127.0.0.1' });
    expect(startMessage(explained)).toBe(
      '127.0.0.1:4000 is in use by another program: stop it, or choose another port with PORT (0 picks a free one).',
    );
  });

  it('names the variable of the syslog door whose port is taken', async () => {
    const error = await listenTwice();
    const { port } = error as { port: number };
    const at = { syslogTcp: 5514, syslogUdp: 5514, host: '127.0.0.1' };
    expect(startMessage(explainSyslogError(error, { ...at, sourcePorts: [5601, port] }))).toContain('SYSLOG_PORTS');
    expect(startMessage(explainSyslogError(error, { ...at, syslogTcp: port }))).toContain('SYSLOG_TCP_PORT');
  });

  it('names the variable of an address this machine does not have', () => {
    const error = Object.assign(new Error('listen'), { code: 'EADDRNOTAVAIL', port: 5514 });
    const at = { syslogTcp: 5514, syslogUdp: 5514, host: '192.0.2.7' };
    const apart = explainSyslogError(error, { ...at, hostVariable: 'SYSLOG_HOST' });
    expect(startMessage(apart)).toBe('This machine has no address 192.0.2.7: change SYSLOG_HOST.');
    expect(startMessage(explainSyslogError(error, at))).toContain('change HOST.');
  });

  it('is one message without a stack where a person can do something', () => {
    const message = startMessage(new ConfigError([{ variable: 'PORT', message: 'wrong' }]));
    expect(message).toBe('The configuration is not usable. Change these variables and start again:\n  PORT: wrong');
  });

  it('keeps the stack of what nobody expected', () => {
    expect(startMessage(new TypeError('x'))).toMatch(/TypeError: x\n\s+at /);
  });
});

describe('address of the event store', () => {
  it.each([
    [
      'https://air:p%40ss@ch.example.com:8443/siem',
      { url: 'https://ch.example.com:8443', user: 'air', password: 'p@ss', placement: { database: 'siem' } },
    ],
    ['http://127.0.0.1:8123', { url: 'http://127.0.0.1:8123', user: 'default', password: '' }],
  ])('%s is taken apart', (address, parts) => {
    expect(eventsAddressOf(address)).toEqual(parts);
  });
});
