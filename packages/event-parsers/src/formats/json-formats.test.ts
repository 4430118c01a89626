import { describe, expect, it } from 'vitest';
import { recogniseRecord } from '../parse-record.ts';

const receivedAt = Date.parse('2026-11-21T12:00:00.000Z');
const time = Date.parse('2026-11-21T10:00:00.000Z');

type Row = [name: string, record: Record<string, unknown>, format: string, expected: Record<string, unknown>];

const trail = {
  eventVersion: '1.08',
  eventTime: '2026-11-21T10:00:00Z',
  eventSource: 'iam.amazonaws.com',
  eventName: 'CreateUser',
  sourceIPAddress: '203.0.113.9',
  userIdentity: { type: 'IAMUser', userName: 'ana' },
};
const finding = {
  schemaVersion: '2.0',
  type: 'UnauthorizedAccess:IAMUser/ConsoleLogin',
  severity: 8,
  title: 'Unusual sign-in',
  updatedAt: '2026-11-21T10:00:00Z',
  resource: { accessKeyDetails: { userName: 'ana' } },
  service: { action: { awsApiCallAction: { remoteIpDetails: { ipAddressV4: '203.0.113.9' } } } },
};
const signIn = {
  createdDateTime: '2026-11-21T10:00:00Z',
  userPrincipalName: 'ana@meridian.example',
  appDisplayName: 'Mail',
  ipAddress: '203.0.113.9',
  status: { errorCode: 50126, failureReason: 'Invalid username or password.' },
};

