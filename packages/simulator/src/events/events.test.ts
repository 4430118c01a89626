import { describe, expect, it } from 'vitest';
import { createCompany } from '../company.ts';
import { createRandom } from '../random.ts';
import { firewallTraffic } from './fortigate.ts';
import { oktaSignIn } from './okta.ts';
import { sshFailure, sshSession, sshSuccess } from './sshd.ts';
import { syslogHeader } from './syslog-header.ts';
import { windowsLogon } from './windows-security.ts';

const time = Date.parse('2026-11-05T09:05:01.250Z');
const company = createCompany('demo');
const random = createRandom('events');
const [employee] = company.employees;
const [host] = company.linuxServers;

describe('records are written as the products write them', () => {
  it('syslog header: day padded with a space, no year', () => {
    expect(syslogHeader(86, time, 'bastion-01')).toBe('<86>Nov  5 09:05:01 bastion-01 ');
    expect(syslogHeader(86, Date.parse('2026-12-31T23:59:59.999Z'), 'h')).toBe('<86>Dec 31 23:59:59 h ');
  });

  it('sshd', () => {
    const attempt = { time, host, user: 'root', address: '203.0.113.7', random };
    expect(sshFailure({ ...attempt, knownUser: true }).line).toMatch(
      /^<86>Nov {2}5 09:05:01 bastion-01 sshd\[\d+\]: Failed password for root from 203\.0\.113\.7 port \d+ ssh2$/,
    );
    expect(sshFailure({ ...attempt, user: 'oracle', knownUser: false }).line).toMatch(
      /sshd\[\d+\]: Failed password for invalid user oracle from 203\.0\.113\.7 port \d+ ssh2$/,
    );
    expect(sshSuccess({ ...attempt, method: 'publickey' }).line).toMatch(
      /Accepted publickey for root from 203\.0\.113\.7 port \d+ ssh2: ED25519 SHA256:\S{43}$/,
    );
    expect(sshSession(attempt, 'closed').line).toMatch(/pam_unix\(sshd:session\): session closed for user root$/);
  });

  it('FortiGate traffic, every field key=value', () => {
    const { line } = firewallTraffic({
      time,
      company,
      random,
      from: { address: '203.0.113.7', side: 'wan' },
      to: { address: company.publicAddress, port: 3389, service: 'RDP' },
      action: 'deny',
    });
    const fields = Object.fromEntries(
      [...line.replace(/^<189>/, '').matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)].map(([, key, quoted, bare]) => [
        key,
        quoted ?? bare,
      ]),
    );
    expect(fields).toMatchObject({
      date: '2026-11-05',
      time: '09:05:01',
      eventtime: '1793869501250000000',
      type: 'traffic',
      subtype: 'forward',
      action: 'deny',
      srcip: '203.0.113.7',
      dstip: '192.0.2.10',
      dstport: '3389',
      service: 'RDP',
      policyid: '0',
      sentbyte: '0',
    });
  });

  it('Okta System Log', () => {
    const event = JSON.parse(
      oktaSignIn({ time, random, employee, address: '203.0.113.7', result: 'FAILURE' }).line,
    ) as Record<string, unknown>;
    expect(event).toMatchObject({
      published: '2026-11-05T09:05:01.250Z',
      eventType: 'user.session.start',
      severity: 'WARN',
      actor: { type: 'User', alternateId: employee.email, displayName: employee.name },
      client: { ipAddress: '203.0.113.7' },
      outcome: { result: 'FAILURE', reason: 'INVALID_CREDENTIALS' },
      request: { ipChain: [{ ip: '203.0.113.7' }] },
    });
    expect(Object.keys(event)).toEqual(
      expect.arrayContaining(['uuid', 'displayMessage', 'transaction', 'debugContext', 'securityContext']),
    );
  });

  it('Windows logon, failed and not', () => {
    const logon = { time, random, company, employee, address: '10.10.1.20' };
    expect(JSON.parse(windowsLogon({ ...logon, outcome: 'failure' }).line)).toMatchObject({
      EventID: 4625,
      Channel: 'Security',
      TargetUserName: employee.account,
      IpAddress: '10.10.1.20',
      SubStatus: '0xc000006a',
    });
    expect(JSON.parse(windowsLogon({ ...logon, outcome: 'success' }).line)).toMatchObject({
      EventID: 4624,
      EventType: 'AUDIT_SUCCESS',
    });
  });
});
