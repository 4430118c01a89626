import { describe, expect, it } from 'vitest';
import { parseRecord, recogniseRecord } from '../parse-record.ts';

const receivedAt = Date.parse('2026-11-21T12:00:00.000Z');
const at = (iso: string) => Date.parse(iso);
const sshd = (text: string) => `Nov 21 11:59:58 web-1 sshd[2738]: ${text}`;
const fortigate =
  'date=2026-11-21 time=11:59:00 devname="edge-01" devid="FG100" logid="0000000013" type="traffic" subtype="forward" level="notice" srcip=198.51.100.7 dstip=192.0.2.10 action="deny" tz="+0200" msg="a \\"quoted\\" word"';

describe('formats of lines', () => {
  it.each<[string, string, string, Record<string, unknown>]>([
    [
      'sshd failure',
      sshd('Failed password for root from 203.0.113.9 port 1786 ssh2'),
      'rfc3164',
      {
        integration: 'sshd',
        event_type: 'authentication',
        action: 'login',
        outcome: 'failure',
        user: 'root',
        src_ip: '203.0.113.9',
        host: 'web-1',
        time: at('2026-11-21T11:59:58Z'),
      },
    ],
    [
      'sshd unknown user',
      sshd('Failed password for invalid user admin from 2001:db8::1 port 1 ssh2'),
      'rfc3164',
      { action: 'login', outcome: 'failure', user: 'admin', src_ip: '2001:db8::1' },
    ],
    [
      'sshd user name that imitates an address',
      sshd('Failed password for invalid user x from 192.0.2.66 port 1 ssh2: y from 203.0.113.9 port 22 ssh2'),
      'rfc3164',
      { src_ip: '203.0.113.9', user: 'x from 192.0.2.66 port 1 ssh2: y' },
    ],
    [
      'sshd success',
      sshd('Accepted publickey for ana from 203.0.113.9 port 1 ssh2: RSA 01:67'),
      'rfc3164',
      { action: 'login', outcome: 'success', user: 'ana' },
    ],
    [
      'sshd key offered in vain',
      sshd('Failed publickey for ana from 203.0.113.9 port 1 ssh2'),
      'rfc3164',
      { event_type: 'authentication', action: 'key_offer' },
    ],
    [
      'pam beside sshd',
      sshd('pam_unix(sshd:auth): authentication failure; rhost=203.0.113.9  user=root'),
      'rfc3164',
      { integration: 'sshd', event_type: 'log', action: '', src_ip: '203.0.113.9', user: 'root' },
    ],
    [
      'sshd collapsed by rsyslog',
      sshd('message repeated 4 times: [ Failed password for root from 203.0.113.9 port 1 ssh2]'),
      'rfc3164',
      {
        action: 'login',
        fields: {
          app_name: 'sshd',
          proc_id: '2738',
          repeated: 4,
          auth_method: 'password',
          src_port: 1,
          invalid_user: false,
        },
      },
    ],
    [
      'priority and severity',
      '<11>Nov 21 11:00:00 h batch[7]: job failed',
      'rfc3164',
      {
        integration: 'syslog',
        severity: 'high',
        message: 'job failed',
        fields: { syslog_facility: 1, syslog_severity: 3, app_name: 'batch', proc_id: '7' },
      },
    ],
    [
      'only a priority',
      '<13>something happened',
      'rfc3164',
      { integration: 'syslog', message: 'something happened', time_source: 'received' },
    ],
    [
      'iso time of rsyslog',
      '<13>2026-11-21T10:00:00.5+02:00 h app: hi',
      'rfc3164',
      { time: at('2026-11-21T08:00:00.500Z'), host: 'h', message: 'hi' },
    ],
    [
      'rfc 5424',
      '<165>1 2026-11-21T10:00:00.003Z h app 12 ID47 [x@1 a="q\\"]\\\\" b=""][y] \uFEFFhello',
      'rfc5424',
      {
        time: at('2026-11-21T10:00:00.003Z'),
        host: 'h',
        message: 'hello',
        severity: 'notice',
        fields: {
          syslog_facility: 20,
          syslog_severity: 5,
          app_name: 'app',
          proc_id: '12',
          msg_id: 'ID47',
          structured_data: { 'x@1': { a: 'q"]\\', b: '' }, y: {} },
        },
      },
    ],
    [
      'rfc 5424 with nothing but dashes',
      '<34>1 - - - - - -',
      'rfc5424',
      { host: '', message: '', time_source: 'received' },
    ],
    ['rfc 5424 with broken structured data', '<34>1 - h a - - [x y="1 oops', 'rfc5424', { message: '[x y="1 oops' }],
    [
      'sshd over rfc 5424',
      '<38>1 2026-11-21T10:00:00Z h sshd 1 - - Failed password for root from 203.0.113.9 port 1 ssh2',
      'rfc5424',
      { integration: 'sshd', action: 'login' },
    ],
    [
      'fortigate behind a priority',
      `<189>${fortigate}`,
      'rfc3164',
      {
        integration: 'fortigate',
        event_type: 'traffic',
        action: 'deny',
        outcome: 'failure',
        src_ip: '198.51.100.7',
        dst_ip: '192.0.2.10',
        host: 'edge-01',
        severity: 'notice',
        message: 'a "quoted" word',
        time: at('2026-11-21T09:59:00Z'),
      },
    ],
    ['fortigate from a file', fortigate, 'fortigate', { integration: 'fortigate', action: 'deny' }],
    [
      'json behind a header',
      '<13>Nov 21 11:00:00 h app: {"user":"ana","level":"warn"}',
      'rfc3164',
      { integration: 'syslog', user: 'ana', severity: 'medium', host: 'h', time: at('2026-11-21T11:00:00Z') },
    ],
  ])('%s', (_name, line, format, expected) => {
    const recognised = recogniseRecord(line, { receivedAt });
    expect(recognised.envelope ?? recognised.format).toBe(format);
    expect(recognised.event).toMatchObject({ ...expected, raw: line });
  });
});

