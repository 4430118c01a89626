import { expect, test } from 'vitest';
import { hostOf, readAddress } from './check-address.ts';
import { firewallLines } from './firewall-lines.ts';
import { adviceFor, certificateText } from './reachability-advice.ts';
import { changedSetUp, firstTitle, newSetUp, setUpData, stepOf } from './set-up-steps.ts';

const begun = {
  id: 'i',
  tenant: 't',
  kind: 'connector' as const,
  title: 'HQ',
  step: 'reachability',
  steps: ['allow-list', 'reachability', 'source'],
  data: { source_id: 's' } as Record<string, unknown>,
  created_by: 'Ana',
  updated_at: '2026-01-01T00:00:00.000Z',
};

test.each([
  ['url', ' https://fw.example.com:8443 ', 'https://fw.example.com:8443'],
  ['ipv4', '192.0.2.10', 'https://192.0.2.10'],
  ['ipv4', '192.0.2.10:8443', 'https://192.0.2.10:8443'],
  ['ipv6', '2001:db8::1', 'https://[2001:db8::1]'],
  ['ipv6', '[2001:db8::1]:8443', 'https://[2001:db8::1]:8443'],
] as const)('%s %s is called as %s', (kind, typed, url) => {
  expect(readAddress(kind, typed)).toEqual({ url });
});

test.each([
  ['url', 'fw.example.com'],
  ['url', 'javascript:alert(1)'],
  ['url', ''],
  ['ipv4', '192.0.2'],
  ['ipv6', '2001:'],
] as const)('%s %s is no address to call', (kind, typed) => {
  expect(readAddress(kind, typed).problem).toContain('Enter a whole');
});

test('of a checked address only host and port are kept', () => {
  expect(hostOf('https://fw.example.com:8443/path?token=x')).toBe('fw.example.com:8443');
});

test('a step kept once is not lost by looking back, and what others kept stays', () => {
  expect(changedSetUp(begun, { step: 'source' }).step).toBe('source');
  expect(changedSetUp({ ...begun, step: 'source' }, { step: 'reachability' }).step).toBe('source');
  expect(changedSetUp(begun, { data: { checked: { host: 'h', reachable: true, at: begun.updated_at } } }).data).toEqual(
    {
      source_id: 's',
      checked: { host: 'h', reachable: true, at: begun.updated_at },
    },
  );
  expect(stepOf({ step: 'of-another-release' })).toBe('allow-list');
});

test('kept data of another form is left aside instead of breaking the screen', () => {
  expect(setUpData({ data: { checked: { host: 1 }, source_id: {} } })).toEqual({});
  expect(setUpData({ data: { checked: { host: 'h', reachable: true, at: 'soon' } } })).toEqual({});
});

test('a second set-up gets a name of its own', () => {
  expect(newSetUp([]).title).toBe(firstTitle());
  expect(newSetUp([firstTitle(), `${firstTitle()} (2)`]).title).toBe(`${firstTitle()} (3)`);
});

test('addresses of each family get their firewall line', () => {
  expect(firewallLines(['192.0.2.1', '2001:db8::1', '192.0.2.2']).map(({ line }) => line)).toEqual([
    'nft add rule inet filter input ip saddr { 192.0.2.1, 192.0.2.2 } tcp dport 443 accept',
    'nft add rule inet filter input ip6 saddr { 2001:db8::1 } tcp dport 443 accept',
  ]);
  expect(firewallLines([])).toEqual([]);
});

const answer = { reachable: true, status: 200, latency_ms: 20, tls: { valid: true, expires_at: null }, message: '' };

test('advice fits what was seen: closed way, certificate, sign-in, failure, nothing', () => {
  expect(adviceFor({ ...answer, reachable: false, status: null, tls: null }, ['192.0.2.1'])[0]).toContain('192.0.2.1');
  expect(adviceFor({ ...answer, reachable: false, tls: { valid: false, expires_at: null } }, [])[0]).toContain(
    'certificate',
  );
  expect(adviceFor({ ...answer, status: 401 }, [])[0]).toContain('asks who calls');
  expect(adviceFor({ ...answer, status: 503 }, [])[0]).toContain('failure');
  expect(adviceFor(answer, [])).toEqual([]);
  expect(certificateText({ valid: true, expires_at: null }, 'Jan 1, 2027')).toBe('Trusted, expires Jan 1, 2027');
});
