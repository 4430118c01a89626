import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseLine } from '../parse-record.ts';

const receivedAt = Date.parse('2026-11-21T12:00:00.000Z');
const parse = (text: string) => parseLine(`Nov 21 11:59:58 web-1 sshd[2738]: ${text}`, { receivedAt });
const samples = resolve(process.env.AIRDECK_SHARED_DATA ?? '../shared/data', 'events/linux/sshd_bruteforce.log');

function receivedLines(): string[] {
  try {
    return readFileSync(samples, 'utf8').split('\n');
  } catch {
    return [];
  }
}

const lines = receivedLines();

describe('lines of sshd that are no sign-in', () => {
  it.each([
    ['Received disconnect from 203.0.113.9: 11: disconnected by user', '203.0.113.9'],
    ['Received disconnect from 2001:db8::1: 11: disconnected by user', '2001:db8::1'],
    ['Received disconnect from 203.0.113.9 port 22:11: disconnected by user', '203.0.113.9'],
    ['Connection from 203.0.113.9 port 4711 on 192.0.2.10 port 22', '203.0.113.9'],
    ['Disconnected from user ana 203.0.113.9 port 4711', '203.0.113.9'],
    ['Disconnected from invalid user ana 2001:db8::1 port 4711 [preauth]', '2001:db8::1'],
    ['Disconnected from authenticating user 192.0.2.66 203.0.113.9 port 4711', '203.0.113.9'],
    ['Disconnected from invalid user  203.0.113.9 port 4711 [preauth]', '203.0.113.9'],
    ['Did not receive identification string from 203.0.113.9', '203.0.113.9'],
    ['Did not receive identification string from UNKNOWN port 65535', ''],
    ['User root from 203.0.113.9 not allowed because not listed in AllowUsers', '203.0.113.9'],
    ['refused connect from crawler.example (203.0.113.9)', '203.0.113.9'],
    ['message from ana, who came from 203.0.113.9.', '203.0.113.9'],
    ['error: Received disconnect from 203.0.113.9 port 4711:3: a from b: [preauth]', '203.0.113.9'],
    ['a day from 12:30:45 on', ''],
  ])('%s', (text, address) => {
    expect(parse(text)).toMatchObject({ event_type: 'log', src_ip: address });
  });

  it.skipIf(lines.length === 0)('name the address that the line names', () => {
    const disconnects = lines.filter((line) => line.includes('Received disconnect from'));
    expect(disconnects.length).toBeGreaterThan(0);
    for (const line of disconnects) {
      const address = /from ([\d.]+):/.exec(line)?.[1];
      expect(parseLine(line, { receivedAt }).src_ip, line).toBe(address);
    }
  });
});

describe('sign-ins over several lines', () => {
  it.each(['\n', '\r\n', '\u2028'])('end with the first: %j', (end) => {
    const event = parse(
      `Failed password for root from 203.0.113.9 port 22 ssh2${end}second line from 192.0.2.1 port 1`,
    );
    expect(event).toMatchObject({ action: 'login', outcome: 'failure', user: 'root', src_ip: '203.0.113.9' });
  });

  it.each(['\n', '\r', '\u2028'])(
    'are read in linear time: %j',
    (end) => {
      parse(`Failed password for ${' from x port 1:'.repeat(16_000)}${end}x`);
      parse(`Received disconnect ${'from '.repeat(50_000)}${end}x`);
    },
    5_000,
  );
});
