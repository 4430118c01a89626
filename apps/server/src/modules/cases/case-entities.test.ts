import { expect, test } from 'vitest';
import { entitiesOf } from './case-entities.ts';

const nothing = { user: '', host: '', src_ip: '', dst_ip: '', fields: {} };
const told = (found: ReturnType<typeof entitiesOf>) =>
  found.map(({ kind, value, events, is_group_value }) => `${kind} ${value} ${events}${is_group_value ? ' group' : ''}`);

test('each event counts once per value, whatever column names it, and group values come first', () => {
  const events = [
    { ...nothing, user: 'root', host: 'web-1', src_ip: '203.0.113.7', dst_ip: '203.0.113.7' },
    { ...nothing, user: 'root', host: 'WEB-1', src_ip: '198.51.100.2' },
    { ...nothing, user: '-', src_ip: 'not an address' },
  ];
  expect(told(entitiesOf({ src_ip: '198.51.100.2', count: 4 }, events))).toEqual([
    'address 198.51.100.2 1 group',
    'user root 2',
    'host web-1 2',
    'address 203.0.113.7 1',
  ]);
});

test('a host that is an address is an address', () => {
  expect(told(entitiesOf({}, [{ ...nothing, host: '192.0.2.1' }]))).toEqual(['address 192.0.2.1 1']);
});

test('hashes are found where a field says so, and only there', () => {
  const md5 = 'd41d8cd98f00b204e9800998ecf8427e';
  const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const fields = {
    Hashes: `MD5=${md5.toUpperCase()},SHA256=${sha256}`,
    trace_id: md5.replace('d', 'a'),
    file: { hash: { value: md5 } },
  };
  expect(told(entitiesOf({}, [{ ...nothing, fields }]))).toEqual([`hash ${md5} 1`, `hash ${sha256} 1`]);
});

test('a flood of different values does not flood the case', () => {
  const events = Array.from({ length: 100 }, (_, index) => ({ ...nothing, user: `user${index}` }));
  expect(entitiesOf({}, events)).toHaveLength(25);
});

test('what has no end is not followed', () => {
  const deep: Record<string, unknown> = {};
  deep.hash = deep;
  expect(entitiesOf({}, [{ ...nothing, fields: deep }])).toEqual([]);
});
