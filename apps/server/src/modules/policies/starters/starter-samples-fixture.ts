/** For every shipped policy an invented event that fits its criteria and one that does not, as their sources write them. */
export type StarterSample = string | Readonly<Record<string, unknown>>;

const at = '2026-11-21T10:00:00Z';
const syslog = (program: string, text: string) => `<38>Nov 21 10:00:00 web-1 ${program}: ${text}`;
const sshd = (text: string) => syslog('sshd[7]', text);

const windows = (EventID: number, fields: object, Channel = 'Security') => ({
  EventID,
  Channel,
  Hostname: 'ws-1.example.com',
  TimeCreated: at,
  ...fields,
});
const sysmon = (EventID: number, fields: object) =>
  windows(EventID, { SourceName: 'Microsoft-Windows-Sysmon', ...fields }, 'Microsoft-Windows-Sysmon/Operational');

const oktaEvent = (eventType: string, result = 'SUCCESS') => ({
  eventType,
  published: at,
  severity: 'INFO',
  displayMessage: 'Something happened',
  actor: { alternateId: 'ana@example.com', type: 'User' },
  client: { ipAddress: '203.0.113.9' },
  outcome: { result },
});
const entraSignIn = (errorCode: number, fields: object = {}) => ({
  createdDateTime: at,
  userPrincipalName: 'ana@example.com',
  appDisplayName: 'Mail',
  ipAddress: '203.0.113.9',
  status: { errorCode },
  ...fields,
});
const entraAudit = (activityDisplayName: string, result = 'success') => ({
  activityDateTime: at,
  activityDisplayName,
  result,
  initiatedBy: { user: { userPrincipalName: 'ana@example.com', ipAddress: '203.0.113.9' } },
});
const m365 = (Operation: string, fields: object = {}) => ({
  CreationTime: '2026-11-21T10:00:00',
  RecordType: 1,
  Operation,
  Workload: 'Exchange',
  UserId: 'ana@example.com',
  ResultStatus: 'True',
  ...fields,
});
const trail = (eventName: string, fields: object = {}) => ({
  eventVersion: '1.08',
  eventTime: at,
  eventSource: 'iam.amazonaws.com',
  eventName,
  sourceIPAddress: '203.0.113.9',
  userIdentity: { type: 'IAMUser', userName: 'ana' },
  ...fields,
});
const guardDuty = (severity: number) => ({
  schemaVersion: '2.0',
  type: 'UnauthorizedAccess:IAMUser/ConsoleLogin',
  severity,
  title: 'Unusual sign-in',
  updatedAt: at,
  resource: { accessKeyDetails: { userName: 'ana' } },
  service: { action: {} },
});
const gitHub = (action: string, fields: object = {}) => ({
  '@timestamp': Date.parse(at),
  action,
  actor: 'ana',
  org: 'example',
  repo: 'example/shop',
  ...fields,
});
const fortigate = (pairs: string) =>
  `date=2026-11-21 time=10:00:00 devname="fw-1" devid="FGT1" logid="0100032002" srcip=203.0.113.9 ${pairs}`;
const panosThreat = (severity: string) =>
  `1,2026/11/21 10:00:00,001,THREAT,vulnerability,1,2026/11/21 10:00:00,203.0.113.9,192.0.2.4,0.0.0.0,0.0.0.0,rule,,,web-browsing,vsys1,out,in,e1,e2,fwd,,7,1,55,80,0,0,0x0,tcp,reset-both,"x",Sample(1),any,${severity},client-to-server`;
const globalProtect = (status: string) =>
  `1,2026/11/21 10:00:00,001,GLOBALPROTECT,0,1,2026/11/21 10:00:00,vsys1,gateway-auth,login,LDAP,,ana,DE,ws-1,203.0.113.9,,10.0.0.9,,id,sn,6,Windows,10,1,,,Authentication,${status}`;
const zeekConn = (conn_state: string) => ({
  ts: Date.parse(at) / 1000,
  uid: 'C1',
  'id.orig_h': '203.0.113.9',
  'id.orig_p': 5000,
  'id.resp_h': '192.0.2.4',
  'id.resp_p': 22,
  conn_state,
});
const zeekDns = (query: string) => ({
  ts: Date.parse(at) / 1000,
  uid: 'C2',
  'id.orig_h': '203.0.113.9',
  'id.resp_h': '192.0.2.53',
  query,
  qtype_name: 'TXT',
});
const web = (path: string, status: number) =>
  `<190>Nov 21 10:00:00 web-1 nginx: 203.0.113.9 - - [21/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 512 "-" "curl/8"`;