const rows: readonly Row[] = [
  [
    'CloudTrail',
    trail,
    'aws',
    { event_type: 'cloudtrail', action: 'create_user', outcome: 'success', user: 'ana', time },
  ],
  ['CloudTrail refused', { ...trail, errorCode: 'AccessDenied' }, 'aws', { outcome: 'failure', src_ip: '203.0.113.9' }],
  [
    'CloudTrail console sign-in',
    { ...trail, eventName: 'ConsoleLogin', responseElements: { ConsoleLogin: 'Failure' } },
    'aws',
    { action: 'login', outcome: 'failure' },
  ],
  [
    'CloudTrail over EventBridge',
    { 'detail-type': 'AWS API Call via CloudTrail', detail: trail },
    'aws',
    { action: 'create_user', user: 'ana', time },
  ],
  ['CloudTrail looked up', { EventId: '1', CloudTrailEvent: JSON.stringify(trail) }, 'aws', { user: 'ana', time }],
  [
    'GuardDuty, a probed port',
    {
      ...finding,
      service: {
        detectorId: 'd',
        action: {
          actionType: 'PORT_PROBE',
          portProbeAction: {
            blocked: false,
            portProbeDetails: [{ localPortDetails: { port: 22 } }, { remoteIpDetails: { ipAddressV4: '203.0.113.9' } }],
          },
        },
      },
    },
    'aws',
    { src_ip: '203.0.113.9' },
  ],
  [
    'GuardDuty, a connection from the instance',
    {
      ...finding,
      resource: {
        instanceDetails: { instanceId: 'i-1', networkInterfaces: [{ privateIpAddress: '192.0.2.4' }, {}] },
      },
      service: {
        action: {
          networkConnectionAction: {
            connectionDirection: 'OUTBOUND',
            remoteIpDetails: { ipAddressV4: '203.0.113.9' },
          },
        },
      },
    },
    'aws',
    { host: 'i-1', src_ip: '192.0.2.4', dst_ip: '203.0.113.9' },
  ],
  [
    'GuardDuty, a connection to the instance',
    {
      ...finding,
      service: {
        action: {
          networkConnectionAction: {
            connectionDirection: 'INBOUND',
            remoteIpDetails: { ipAddressV4: '203.0.113.9' },
          },
        },
      },
    },
    'aws',
    { src_ip: '203.0.113.9', dst_ip: '' },
  ],
  [
    'GuardDuty',
    finding,
    'aws',
    { event_type: 'guardduty', severity: 'high', user: 'ana', src_ip: '203.0.113.9', message: 'Unusual sign-in', time },
  ],
  [
    'Entra ID sign-in of Graph',
    signIn,
    'entra_id',
    { event_type: 'sign_in', action: 'login', outcome: 'failure', user: 'ana@meridian.example', host: 'Mail', time },
  ],
  [
    'Entra ID sign-in of Event Hubs',
    {
      time: '2026-11-21T10:00:00Z',
      category: 'SignInLogs',
      resultType: '0',
      properties: { ...signIn, status: { errorCode: 0 } },
    },
    'entra_id',
    { outcome: 'success', src_ip: '203.0.113.9' },
  ],
  [
    'Entra ID sign-in that asks for a second factor',
    { ...signIn, status: { errorCode: 50074 } },
    'entra_id',
    { action: 'login', outcome: '' },
  ],
  [
    'Entra ID sign-in of a managed identity in Log Analytics',
    {
      Type: 'AADManagedIdentitySignInLogs',
      TimeGenerated: '2026-11-21T10:00:00Z',
      ServicePrincipalName: 'backup-job',
      ResultType: '0',
    },
    'entra_id',
    { event_type: 'sign_in', outcome: 'success', user: 'backup-job', time },
  ],
  [
    'Entra ID audit',
    {
      activityDateTime: '2026-11-21T10:00:00Z',
      activityDisplayName: 'Add member to role',
      result: 'success',
      initiatedBy: { user: { userPrincipalName: 'ana@meridian.example', ipAddress: '203.0.113.9' } },
    },
    'entra_id',
    { event_type: 'audit', action: 'add_member_to_role', outcome: 'success', src_ip: '203.0.113.9', time },
  ],
  [
    'Microsoft 365',
    {
      CreationTime: '2026-11-21T10:00:00',
      RecordType: 15,
      Operation: 'UserLoginFailed',
      Workload: 'AzureActiveDirectory',
      UserId: 'ana@meridian.example',
      ClientIP: '[2001:db8::9]:443',
    },
    'm365',
    { event_type: 'azure_active_directory', action: 'login', outcome: 'failure', src_ip: '2001:db8::9', time },
  ],
  [
    'Microsoft 365 alert',
    {
      CreationTime: '2026-11-21T10:00:00',
      RecordType: 40,
      Operation: 'AlertTriggered',
      Workload: 'SecurityComplianceCenter',
      Severity: 'High',
      ResultStatus: 'True',
    },
    'm365',
    { action: 'alert_triggered', severity: 'high', outcome: 'success', time },
  ],
  [
    'Graph security alert',
    {
      '@odata.type': '#microsoft.graph.security.alert',
      id: 'da1',
      title: 'Suspicious script',
      severity: 'unknownFutureValue',
      lastUpdateDateTime: '2026-11-21T10:00:00Z',
      evidence: [
        { '@odata.type': '#microsoft.graph.security.deviceEvidence', deviceDnsName: 'ws-1' },
        { ipAddress: '203.0.113.9' },
        { userAccount: { userPrincipalName: 'ana@meridian.example' } },
      ],
    },
    'microsoft_graph',
    { event_type: 'alert', severity: '', host: 'ws-1', user: 'ana@meridian.example', src_ip: '203.0.113.9', time },
  ],
  [
    'CrowdStrike alert',
    {
      composite_id: 'c:ind:1',
      cid: 'c',
      severity: 70,
      name: 'Credential dumping',
      updated_timestamp: '2026-11-21T10:00:00Z',
      device: { hostname: 'ws-1', local_ip: '192.0.2.4' },
      user_name: 'ana',
    },
    'crowdstrike',
    { integration: 'crowdstrike', event_type: 'alert', severity: 'high', host: 'ws-1', user: 'ana', time },
  ],
  [
    'GitHub audit',
    { '@timestamp': time, action: 'org.add_member', actor: 'ana', org: 'meridian', actor_ip: '203.0.113.9' },
    'github',
    { integration: 'github', event_type: 'audit', action: 'org_add_member', user: 'ana', time },
  ],
  [
    'GitHub code scanning alert, opened again long after it was made',
    {
      number: 3,
      state: 'open',
      created_at: '2025-02-01T08:00:00Z',
      updated_at: '2026-11-21T10:00:00Z',
      html_url: 'https://github.com/example-org/app/security/code-scanning/3',
      repository: { full_name: 'example-org/app' },
      rule: {
        id: 'js/sql-injection',
        severity: 'warning',
        security_severity_level: 'high',
        description: 'SQL injection',
      },
    },
    'github_alert',
    {
      ...{ integration: 'github', event_type: 'alert', action: 'alert', time },
      ...{ severity: 'high', message: 'SQL injection', host: 'example-org/app' },
    },
  ],
  [
    'GitHub secret scanning alert that was never updated',
    {
      number: 7,
      state: 'open',
      created_at: '2026-11-21T10:00:00Z',
      updated_at: null,
      html_url: 'https://ghe.example.net/example-org/app/security/secret-scanning/7',
      repository: { full_name: 'example-org/app' },
      secret_type: 'example_api_key',
      secret_type_display_name: 'Example API Key',
    },
    'github_alert',
    { event_type: 'alert', message: 'Example API Key', severity: '', time },
  ],
  [
    'GitHub Dependabot alert',
    {
      number: 5,
      state: 'fixed',
      created_at: '2026-11-20T10:00:00Z',
      updated_at: '2026-11-21T10:00:00Z',
      html_url: 'https://github.com/example-org/app/security/dependabot/5',
      repository: { full_name: 'example-org/app' },
      security_advisory: { ghsa_id: 'GHSA-xxxx-xxxx-xxxx', summary: 'Weakness in a parser', severity: 'critical' },
    },
    'github_alert',
    { event_type: 'alert', message: 'Weakness in a parser', severity: 'critical', time },
  ],
  [
    'GitHub issue, which is no alert',
    {
      number: 5,
      state: 'open',
      html_url: 'https://github.com/example-org/app/issues/5',
      repository: { full_name: 'example-org/app' },
    },
    'json',
    { event_type: 'log' },
  ],
  [
    'Zeek',
    { ts: time / 1000, uid: 'C1', 'id.orig_h': '203.0.113.9', 'id.resp_h': '192.0.2.4', conn_state: 'REJ' },
    'zeek',
    { event_type: 'conn', outcome: 'failure', src_ip: '203.0.113.9', dst_ip: '192.0.2.4', time },
  ],
  [
    'Zeek, a client’s software',
    {
      ...{ _path: 'ssh', ts: time / 1000, 'id.orig_h': '203.0.113.9' },
      ...{ client: 'SSH-2.0-OpenSSH_9.6', auth_success: false },
    },
    'zeek',
    { event_type: 'ssh', action: 'login', outcome: 'failure', user: '' },
  ],
  [
    'Zeek, a client of Kerberos',
    {
      ...{ ts: time / 1000, 'id.orig_h': '203.0.113.9', request_type: 'TGS', client: 'ana/EXAMPLE' },
      ...{ cipher: 'aes256-cts-hmac-sha1-96', success: true },
    },
    'zeek',
    { event_type: 'kerberos', action: 'tgs', outcome: 'success', user: 'ana/EXAMPLE' },
  ],
  [
    'Zeek, a user of RDP',
    { ts: time / 1000, 'id.orig_h': '203.0.113.9', cookie: 'ana', security_protocol: 'HYBRID' },
    'zeek',
    { event_type: 'rdp', user: 'ana' },
  ],
  [
    'Azure activity',
    {
      time: '2026-11-21T10:00:00Z',
      resourceId: '/subscriptions/1/x',
      operationName: 'Microsoft.Insights/alertRules/delete',
      resultType: 'Success',
      callerIpAddress: '203.0.113.9',
    },
    'azure',
    { event_type: 'activity', action: 'microsoft_insights_alert_rules_delete', outcome: 'success', time },
  ],
  [
    'Syslog table of Log Analytics',
    { EventTime: '11/21/2026, 10:00:00 AM', HostName: 'h', ProcessName: 'su', SyslogMessage: '(to root) ana on pts/0' },
    'syslog_table',
    { integration: 'su', action: 'switch_user', user: 'ana', host: 'h', time },
  ],
  [
    'systemd journal',
    {
      __REALTIME_TIMESTAMP: `${time}000`,
      _HOSTNAME: 'h',
      SYSLOG_IDENTIFIER: 'sshd',
      PRIORITY: '6',
      MESSAGE: 'Failed password for ana from 203.0.113.9 port 1 ssh2',
    },
    'journald',
    { integration: 'sshd', action: 'login', outcome: 'failure', user: 'ana', severity: 'info', time },
  ],
  [
    'systemd journal, a message of pairs',
    {
      __REALTIME_TIMESTAMP: `${time}000`,
      _HOSTNAME: 'h',
      SYSLOG_IDENTIFIER: 'fw',
      MESSAGE:
        'date=2026-11-21 time=09:59:00 devname="gw" devid="FGT1" logid="1" type="traffic" srcip=203.0.113.9 action="deny"',
    },
    'journald',
    {
      integration: 'fortigate',
      event_type: 'traffic',
      action: 'deny',
      outcome: 'failure',
      src_ip: '203.0.113.9',
      host: 'gw',
    },
  ],
  [
    'systemd journal, a record as message',
    {
      __REALTIME_TIMESTAMP: `${time}000`,
      _HOSTNAME: 'h',
      SYSLOG_IDENTIFIER: 'app',
      MESSAGE: '{"user":"ana","level":"warn"}',
    },
    'journald',
    { integration: 'syslog', user: 'ana', severity: 'medium', host: 'h', time },
  ],
  [
    'systemd journal, a message in bytes',
    {
      __REALTIME_TIMESTAMP: `${time}000`,
      _HOSTNAME: 'h',
      SYSLOG_IDENTIFIER: 'sshd',
      MESSAGE: [...Buffer.from('Failed password for ana from 203.0.113.9 port 1 ssh2\0')],
    },
    'journald',
    {
      integration: 'sshd',
      outcome: 'failure',
      user: 'ana',
      message: 'Failed password for ana from 203.0.113.9 port 1 ssh2',
    },
  ],
  [
    'systemd journal, a list that is no text',
    { __REALTIME_TIMESTAMP: `${time}000`, _HOSTNAME: 'h', MESSAGE: [70, 256] },
    'json',
    {},
  ],
  [
    'Syslog table, an access log',
    {
      TimeGenerated: '2026-11-21T10:00:00Z',
      HostName: 'h',
      ProcessName: 'nginx',
      SeverityLevel: 'info',
      SyslogMessage: '203.0.113.9 - ana [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 404 12',
    },
    'syslog_table',
    { integration: 'nginx', event_type: 'access', src_ip: '203.0.113.9', user: 'ana' },
  ],
  [
    'PowerShell',
    { EventID: 4104, Channel: 'Microsoft-Windows-PowerShell/Operational', TimeCreated: '2026-11-21T10:00:00.000Z' },
    'windows',
    { integration: 'windows', event_type: 'script', action: 'run_script_block', time },
  ],
];

describe('kinds of JSON records', () => {
  it.each(rows)('%s', (_name, record, format, expected) => {
    const before = structuredClone(record);
    for (const given of [record, JSON.stringify(record)]) {
      const recognised = recogniseRecord(given, { receivedAt });
      expect(recognised.format).toBe(format);
      expect(recognised.event).toMatchObject(expected);
      expect(recognised.event.fields).toMatchObject(before);
    }
    expect(record).toEqual(before);
  });

  it('leaves a record alone that only resembles a vendor’s', () => {
    for (const record of [
      { action: 'user.login', actor: 'ana' },
      { Operation: 'x' },
      { status: { a: 1 }, userPrincipalName: 'ana' },
      { type: 'x', service: 'web', resource: 'y' },
      { ts: 'x', message: 'y' },
    ]) {
      expect(recogniseRecord(record, { receivedAt }).format).toBe('json');
    }
  });
});
