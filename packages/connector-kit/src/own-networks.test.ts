import { describe, expect, it } from 'vitest';
import { classifyAddress } from './address-class.ts';
import { isOwnAddress, isWithin, ownNetworkOf } from './own-networks.ts';

describe('networks of a tenant', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3/32'],
    ['10.1.2.3/24', '10.1.2.0/24'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['172.31.0.0/16', '172.31.0.0/16'],
    ['192.168.1.1/32', '192.168.1.1/32'],
    ['FD12:3456:789A::1', 'fd12:3456:789a::1/128'],
    ['fd12:3456:789a::/48', 'fd12:3456:789a::/48'],
  ])('are private space in one written form: %s', (text, expected) => {
    expect(ownNetworkOf(text)).toBe(expected);
  });

  it.each([
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/7',
    '172.16.0.0/11',
    '192.168.0.0/15',
    '127.0.0.1',
    '127.0.0.0/8',
    '169.254.169.254',
    '169.254.0.0/16',
    '168.63.129.16',
    '100.64.0.0/10',
    '100.100.100.200',
    '198.18.0.1',
    '8.8.8.8',
    '224.0.0.1',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    '::ffff:10.0.0.1',
    '::ffff:10.0.0.0/104',
    '64:ff9b::a00:1',
    '2001:db8::/32',
    '010.0.0.1',
    '10.1',
    '167772161',
    '0xa000001',
    '10.0.0.1/33',
    '10.0.0.1/-1',
    '10.0.0.1/08',
    '10.0.0.1/',
    '10.0.0.1 ',
    '10.0.0.1,10.0.0.2',
    'appliance.example',
    '',
  ])('are nothing else: %j', (text) => {
    expect(ownNetworkOf(text)).toBeUndefined();
  });

  it('open the addresses in them and no other', () => {
    const networks = ['10.1.2.0/24', 'fd12:3456::/32'];
    expect(['10.1.2.0', '10.1.2.255', 'fd12:3456::9'].map((one) => isOwnAddress(one, networks))).toEqual([
      true,
      true,
      true,
    ]);
    for (const other of ['10.1.3.0', '10.1.1.255', 'fd12:3457::1', '::ffff:10.1.2.3', '8.8.8.8', '010.1.2.3', 'x']) {
      expect(isOwnAddress(other, networks), other).toBe(false);
    }
  });

  it('never open what is not private, even when a stored list says so', () => {
    const everything = ['0.0.0.0/0', '::/0', '127.0.0.0/8', '169.254.0.0/16', 'fd00::/8'];
    for (const address of ['127.0.0.1', '169.254.169.254', '100.100.100.200', '10.0.0.1', '::1', 'fe80::1']) {
      expect(isOwnAddress(address, everything), address).toBe(false);
    }
  });

  it.each(['fd00:ec2::254', 'fd00:ec2::253', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe'])(
    'do not hold %s, the metadata service of a cloud in private IPv6 space',
    (address) => {
      expect(classifyAddress(address)).toBe('link_local');
      expect(isOwnAddress(address, ['fc00::/7'])).toBe(false);
    },
  );

  it('compare whole networks', () => {
    expect(isWithin('10.1.2.0/24', ['10.0.0.0/8'])).toBe(true);
    expect(isWithin('10.0.0.0/8', ['10.1.2.0/24'])).toBe(false);
    expect(isWithin('10.1.2.0/24', ['fd00::/8', '192.168.0.0/16'])).toBe(false);
    expect(isWithin('10.1.2.0/24', [])).toBe(false);
  });
});
