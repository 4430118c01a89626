import { describe, expect, test } from 'vitest';
import { type IpFamily, ipProblem, ipTyping } from './ip-address.ts';

const whole: Record<IpFamily, string[]> = {
  ipv4: ['0.0.0.0', '192.0.2.10', '255.255.255.255', '192.0.2.10:1', '192.0.2.10:514', '192.0.2.10:65535'],
  ipv6: [
    '::',
    '::1',
    '2001:db8::10',
    '2001:DB8:0:0:0:0:0:1',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '1::3:4:5:6:7:8',
    '[::]',
    '[2001:db8::10]',
    '[2001:db8::10]:514',
    '[1:2:3:4:5:6:7:8]:65535',
  ],
};

/** Begun well, but not an address yet. */
const begun: Record<IpFamily, string[]> = {
  ipv4: ['', '1', '192.', '192.0', '192.0.2.', '192.0.2.10:'],
  ipv6: [
    '',
    ':',
    '2',
    '2001:',
    '2001:db8',
    '1:2:3:4:5:6:7:',
    '1:2:3:4:5:6:7',
    '2001:db8::a:',
    '[',
    '[:',
    '[::1',
    '[::]:',
  ],
};

const never: Record<IpFamily, string[]> = {
  ipv4: [
    '256',
    '192.0.2.256',
    '01',
    '192.00',
    '1..2',
    '.',
    '1.2.3.4.5',
    '1.2.3.4:0',
    '1.2.3.4:65536',
    '1.2.3.4:99999',
    '1.2.3.4:655350',
    '1.2.3:80',
    '1.2.3.4 ',
    'a',
    '::1',
    '-1',
    '1.2.3.4/24',
    '٣',
  ],
  ipv6: [
    'g',
    '12345',
    ':1',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7:8:',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '1:2:3:4:5:6:7::8',
    '::1:2:3:4:5:6:7:8',
    '::1]',
    '[]',
    '[1:2]',
    '[::1]514',
    '[::1]:0',
    '[::1]:65536',
    '[[::1',
    '::1%eth0',
    '192.0.2.1',
    'fe80::1/64',
  ],
};

describe.each(['ipv4', 'ipv6'] as const)('%s', (family) => {
  test.each(whole[family])('%s is an address, and so is everything on the way to it a beginning', (text) => {
    expect(ipProblem(text, family)).toBeUndefined();
    for (let length = 0; length <= text.length; length += 1) {
      expect(text.slice(0, length)).toMatch(ipTyping[family]);
    }
  });

  test.each(begun[family])('"%s" may be typed, but is not taken for an address', (text) => {
    expect(text).toMatch(ipTyping[family]);
    expect(ipProblem(text, family)).toContain('Enter a whole');
  });

  test.each(never[family])('"%s" cannot be typed nor taken', (text) => {
    expect(text).not.toMatch(ipTyping[family]);
    expect(ipProblem(text, family)).toBeDefined();
  });
});

test('what somebody can paste does not make the expressions slow', () => {
  for (const text of [':'.repeat(5000), '1:'.repeat(5000), '1.'.repeat(5000), `[${'a:'.repeat(5000)}`]) {
    expect(ipTyping.ipv4.test(text)).toBe(false);
    expect(ipTyping.ipv6.test(text)).toBe(false);
  }
});