describe('kinds of JSON', () => {
  it.each<[string, Record<string, unknown>, string, Record<string, unknown>]>([
    [
      'plain names',
      {
        timestamp: '2026-11-21T10:00:00.000Z',
        level: 'error',
        msg: 'x',
        hostname: 'h',
        username: 'ana',
        client_ip: '203.0.113.9',
        status: 'failed',
      },
      'json',
      {
        integration: 'generic',
        severity: 'high',
        message: 'x',
        host: 'h',
        user: 'ana',
        src_ip: '203.0.113.9',
        outcome: 'failure',
        time: at('2026-11-21T10:00:00Z'),
      },
    ],
    [
      'nested names (ECS)',
      {
        '@timestamp': 1_795_255_200,
        source: { ip: '203.0.113.9' },
        destination: { ip: '192.0.2.1' },
        user: { name: 'ana' },
        host: { name: 'h' },
        event: { action: 'User Login', outcome: 'success' },
      },
      'json',
      {
        src_ip: '203.0.113.9',
        dst_ip: '192.0.2.1',
        user: 'ana',
        host: 'h',
        action: 'user_login',
        outcome: 'success',
        time: 1_795_255_200_000,
      },
    ],
    ['dotted names', { 'source.ip': '203.0.113.9', ip: '192.0.2.1' }, 'json', { src_ip: '203.0.113.9' }],
    [
      'nothing known',
      { a: 1 },
      'json',
      { integration: 'generic', event_type: 'log', time_source: 'received', fields: { a: 1 } },
    ],
    [
      'okta',
      {
        eventType: 'user.session.start',
        published: '2026-11-21T10:00:00.000Z',
        severity: 'WARN',
        displayMessage: 'User login to Okta',
        actor: { alternateId: 'ana@meridian.example' },
        client: { ipAddress: '203.0.113.9' },
        outcome: { result: 'FAILURE' },
      },
      'okta',
      {
        integration: 'okta',
        event_type: 'system_log',
        action: 'login',
        outcome: 'failure',
        user: 'ana@meridian.example',
        src_ip: '203.0.113.9',
        severity: 'medium',
      },
    ],
    [
      'okta event of another kind',
      { eventType: 'policy.lifecycle.update', published: '2026-11-21T10:00:00.000Z', actor: {} },
      'okta',
      { action: 'policy_lifecycle_update' },
    ],
    [
      'windows sign-in',
      {
        EventID: 4625,
        Channel: 'Security',
        TimeCreated: '2026-11-21 10:00:00.123',
        Hostname: 'WS5',
        TargetUserName: 'ana',
        SubjectUserName: '-',
        IpAddress: '::ffff:203.0.113.9',
      },
      'windows',
      {
        integration: 'windows',
        event_type: 'authentication',
        action: 'login',
        outcome: 'failure',
        user: 'ana',
        src_ip: '203.0.113.9',
        host: 'WS5',
        time: at('2026-11-21T10:00:00.123Z'),
      },
    ],
    [
      'sysmon',
      {
        EventID: 1,
        Channel: 'Microsoft-Windows-Sysmon/Operational',
        UtcTime: '2026-11-21 10:00:00.123',
        EventTime: '2026-11-21 06:00:00',
        User: 'CORP\\ana',
      },
      'windows',
      { integration: 'sysmon', event_type: 'process', action: 'start_process', user: 'CORP\\ana' },
    ],
    [
      'windows as Winlogbeat nests it',
      {
        '@timestamp': '2026-11-21T10:00:00.000Z',
        winlog: { event_id: 4624, channel: 'Security', computer_name: 'WS5', event_data: { TargetUserName: 'ana' } },
      },
      'windows',
      { action: 'login', outcome: 'success', user: 'ana', host: 'WS5' },
    ],
    [
      'already normalised',
      {
        integration: 'crowdstrike',
        event_type: 'detection',
        time: '2026-11-21T10:00:00.000Z',
        severity: 'high',
        user: 'ana',
        action: 'block',
        fields: { x: 1 },
        more: 2,
      },
      'normalised',
      {
        integration: 'crowdstrike',
        event_type: 'detection',
        severity: 'high',
        action: 'block',
        fields: { x: 1, more: 2 },
        time: at('2026-11-21T10:00:00Z'),
      },
    ],
    ['a slug that is none', { integration: 'Not A Slug', event_type: 'x' }, 'json', { integration: 'generic' }],
  ])('%s', (_name, record, format, expected) => {
    const recognised = recogniseRecord(record, { receivedAt });
    expect(recognised.format).toBe(format);
    expect(recognised.event).toMatchObject(expected);
  });

  it('never takes the owner of an event from the event', () => {
    const event = parseRecord({ integration: 'x', event_type: 'y', tenant: 'b', id: 'c' }, { receivedAt });
    expect(event).not.toHaveProperty('tenant');
    expect(event.fields).toEqual({ tenant: 'b', id: 'c' });
  });
});
