import type { Company } from '../company.ts';
import type { Random } from '../random.ts';
import type { RawRecord } from '../raw-record.ts';

/** local7.notice, as FortiOS sends by default. */
const PRIORITY = 189;

export type Traffic = {
  readonly time: number;
  readonly company: Company;
  readonly random: Random;
  readonly from: { readonly address: string; readonly side: 'lan' | 'wan' };
  readonly to: { readonly address: string; readonly port: number; readonly service: string };
  readonly action: 'close' | 'accept' | 'deny';
};

/** A traffic log of FortiOS 7 in its key=value form. */
export function firewallTraffic({ time, company, random, from, to, action }: Traffic): RawRecord {
  const date = new Date(time).toISOString();
  const denied = action === 'deny';
  const inbound = from.side === 'wan';
  const udp = to.service === 'DNS' || to.service === 'NTP';
  const fields: readonly (readonly [string, string | number, 'bare' | 'quoted'])[] = [
    ['date', date.slice(0, 10), 'bare'],
    ['time', date.slice(11, 19), 'bare'],
    ['devname', company.firewall.name, 'quoted'],
    ['devid', company.firewall.serial, 'quoted'],
    ['eventtime', `${time}000000`, 'bare'],
    ['tz', '+0000', 'quoted'],
    ['logid', '0000000013', 'quoted'],
    ['type', 'traffic', 'quoted'],
    ['subtype', 'forward', 'quoted'],
    ['level', denied ? 'warning' : 'notice', 'quoted'],
    ['vd', 'root', 'quoted'],
    ['srcip', from.address, 'bare'],
    ['srcport', random.int(1024, 65_535), 'bare'],
    ['srcintf', inbound ? 'wan1' : 'internal', 'quoted'],
    ['srcintfrole', from.side, 'quoted'],
    ['dstip', to.address, 'bare'],
    ['dstport', to.port, 'bare'],
    ['dstintf', inbound ? 'dmz' : 'wan1', 'quoted'],
    ['dstintfrole', inbound ? 'dmz' : 'wan', 'quoted'],
    ['sessionid', random.int(100_000, 99_999_999), 'bare'],
    ['proto', udp ? 17 : 6, 'bare'],
    ['action', action, 'quoted'],
    ['policyid', denied ? 0 : random.int(1, 12), 'bare'],
    ['policytype', 'policy', 'quoted'],
    ['service', to.service, 'quoted'],
    ['trandisp', denied ? 'noop' : 'snat', 'quoted'],
    ['duration', denied ? 0 : random.int(1, 180), 'bare'],
    ['sentbyte', denied ? 0 : random.int(200, 40_000), 'bare'],
    ['rcvdbyte', denied ? 0 : random.int(200, 400_000), 'bare'],
    ['sentpkt', denied ? 0 : random.int(2, 90), 'bare'],
    ['rcvdpkt', denied ? 0 : random.int(2, 300), 'bare'],
    ['appcat', 'unscanned', 'quoted'],
  ];
  const text = fields.map(([key, value, form]) => `${key}=${form === 'quoted' ? `"${value}"` : value}`).join(' ');
  return { time, transport: 'syslog', product: 'fortigate', line: `<${PRIORITY}>${text}` };
}