const graylog = (priority: number) => ({
  event_definition_id: '65f0c0ffee',
  event_definition_title: 'Disk nearly full',
  event: { id: '01A', timestamp: at, priority, source: 'graylog-1', message: 'Disk nearly full', fields: {} },
  backlog: [],
});

const powershell = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';
const lsass = 'C:\\Windows\\System32\\lsass.exe';

export const starterSamples: Readonly<Record<string, { fits: StarterSample; other: StarterSample }>> = {
  'SSH password guessing': {
    fits: sshd('Failed password for root from 203.0.113.9 port 1 ssh2'),
    other: sshd('Accepted publickey for ana from 203.0.113.9 port 1 ssh2'),
  },
  'SSH sign-in as root': {
    fits: sshd('Accepted password for root from 203.0.113.9 port 1 ssh2'),
    other: sshd('Accepted password for ana from 203.0.113.9 port 1 ssh2'),
  },
  'SSH guessing of user names': {
    fits: sshd('Failed password for invalid user oracle from 203.0.113.9 port 1 ssh2'),
    other: sshd('Failed password for ana from 203.0.113.9 port 1 ssh2'),
  },
  'sudo refused': {
    fits: syslog('sudo', 'ana : user NOT in sudoers ; TTY=pts/0 ; PWD=/srv/ana ; USER=root ; COMMAND=/usr/bin/id'),
    other: syslog('sudo', 'ana : TTY=pts/0 ; PWD=/srv/ana ; USER=root ; COMMAND=/usr/bin/id'),
  },
  'Root shell through sudo': {
    fits: syslog('sudo', 'ana : TTY=pts/0 ; PWD=/srv/ana ; USER=root ; COMMAND=/bin/bash -i'),
    other: syslog('sudo', 'ana : TTY=pts/0 ; PWD=/srv/ana ; USER=root ; COMMAND=/bin/bash /opt/backup.sh'),
  },
  'su to root fails repeatedly': {
    fits: syslog('su', 'FAILED SU (to root) ana on pts/0'),
    other: syslog('su', '(to root) ana on pts/0'),
  },
  'New local user on Linux': {
    fits: syslog('useradd[7]', 'new user: name=backup2, UID=1002, GID=1002, home=/var/lib/backup2, shell=/bin/bash'),
    other: syslog('userdel[7]', "delete user 'backup2'"),
  },
  'User added to an administrators’ group on Linux': {
    fits: syslog('usermod[7]', "add 'ana' to group 'sudo'"),
    other: syslog('usermod[7]', "add 'ana' to group 'audio'"),
  },
  'Cron jobs changed': {
    fits: syslog('crontab[7]', '(ana) REPLACE (ana)'),
    other: syslog('CRON[7]', '(root) CMD (/usr/lib/sa/sa1 1 1)'),
  },
  'Linux audit system stopped': {
    fits: 'node=web-1 type=CONFIG_CHANGE msg=audit(1795255200.250:7): auid=0 ses=1 op=remove_rule key="exec" list=4 res=1',
    other:
      'node=web-1 type=CONFIG_CHANGE msg=audit(1795255200.250:8): auid=0 ses=1 op=add_rule key="exec" list=4 res=1',
  },
  'Windows event log cleared': {
    fits: windows(1102, { SubjectUserName: 'ana' }),
    other: windows(4624, { TargetUserName: 'ana', IpAddress: '203.0.113.9' }),
  },
  'Service installed from a folder anybody can write to': {
    fits: windows(7045, { ServiceName: 'updater', ImagePath: 'C:\\Users\\Public\\u.exe' }, 'System'),
    other: windows(7045, { ServiceName: 'spooler', ImagePath: 'C:\\Windows\\System32\\spoolsv.exe' }, 'System'),
  },
  'Scheduled task runs a script': {
    fits: windows(4698, { TaskName: '\\u', TaskContent: '<Exec><Command>powershell.exe</Command></Exec>' }),
    other: windows(4698, { TaskName: '\\u', TaskContent: '<Exec><Command>C:\\App\\update.exe</Command></Exec>' }),
  },
  'User added to a Windows administrators’ group': {
    fits: windows(4728, { TargetUserName: 'Domain Admins', MemberName: 'CN=ana' }),
    other: windows(4728, { TargetUserName: 'Printer Users', MemberName: 'CN=ana' }),
  },
  'Many Windows accounts locked': {
    fits: windows(4740, { TargetUserName: 'ana' }),
    other: windows(4767, { TargetUserName: 'ana' }),
  },
  'Windows password guessing': {
    fits: windows(4625, { TargetUserName: 'ana', IpAddress: '203.0.113.9' }),
    other: windows(4624, { TargetUserName: 'ana', IpAddress: '203.0.113.9' }),
  },
  'Windows password spraying': {
    fits: windows(4625, { TargetUserName: 'bo', IpAddress: '203.0.113.9' }),
    other: windows(4634, { TargetUserName: 'bo' }),
  },
  'PowerShell with a hidden command': {
    fits: sysmon(1, { Image: powershell, CommandLine: 'powershell -nop -enc SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoA' }),
    other: sysmon(1, {
      Image: powershell,
      CommandLine: 'powershell -ExecutionPolicy Bypass -File C:\\App\\inventory.ps1',
    }),
  },
  'Office program starts a shell': {
    fits: windows(4688, {
      NewProcessName: 'C:\\Windows\\System32\\cmd.exe',
      ParentProcessName: 'C:\\Program Files\\Microsoft Office\\WINWORD.EXE',
    }),
    other: windows(4688, {
      NewProcessName: 'C:\\Windows\\splwow64.exe',
      ParentProcessName: 'C:\\Program Files\\Microsoft Office\\WINWORD.EXE',
    }),
  },
  'Shadow copies deleted': {
    fits: sysmon(1, {
      Image: 'C:\\Windows\\System32\\vssadmin.exe',
      CommandLine: 'vssadmin.exe Delete Shadows /all /quiet',
    }),
    other: sysmon(1, { Image: 'C:\\Windows\\System32\\vssadmin.exe', CommandLine: 'vssadmin.exe list shadows' }),
  },
  'Memory of LSASS read': {
    fits: sysmon(10, { SourceImage: 'C:\\Temp\\d.exe', TargetImage: lsass, GrantedAccess: '0x1410' }),
    other: sysmon(10, {
      SourceImage: 'C:\\Windows\\System32\\svchost.exe',
      TargetImage: lsass,
      GrantedAccess: '0x1410',
    }),
  },
  'Program starts with every sign-in': {
    fits: sysmon(13, {
      TargetObject: 'HKU\\S-1-5-21\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Run\\u',
      Details: 'C:\\Users\\ana\\AppData\\Roaming\\u.exe',
    }),
    other: sysmon(13, {
      TargetObject: 'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Run\\OneDrive',
      Details: 'C:\\Program Files\\OneDrive\\OneDrive.exe',
    }),
  },
  'Microsoft Defender switched off': {
    fits: windows(5001, {}, 'Microsoft-Windows-Windows Defender/Operational'),
    other: windows(1001, {}, 'Microsoft-Windows-Windows Defender/Operational'),
  },
  'Program bound to a WMI event': {
    fits: sysmon(21, { Consumer: 'CommandLineEventConsumer', Filter: 'startup' }),
    other: sysmon(19, { Name: 'startup' }),
  },
  'Kerberos tickets with weak encryption': {
    fits: windows(4769, { TargetUserName: 'ana@EXAMPLE', ServiceName: 'sql-1', TicketEncryptionType: '0x17' }),
    other: windows(4769, { TargetUserName: 'ana@EXAMPLE', ServiceName: 'ws-1$', TicketEncryptionType: '0x17' }),
  },
  'Okta repeated sign-in failures': {
    fits: oktaEvent('user.session.start', 'FAILURE'),
    other: oktaEvent('user.session.start'),
  },
  'Okta password spray': {
    fits: oktaEvent('user.session.start', 'FAILURE'),
    other: oktaEvent('user.session.end'),
  },
  'Okta second factor removed': {
    fits: oktaEvent('user.mfa.factor.deactivate'),
    other: oktaEvent('user.mfa.factor.activate'),
  },
  'Okta administrator rights granted': {
    fits: oktaEvent('user.account.privilege.grant'),
    other: oktaEvent('user.account.privilege.revoke'),
  },
  'Okta accounts locked': { fits: oktaEvent('user.account.lock'), other: oktaEvent('user.account.unlock') },
  'Okta push requests turned down': {
    fits: oktaEvent('user.mfa.okta_verify.deny_push'),
    other: oktaEvent('user.authentication.auth_via_mfa'),
  },
  'Okta sign-on policy weakened': {
    fits: oktaEvent('policy.rule.deactivate'),
    other: oktaEvent('policy.evaluate_sign_on'),
  },
  'Entra ID repeated sign-in failures': { fits: entraSignIn(50126), other: entraSignIn(0) },
  'Entra ID password spray': { fits: entraSignIn(50126), other: entraSignIn(50074) },
  'Entra ID risky sign-in succeeded': {
    fits: entraSignIn(0, { riskLevelDuringSignIn: 'high' }),
    other: entraSignIn(0, { riskLevelDuringSignIn: 'low' }),
  },
  'Entra ID role assigned': {
    fits: entraAudit('Add member to role'),
    other: entraAudit('Remove member from role'),
  },
  'Entra ID consent to an application': {
    fits: entraAudit('Consent to application'),
    other: entraAudit('Update application'),
  },
  'Credentials added to an Entra ID application': {
    fits: entraAudit('Update application – Certificates and secrets management'),
    other: entraAudit('Update application'),
  },
  'Microsoft 365 inbox rule forwards mail': {
    fits: m365('New-InboxRule', { Parameters: [{ Name: 'ForwardTo', Value: 'mallory@example.net' }] }),
    other: m365('New-InboxRule', { Parameters: [{ Name: 'MoveToFolder', Value: 'Archive' }] }),
  },
  'Microsoft 365 mailbox opened to another user': {
    fits: m365('Add-MailboxPermission', { Parameters: [{ Name: 'AccessRights', Value: 'FullAccess' }] }),
    other: m365('Add-MailboxPermission', { Parameters: [{ Name: 'AccessRights', Value: 'ReadPermission' }] }),
  },
  'Microsoft 365 audit log switched off': {
    fits: m365('Set-AdminAuditLogConfig', {
      Parameters: [{ Name: 'UnifiedAuditLogIngestionEnabled', Value: 'False' }],
    }),
    other: m365('Set-AdminAuditLogConfig', { Parameters: [{ Name: 'AdminAuditLogAgeLimit', Value: '90' }] }),
  },
  'AWS root user signed in': {
    fits: trail('ConsoleLogin', { userIdentity: { type: 'Root' }, responseElements: { ConsoleLogin: 'Success' } }),
    other: trail('ConsoleLogin', { responseElements: { ConsoleLogin: 'Success' } }),
  },
  'AWS console sign-in without a second factor': {
    fits: trail('ConsoleLogin', {
      responseElements: { ConsoleLogin: 'Success' },
      additionalEventData: { MFAUsed: 'No' },
    }),
    other: trail('ConsoleLogin', {
      responseElements: { ConsoleLogin: 'Success' },
      additionalEventData: { MFAUsed: 'Yes' },
    }),
  },
  'AWS trail stopped or changed': {
    fits: trail('StopLogging', { eventSource: 'cloudtrail.amazonaws.com' }),
    other: trail('StopLogging', { eventSource: 'cloudtrail.amazonaws.com', errorCode: 'AccessDenied' }),
  },
  'AWS access key created': { fits: trail('CreateAccessKey'), other: trail('ListAccessKeys') },
  'AWS administrator policy attached': {
    fits: trail('AttachUserPolicy', {
      requestParameters: { policyArn: 'arn:aws:iam::aws:policy/AdministratorAccess' },
    }),
    other: trail('AttachUserPolicy', { requestParameters: { policyArn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' } }),
  },
  'AWS security group opened to everybody': {
    fits: trail('AuthorizeSecurityGroupIngress', {
      eventSource: 'ec2.amazonaws.com',
      requestParameters: { ipPermissions: { items: [{ ipRanges: { items: [{ cidrIp: '0.0.0.0/0' }] } }] } },
    }),
    other: trail('AuthorizeSecurityGroupIngress', {
      eventSource: 'ec2.amazonaws.com',
      requestParameters: { ipPermissions: { items: [{ ipRanges: { items: [{ cidrIp: '192.0.2.0/24' }] } }] } },
    }),
  },
  'AWS bucket protection against publication removed': {
    fits: trail('DeleteBucketPublicAccessBlock', { eventSource: 's3.amazonaws.com' }),
    other: trail('GetBucketPublicAccessBlock', { eventSource: 's3.amazonaws.com' }),
  },
  'AWS many different calls refused': {
    fits: trail('ListBuckets', { errorCode: 'AccessDenied' }),
    other: trail('ListBuckets'),
  },
  'GuardDuty finding of high severity': { fits: guardDuty(8), other: guardDuty(2) },
  'GitHub repository made public': {
    fits: gitHub('repo.access', { visibility: 'public' }),
    other: gitHub('repo.access', { visibility: 'private' }),
  },
  'GitHub branch protection removed': {
    fits: gitHub('protected_branch.destroy'),
    other: gitHub('protected_branch.create'),
  },
  'GitHub repositories cloned in bulk': { fits: gitHub('git.clone'), other: gitHub('git.push') },
  'Firewall denied burst': {
    fits: fortigate('type="traffic" subtype="forward" level="notice" action="deny"'),
    other: fortigate('type="traffic" subtype="forward" level="notice" action="accept"'),
  },
  'FortiGate administrator sign-in failures': {
    fits: fortigate('type="event" subtype="system" level="alert" user="admin" action="login" status="failed"'),
    other: fortigate('type="event" subtype="system" level="information" user="admin" action="login" status="success"'),
  },
  'FortiGate found malware': {
    fits: fortigate('type="utm" subtype="virus" level="warning" action="blocked" virus="EICAR_TEST_FILE"'),
    other: fortigate('type="utm" subtype="webfilter" level="warning" action="blocked"'),
  },
  'PAN-OS severe threat': { fits: panosThreat('critical'), other: panosThreat('informational') },
  'GlobalProtect sign-in failures': { fits: globalProtect('failure'), other: globalProtect('success') },
  'Cisco ASA sign-in failures': {
    fits: '<166>Nov 21 10:00:00 asa : %ASA-6-113015: AAA user authentication Rejected : reason = Invalid password : local database : user = ana : user IP = 203.0.113.9',
    other:
      '<166>Nov 21 10:00:00 asa : %ASA-6-605005: Login permitted from 203.0.113.9/55 to inside:192.0.2.1/ssh for user "ana"',
  },
  'Cisco ASA scan of the network': {
    fits: '<166>Nov 21 10:00:00 asa : %ASA-4-106023: Deny tcp src outside:203.0.113.9/55 dst inside:192.0.2.4/80 by access-group "in"',
    other:
      '<166>Nov 21 10:00:00 asa : %ASA-6-302013: Built outbound TCP connection 7 for outside:203.0.113.9/443 (203.0.113.9/443) to inside:192.0.2.4/5000 (192.0.2.4/5000)',
  },
  'Port scan seen by Zeek': { fits: zeekConn('S0'), other: zeekConn('SF') },
  'Data hidden in DNS questions': {
    fits: zeekDns('mzxw6ytboi4dcmzrgaydambqgaydambqmzxw6ytboi.t.example.net'),
    other: zeekDns('www.example.com'),
  },
  'Web request for files outside the site': {
    fits: web('/download?file=../../../../etc/passwd', 200),
    other: web('/download?file=price-list.pdf', 200),
  },
  'Web request with SQL inside': {
    fits: web('/item?id=1%20union%20select%20name,password', 500),
    other: web('/item?id=1', 200),
  },
  'Web scanner': { fits: web('/.git/config', 404), other: web('/', 200) },
  'Script called in a folder of uploads': {
    fits: web('/uploads/2026/avatar.php?cmd=id', 200),
    other: web('/uploads/2026/avatar.png', 200),
  },
  'Graylog alert of high priority': { fits: graylog(4), other: graylog(1) },
};
