import { BlockList, isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIpAddress, parseIpRange } from './ip-range.ts';

function isIn(address: string, range: string): boolean | undefined {
  const parsed = parseIpAddress(address);
  return parsed === undefined ? undefined : parseIpRange(range)?.(parsed);
}

describe('addresses', () => {
  test.each(['', '1.2.3', '1.2.3.4.5', '256.1.1.1', '010.0.0.1', '1.2.3.4 ', '1.2.3.-4', '0x7f.0.0.1'])(
    'not an IPv4 address: %j',
    (text) => expect(parseIpAddress(text)).toBeUndefined(),
  );
  test.each([':', ':::', '1::2::3', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '12345::', 'g::', '::1.2.3', '1.2.3.4::'])(
    'not an IPv6 address: %j',
    (text) => expect(parseIpAddress(text)).toBeUndefined(),
  );

  test('says yes and no exactly where Node does', () => {
    const text = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.string({ unit: fc.constantFrom(...'0123456789abcdf:.'), maxLength: 24 }),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        expect(parseIpAddress(candidate) !== undefined).toBe(isIPv4(candidate) || isIPv6(candidate));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('ranges', () => {
  test.each([
    ['192.0.2.7', '192.0.2.0/24', true],
    ['192.0.3.7', '192.0.2.0/24', false],
    ['192.0.2.7', '192.0.2.99/24', true],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.8', '192.0.2.7', false],
    ['255.255.255.255', '0.0.0.0/0', true],
    ['2001:db8::7', '2001:db8::/32', true],
    ['2001:db9::7', '2001:db8::/32', false],
    ['fe80::1%eth0', 'fe80::/10', true],
    ['::ffff:192.0.2.7', '192.0.2.0/24', true],
    ['192.0.2.7', '::ffff:192.0.2.0/120', true],
    ['192.0.2.7', '::/0', false],
    ['2001:db8::7', '0.0.0.0/0', false],
  ])('%s in %s: %s', (address, range, expected) => {
    expect(isIn(address, range)).toBe(expected);
  });

  test.each(['192.0.2.0/33', '192.0.2.0/', '192.0.2.0/-1', '192.0.2.0/24/8', '2001:db8::/129', 'example.com', '/24'])(
    'not a range: %s',
    (text) => expect(parseIpRange(text)).toBeUndefined(),
  );

  test('agree with Node on any address and prefix', () => {
    const v4 = fc.tuple(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.constant('ipv4' as const));
    const v6 = fc.tuple(fc.ipV6(), fc.ipV6(), fc.integer({ min: 0, max: 128 }), fc.constant('ipv6' as const));
    fc.assert(
      fc.property(fc.oneof(v4, v6), fc.boolean(), ([address, other, prefix, family], near) => {
        const base = near ? address : other;
        // The mapped block is IPv4 to us and IPv6 to Node; the table above says what we want of it.
        fc.pre(family === 'ipv4' || (parseIpAddress(address)?.family === 6 && parseIpAddress(base)?.family === 6));
        const list = new BlockList();
        list.addSubnet(base, prefix, family);
        expect(isIn(address, `${base}/${prefix}`)).toBe(list.check(address, family));
      }),
      { numRuns: 1000 },
    );
  });
});
