import { expect, test } from 'vitest';
import { parseLine } from '../parse-record.ts';

test('fast alerts of Suricata name IPv6 addresses in eight groups, with the port as the ninth', () => {
  const line =
    '11/21/2026-11:59:58.123456  [**] [1:2024897:1] ET TEST Example [**] [Classification: Misc activity] [Priority: 3] ' +
    '{TCP} 2001:0db8:0000:0000:0000:0000:0000:0001:49152 -> 2001:0db8:0000:0000:0000:0000:0000:0002:443';
  expect(parseLine(line, { receivedAt: Date.parse('2026-11-21T12:00:00.000Z') })).toMatchObject({
    event_type: 'alert',
    src_ip: '2001:0db8:0000:0000:0000:0000:0000:0001',
    dst_ip: '2001:0db8:0000:0000:0000:0000:0000:0002',
    fields: { src_port: 49_152, dst_port: 443 },
  });
});
