import { describe, expect, it } from 'vitest';
import { addressOf, addressWithPort, outcomeOf, snakeCase } from './column-values.ts';

describe('addresses', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:DB8::1', '2001:DB8::1'],
    ['::1', '::1'],
    ['0.0.0.0', '0.0.0.0'],
    ['010.000.045.249', '10.0.45.249'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
    ['::ffff:1:2:3', '::ffff:1:2:3'],
  ])('%s is one', (text, address) => {
    expect(addressOf(text)).toBe(address);
    expect(addressWithPort(text)).toEqual({ address, port: undefined });
  });

  it.each([
    ['192.0.2.1:53214', '192.0.2.1', 53_214],
    ['192.0.2.1:514:X1', '192.0.2.1', 514],
    ['192.0.2.1:outside', '192.0.2.1', undefined],
    ['[2001:db8::1]:53214', '2001:db8::1', 53_214],
    ['[2001:db8::1]', '2001:db8::1', undefined],
    ['[::ffff:192.0.2.1]:80', '192.0.2.1', 80],
    ['2001:0db8:0000:0000:0000:0000:0000:0001:443', '2001:0db8:0000:0000:0000:0000:0000:0001', 443],
  ])('%s is one with a port', (text, address, port) => {
    expect(addressOf(text)).toBe(address);
    expect(addressWithPort(text)).toEqual({ address, port });
  });

  it.each([
    'aa:bb:cc:dd:ee:ff',
    '00:11:22:33:44:55',
    '1.2.3',
    '1.2.3.4.5',
    '300.1.1.1',
    '12:30:45',
    '11:',
    '...',
    '::',
    '[::]:80',
    '0192.0.2.1111',
    ':::',
    '',
    '-',
    'host',
    'host:443',
    '[192.0.2.1',
    '[]',
    '2001:db8::1::2',
    '1:2:3:4:5:6:7:8:9:10',
    `${':'.repeat(200)}`,
    17,
    undefined,
  ])('%s is none', (text) => {
    expect(addressOf(text)).toBe('');
    expect(addressWithPort(text).address).toBe('');
  });
});

describe('names in snake case', () => {
  it('have a hundred characters at most, also where words are taken apart', () => {
    expect(snakeCase('User.Session Start')).toBe('user_session_start');
    expect(snakeCase('aB'.repeat(80))).toHaveLength(100);
  });
});

describe('outcomes', () => {
  it.each([
    [true, 'success'],
    ['True', 'success'],
    [false, 'failure'],
    ['FALSE', 'failure'],
    ['1', ''],
  ])('%s is %s', (said, outcome) => {
    expect(outcomeOf(said)).toBe(outcome);
  });
});
