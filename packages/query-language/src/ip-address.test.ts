import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { formatAddress, parseAddress, parseNetwork } from './ip-address.ts';

it.each([
  '',
  '1.2.3',
  '256.1.1.1',
  '010.0.0.1',
  '1.2.3.4 ',
  '1.2.3.4:80',
  '1::2::3',
  ':::',
  '12345::',
  '1:2:3:4:5:6:7',
  'fe80::1%eth0',
  'x',
])('%j is no address, so it can never be inside a network', (text) => {
  expect(parseAddress(text)).toBeUndefined();
});

it.each(['10.0.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '::/129', '10.0.0.0/8/8', '10.0.0.0/-1', '/8'])(
  '%j is no network',
  (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  },
);

test('an address is inside a network exactly when the runtime says so, and survives being written', () => {
  const v4 = fc.ipV4();
  const v6 = fc.ipV6().filter((text) => isIP(text) === 6 && !text.toLowerCase().includes('::ffff:'));
  const pair = fc.oneof(
    fc.tuple(v4, v4, fc.integer({ min: 0, max: 32 })),
    fc.tuple(v6, v6, fc.integer({ min: 8, max: 128 })),
  );
  fc.assert(
    fc.property(pair, fc.boolean(), ([base, other, prefix], same) => {
      const text = same ? base : other;
      const family = isIP(base) === 4 ? 'ipv4' : 'ipv6';
      const list = new BlockList();
      list.addSubnet(base, prefix, family);
      const network = parseNetwork(`${base}/${prefix}`);
      const address = parseAddress(text);
      if (network === undefined || address === undefined) throw new Error(`${base} and ${text} are addresses.`);
      expect(address >= network.from && address <= network.to).toBe(list.check(text, family));
      expect(parseAddress(formatAddress(address))).toBe(address);
    }),
    { numRuns: 2_000 },
  );
});
