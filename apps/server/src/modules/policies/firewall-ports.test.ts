import { compilePolicies, evaluate } from '@airdeck/detection/policy-set';
import { importSigma } from '@airdeck/detection/sigma/sigma-import';
import { parseLine } from '@airdeck/event-parsers/parse-record';
import { expect, it } from 'vitest';

const receivedAt = Date.parse('2026-11-21T10:00:00Z');

function firewallRule(selection: string): (line: string) => boolean {
  const text = `title: T\nid: 11111111-1111-4111-8111-111111111111\nlogsource: { category: firewall }
detection: { selection: { ${selection} }, condition: selection }`;
  const [outcome] = importSigma([{ name: 'rule.yml', text }]);
  if (outcome?.status !== 'imported') throw new Error('not imported');
  const set = compilePolicies([{ id: 'p', rule: outcome.policy }]);
  return (line) => evaluate(set, parseLine(line, { receivedAt })).length > 0;
}

const lines: readonly (readonly [string, string])[] = [
  [
    'fortigate',
    'date=2026-11-21 time=10:00:00 devname="fw" devid="FGT1" logid="1" type="traffic" srcip=203.0.113.9 srcport=4321 dstip=192.0.2.4 dstport=2323 action="deny"',
  ],
  [
    'panos',
    '1,2026/11/21 10:00:00,001,TRAFFIC,drop,1,2026/11/21 09:59:00,203.0.113.9,192.0.2.4,0.0.0.0,0.0.0.0,rule,,,dns,vsys1,out,in,e1,e2,fwd,,7,1,4321,2323,0,0,0x0,tcp,deny,70',
  ],
  ['cisco_asa', '%ASA-4-106023: Deny tcp src outside:203.0.113.9/4321 dst inside:192.0.2.4/2323 by access-group "in"'],
  ['cisco_ftd', '%FTD-4-106023: Deny tcp src outside:203.0.113.9/4321 dst inside:192.0.2.4/2323 by access-group "in"'],
  [
    'checkpoint',
    'time=1795255200|hostname=gw|product=Firewall|action=Drop|src=203.0.113.9|dst=192.0.2.4|s_port=4321|service=2323|',
  ],
  [
    'checkpoint',
    'CEF:0|Check Point|VPN-1 & FireWall-1|R81|Drop|Drop|5|src=203.0.113.9 spt=4321 dst=192.0.2.4 dpt=2323 act=Drop',
  ],
  [
    'juniper_junos',
    '<14>1 2026-11-21T10:00:00Z srx RT_FLOW - RT_FLOW_SESSION_DENY [junos@2636.1.1.1.2.26 source-address="203.0.113.9" source-port="4321" destination-address="192.0.2.4" destination-port="2323"]',
  ],
  [
    'iptables',
    '<4>Nov 21 10:00:00 gw kernel: [UFW BLOCK] IN=eth0 OUT= SRC=203.0.113.9 DST=192.0.2.4 LEN=40 PROTO=TCP SPT=4321 DPT=2323',
  ],
  [
    'sonicwall',
    '<134>id=firewall sn=00 time="2026-11-21 10:00:00" fw=192.0.2.1 pri=1 m=98 msg="Connection dropped" src=203.0.113.9:4321:X1 dst=192.0.2.4:2323:X0',
  ],
];

it.each(lines)('a firewall rule about ports sees those of %s: %s', (integration, line) => {
  expect(parseLine(line, { receivedAt }).integration).toBe(integration);
  expect(firewallRule('dst_port: 2323, src_port: 4321')(line)).toBe(true);
  expect(firewallRule('dst_port: 4321')(line)).toBe(false);
});

it('does not take the name of a service, or the address without a port, for one', () => {
  const isPort = firewallRule("dst_port|re: '.'");
  expect(isPort('time=1795255200|hostname=gw|product=Firewall|action=Drop|src=203.0.113.9|service=https|')).toBe(false);
  expect(isPort('id=firewall sn=00 fw=192.0.2.1 pri=1 m=98 msg="x" src=203.0.113.9 dst=2001:db8::9')).toBe(false);
  expect(isPort('id=firewall sn=00 fw=192.0.2.1 pri=1 m=98 msg="x" src=203.0.113.9 dst=192.0.2.4::X0')).toBe(false);
});
