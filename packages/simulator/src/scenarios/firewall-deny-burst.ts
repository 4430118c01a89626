import { firewallTraffic } from '../events/fortigate.ts';
import type { Scenario } from './scenario.ts';
import { attackerAddress, inOrder, moments } from './scenario.ts';

const NAME = 'firewall-deny-burst';
const WITHIN_MS = 30_000;
const PROBES = 60;

const probedPorts = [
  [21, 'FTP'],
  [22, 'SSH'],
  [23, 'TELNET'],
  [25, 'SMTP'],
  [445, 'SMB'],
  [1433, 'MS-SQL'],
  [3306, 'MYSQL'],
  [3389, 'RDP'],
  [5900, 'VNC'],
  [8080, 'HTTP-ALT'],
] as const satisfies readonly (readonly [number, string])[];

/** One address probes many ports of the office within half a minute; the firewall denies every one. */
export const firewallDenyBurst: Scenario = {
  name: NAME,
  title: 'Port scan denied by the firewall',
  description: "One address probes many ports of the office's public address within half a minute.",

  play({ company, random, startAt }) {
    const attacker = attackerAddress(random);
    const records = moments(random, startAt, PROBES, WITHIN_MS).map((time, index) => {
      const [port, service] = probedPorts[index % probedPorts.length] ?? probedPorts[0];
      return firewallTraffic({
        time,
        company,
        random,
        from: { address: attacker, side: 'wan' },
        to: { address: company.publicAddress, port, service },
        action: 'deny',
      });
    });
    return { attacker, records: inOrder(NAME, records) };
  },
};
