import { expect } from 'vitest';

/** One invented line per thing a format knows; table test and fuzz read it. Times without a year are received on 2026-11-21. */
export type LineSample = {
  readonly line: string;
  readonly format: string;
  readonly envelope?: string;
  readonly expected: Readonly<Record<string, unknown>>;
};

function sample(format: string, line: string, expected: LineSample['expected'], envelope?: string): LineSample {
  return { format, line, expected, ...(envelope === undefined ? {} : { envelope }) };
}

const at = (iso: string) => Date.parse(iso);

const headers: readonly LineSample[] = [
  sample('rfc3164', '<13>Nov 21 10:00:00 h app: hi', { host: 'h', message: 'hi' }),
  sample('rfc3164', 'Nov 21 10:00:00 h app: hi', { host: 'h', message: 'hi' }),
  sample('rfc3164', '<13>Nov 21 10:00:00 kernel: hi', { host: '', message: 'hi' }),
  sample('rfc3164', '<13>Nov 21 2025 10:00:00 h app: hi', { time: at('2025-11-21T10:00:00Z') }),
  sample('rfc3164', '<13>Nov 21 10:00:00 2024 h app: hi', { time: at('2024-11-21T10:00:00Z'), host: 'h' }),
  sample('rfc3164', '<13>Nov 21 10:00:00.250 CET: hi', { time: at('2026-11-21T09:00:00.250Z') }),
  sample('rfc3164', '<13>2024 Nov 21 10:00:00 CET: hi', { time: at('2024-11-21T09:00:00Z'), message: 'hi' }),
  sample('rfc3164', '<13>2026-11-21T10:00:00.000ZZ h app: hi', { time: at('2026-11-21T10:00:00Z') }),
  sample('rfc3164', '<13>2026/11/21 10:00:00 GMT h app: hi', { time: at('2026-11-21T10:00:00Z'), host: 'h' }),
  sample('rfc3164', '<13>user.info hi', { message: 'user.info hi', time_source: 'received' }),
  sample('rfc3164', '\uFEFF<13>Nov 21 10:00:00 h app: hi', { host: 'h' }),
  sample('rfc3164', '29 <13>Nov 21 10:00:00 h app: hi', { host: 'h', message: 'hi' }),
  sample('rfc3164', '<13>Nov 21 10:00:00 [192.0.2.7] app: hi', { host: '192.0.2.7' }),
  sample('rfc3164', '<134>1 1795255200.25 gw flows allow', { time: at('2026-11-21T10:00:00.250Z'), host: 'gw' }),
  sample('rfc5424', '<13>1 2026-11-21T10:00:00Z h app - - - \uFEFFhi', {
    host: 'h',
    message: 'hi',
    fields: { app_name: 'app', syslog_facility: 1, syslog_severity: 5 },
  }),
  sample('rfc5424', '<13>1 2026-11-21T10:00:00Z h app: three words only', { host: 'h', message: 'three words only' }),
];

const cefBody =
  'CEF:0|Example Vendor|Box|1.0|100|Sign-in refused|8|act=blocked src=203.0.113.9 dst=192.0.2.4 suser=ana dvchost=box-1 msg=two words\\=one sign rt=1795255200000 cs1Label=Rule cs1=deny all';

const wrapped: readonly LineSample[] = [
  sample('cef', cefBody, {
    integration: 'example_vendor',
    severity: 'high',
    message: 'two words=one sign',
    host: 'box-1',
    user: 'ana',
    src_ip: '203.0.113.9',
    dst_ip: '192.0.2.4',
    action: 'blocked',
    outcome: 'failure',
    time: at('2026-11-21T10:00:00Z'),
  }),
  sample('cef', 'CEF:0|Example Vendor|Box|1.0|100|Sign-in|8|act=login outcome=False suser=ana', {
    action: 'login',
    outcome: 'failure',
  }),
  sample('cef', 'CEF:0|Example Vendor|Box|1.0|100|Sign-in|8|act=login outcome=True', { outcome: 'success' }),
  sample('cef', `<13>Nov 21 09:00:00 relay ${cefBody}`, { host: 'box-1', user: 'ana' }, 'rfc3164'),
  sample('cef', `<13>1 2026-11-21T09:00:00Z relay ${cefBody}`, { host: 'box-1', user: 'ana' }, 'rfc5424'),
  sample('leef', 'LEEF:1.0|Ex|Box|1|4000|cat=login\tusrName=ana\tsrc=203.0.113.9\tsev=9\tdevTime=1795255200000', {
    integration: 'ex',
    event_type: 'login',
    severity: 'critical',
    user: 'ana',
    src_ip: '203.0.113.9',
    time: at('2026-11-21T10:00:00Z'),
  }),
  sample(
    'leef',
    '<13>Nov 21 10:00:00 h LEEF:2.0|Ex|Box|1|4000|^|usrName=ana^src=203.0.113.9',
    { user: 'ana' },
    'rfc3164',
  ),
  sample('leef', 'LEEF:2.0|Ex|Box|1|4000|\t|usrName=ana\tsrc=203.0.113.9', { user: 'ana', src_ip: '203.0.113.9' }),
  sample('leef', 'LEEF:2.0|Ex|Box|1|4000|x5E|usrName=ana^dst=192.0.2.4', { user: 'ana', dst_ip: '192.0.2.4' }),
  sample(
    'json',
    '<13>Nov 21 10:00:00 h app {"user":"ana","level":"warn"}',
    { user: 'ana', severity: 'medium' },
    'rfc3164',
  ),
];

const firewalls: readonly LineSample[] = [
  sample(
    'cisco_asa',
    '<166>:Nov 21 10:00:00 UTC: %ASA-6-302013: Built outbound TCP connection 7 for outside:203.0.113.9/443 (203.0.113.9/443) to inside:192.0.2.4/5000 (192.0.2.4/5000)',
    {
      integration: 'cisco_asa',
      event_type: 'traffic',
      action: 'built',
      outcome: 'success',
      src_ip: '203.0.113.9',
      dst_ip: '192.0.2.4',
      severity: 'info',
      fields: {
        syslog_facility: 20,
        syslog_severity: 6,
        message_id: '302013',
        cisco_tag: 'ASA-6-302013',
        src_interface: 'outside',
        src_port: 443,
        dst_interface: 'inside',
        dst_port: 5000,
        protocol: 'tcp',
        direction: 'outbound',
        connection_id: 7,
      },
    },
    'rfc3164',
  ),
  sample(
    'cisco_asa',
    '%FTD-4-106023: Deny tcp src outside:2001:db8::9/55 dst inside:192.0.2.4/80 by access-group "in"',
    {
      integration: 'cisco_ftd',
      action: 'deny',
      outcome: 'failure',
      src_ip: '2001:db8::9',
      dst_ip: '192.0.2.4',
    },
  ),
  sample(
    'cisco_asa',
    '%ASA-6-106100: access-list in denied tcp outside/203.0.113.9(55) -> inside/192.0.2.4(80) hit-cnt 1',
    {
      action: 'deny',
      outcome: 'failure',
      src_ip: '203.0.113.9',
      dst_ip: '192.0.2.4',
    },
  ),
  sample(
    'cisco_asa',
    '%ASA-6-106100: access-list in permitted tcp outside/203.0.113.9(55) -> inside/192.0.2.4(80) hit-cnt 1',
    { event_type: 'traffic', action: 'permit', outcome: 'success', src_ip: '203.0.113.9' },
  ),
  sample(
    'cisco_asa',
    '%ASA-6-106100: access-list in est-allowed tcp outside/203.0.113.9(55) -> inside/192.0.2.4(80) hit-cnt 1',
    { action: 'permit', outcome: 'success' },
  ),
  sample(
    'cisco_asa',
    '%ASA-6-106102: access-list in denied tcp for user ana outside/203.0.113.9(55) -> inside/192.0.2.4(80) hit-cnt 1',
    { action: 'deny', outcome: 'failure' },
  ),
  sample('cisco_asa', '%ASA-6-605005: Login permitted from 203.0.113.9/55 to inside:192.0.2.1/ssh for user "ana"', {
    event_type: 'authentication',
    action: 'login',
    outcome: 'success',
    user: 'ana',
    src_ip: '203.0.113.9',
  }),
  sample(
    'cisco_asa',
    '%ASA-6-113015: AAA user authentication Rejected : reason = Invalid password : local database : user = ana : user IP = 203.0.113.9',
    {
      action: 'login',
      outcome: 'failure',
      user: 'ana',
      src_ip: '203.0.113.9',
    },
  ),
  sample('cisco_asa', '%ASA-5-304001: ana@203.0.113.9 Accessed URL 192.0.2.4:/index.html', {
    event_type: 'web',
    user: 'ana',
    src_ip: '203.0.113.9',
    dst_ip: '192.0.2.4',
  }),
  sample(
    'cisco_event',
    '<187>000123: *Nov 21 10:00:00.123: %SEC_LOGIN-4-LOGIN_FAILED: Login failed [user: ana] [Source: 203.0.113.9]',
    {
      integration: 'cisco_ios',
      action: 'login',
      outcome: 'failure',
      user: 'ana',
      src_ip: '203.0.113.9',
      severity: 'medium',
    },
    'rfc3164',
  ),
  sample('cisco_asa', '%ASA-6-611101: User authentication succeeded: IP address: 203.0.113.9, Uname: ana', {
    action: 'login',
    outcome: 'success',
    user: 'ana',
    src_ip: '203.0.113.9',
  }),
  sample('cisco_asa', '%ASA-6-611102: User authentication failed: IP = 203.0.113.9. Uname: ana', {
    outcome: 'failure',
    user: 'ana',
    src_ip: '203.0.113.9',
  }),
  sample('cisco_event', '%SYS-5-CONFIG_I: Configured from console by ana on vty0 (203.0.113.9)', {
    event_type: 'configuration',
    action: 'configure',
    outcome: 'success',
    user: 'ana',
    src_ip: '203.0.113.9',
  }),
  sample('cisco_event', '%SYS-5-CONFIG_I: Configured from console by vty0 (203.0.113.9)', {
    user: '',
    src_ip: '203.0.113.9',
  }),
  sample('cisco_event', '%SYS-5-CONFIG_I: Configured from console by user on vty0 (203.0.113.9)', { user: 'user' }),
  sample('cisco_event', '%SYS-5-CONFIG_I: Configured from console by console', { user: '', src_ip: '' }),
  ...[
    '<189>sw1: Nov 21 10:00:00.123: %SYS-5-CONFIG_I: Configured from console by console',
    '<189>sw1: 000046: Nov 21 10:00:00.123: %SYS-5-CONFIG_I: Configured from console by console',
    '<189>45: sw1: 000046: *Nov 21 10:00:00.123 UTC: %SYS-5-CONFIG_I: Configured from console by console',
    '<189>45: sw1: Nov 21 10:00:00.123: %SYS-5-CONFIG_I: Configured from console by console',
  ].map((line) =>
    sample('cisco_event', line, { host: 'sw1', action: 'configure', time: at('2026-11-21T10:00:00.123Z') }, 'rfc3164'),
  ),
  sample(
    'cisco_event',
    '<189>45: 000046: Nov 21 10:00:00.123: %SYS-5-CONFIG_I: Configured from console by console',
    { host: '', action: 'configure', time: at('2026-11-21T10:00:00.123Z') },
    'rfc3164',
  ),
  sample(
    'cisco_event',
    '<190>000124: *Nov 21 10:00:00.123: %SEC-6-IPACCESSLOGP: list 101 denied tcp 203.0.113.9(1080) -> 192.0.2.4(80), 1 packet',
    {
      event_type: 'traffic',
      action: 'deny',
      outcome: 'failure',
      src_ip: '203.0.113.9',
      dst_ip: '192.0.2.4',
      fields: {
        syslog_facility: 23,
        syslog_severity: 6,
        facility: 'SEC',
        mnemonic: 'IPACCESSLOGP',
        access_group: '101',
        protocol: 'tcp',
        src_port: 1080,
        dst_port: 80,
      },
    },
    'rfc3164',
  ),
  sample(
    'cisco_event',
    '%SEC-6-IPACCESSLOGP: list in permitted udp 203.0.113.9(53) (GigabitEthernet0/1 0011.2233.4455) -> 192.0.2.4(53), 2 packets',
    { action: 'permit', outcome: 'success', src_ip: '203.0.113.9', dst_ip: '192.0.2.4' },
  ),
  sample(
    'cisco_event',
    '%SEC_LOGIN-4-LOGIN_FAILED: Login failed [user: ana] [Source: 2001:db8::9] [localport: 22] [Reason: Login Authentication Failed]',
    { action: 'login', outcome: 'failure', user: 'ana', src_ip: '2001:db8::9' },
  ),
  sample('cisco_event', '%SSH-5-SSH2_SESSION: SSH2 Session request from ::ffff:203.0.113.9 (tty = 0)', {
    src_ip: '203.0.113.9',
  }),
  sample('cisco_event', '%SYS-6-TTY: Session from console: fe', { src_ip: '' }),
  ...['<189>: 2026 Nov 21 11:00:00 CET: %', '<189>2026 Nov 21 10:00:00 UTC: %'].map((line) =>
    sample(
      'cisco_event',
      `${line}DAEMON-3-SYSTEM_MSG: error: PAM: Authentication failure for ana from 203.0.113.9 - sshd`,
      { severity: 'high', src_ip: '203.0.113.9', time: at('2026-11-21T10:00:00Z'), time_source: 'event' },
      'rfc3164',
    ),
  ),
  sample(
    'cisco_asa',
    '<113>Nov 21 10:00:00 fw %FTD-1-430003: EventPriority: Low, AccessControlRuleAction: Block with reset, SrcIP: 203.0.113.9, DstIP: 192.0.2.4, SrcPort: 55, DstPort: 22, Protocol: tcp, AccessControlRuleName: no-ssh, User: No Authentication Required',
    {
      integration: 'cisco_ftd',
      event_type: 'traffic',
      action: 'block_with_reset',
      outcome: 'failure',
      src_ip: '203.0.113.9',
      dst_ip: '192.0.2.4',
      user: '',
      message: 'no-ssh',
      fields: expect.objectContaining({ message_id: '430003', SrcPort: '55' }),
    },
    'rfc3164',
  ),
  sample(
    'cisco_asa',
    '%FTD-1-430001: SrcIP: 203.0.113.9, DstIP: 192.0.2.4, Protocol: tcp, Priority: 1, Message: "Exploit attempt", User: ana, AccessControlRuleAction: Allow, InlineResult: Blocked',
    { event_type: 'threat', action: 'blocked', outcome: 'failure', user: 'ana', message: '"Exploit attempt"' },
  ),
  sample(
    'cisco_asa',
    '%FTD-1-430003: AccessControlRuleAction: Allow, SrcIP: 203.0.113.9, DstIP: 192.0.2.4, UserAgent: x, SrcIP: 192.0.2.66, AccessControlRuleAction: Block, InlineResult: Blocked',
    { action: 'allow', outcome: 'success', src_ip: '203.0.113.9' },
  ),
  sample(
    'cisco_asa',
    '%FTD-1-430005: SrcIP: 203.0.113.9, DstIP: 192.0.2.4, Protocol: tcp, FileAction: Block Malware, FileName: a.exe, ThreatName: W32.Example',
    { event_type: 'threat', action: 'block_malware', outcome: 'failure', message: 'W32.Example' },
  ),
  sample('cisco_event', '%NGIPS-1-430002: AccessControlRuleAction: Allow, SrcIP: 203.0.113.9, DstIP: 192.0.2.4', {
    integration: 'cisco_firepower',
    event_type: 'traffic',
    outcome: 'success',
    src_ip: '203.0.113.9',
    dst_ip: '192.0.2.4',
  }),
  sample('cisco_event', '%SEC-6-IPACCESSLOGDP: list 101 denied icmp 203.0.113.9 -> 192.0.2.4 (8/0), 1 packet', {
    action: 'deny',
    outcome: 'failure',
    src_ip: '203.0.113.9',
    dst_ip: '192.0.2.4',
  }),
  sample(
    'panos',
    '<14>Nov 21 10:00:00 fw 1,2026/11/21 10:00:00,001,TRAFFIC,drop,1,2026/11/21 09:59:00,203.0.113.9,192.0.2.4,0.0.0.0,0.0.0.0,"rule, quoted",corp\\ana,,dns,vsys1,out,in,e1,e2,fwd,,7,1,55,53,0,0,0x0,udp,deny,70',
    {
      integration: 'panos',
      event_type: 'traffic',
      action: 'deny',
      outcome: 'failure',
      user: 'corp\\ana',
      src_ip: '203.0.113.9',
      dst_ip: '192.0.2.4',
      time: at('2026-11-21T09:59:00Z'),
    },
    'rfc3164',
  ),
  sample(
    'panos',
    '1,2026/11/21 10:00:00,001,GLOBALPROTECT,0,1,2026/11/21 10:00:00,vsys1,gateway-auth,login,LDAP,,ana,DE,ws-1,203.0.113.9,,10.0.0.9,,id,sn,6,Windows,10,1,,,Authentication failed,failure',
    {
      event_type: 'globalprotect',
      user: 'ana',
      src_ip: '203.0.113.9',
      outcome: 'failure',
    },
  ),
  sample(
    'panos',
    '1,2026-11-21T10:00:05.000000Z,001,TRAFFIC,end,10.0,2026-11-21T10:00:00.000000Z,203.0.113.9,192.0.2.4,,,out,,,dns,vsys1,out,in,e1,e2,fwd,,7,1,55,53,0,0,0x0,udp,allow',
    { event_type: 'traffic', outcome: 'success', src_ip: '203.0.113.9', time: at('2026-11-21T10:00:00Z') },
  ),
  sample(
    'panos',
    "1,2026/11/21 11:00:01,001,SYSTEM,auth,0,2026/11/21 11:00:00,,auth-fail,,0,0,general,medium,failed authentication for user 'ana'.  Reason: Invalid username/password. From: 203.0.113.9.,7,0x0,0,0,0,0,,fw-1,0,0,2026-11-21T11:00:01.250+01:00",
    {
      event_type: 'system',
      action: 'auth_fail',
      outcome: 'failure',
      user: 'ana',
      src_ip: '203.0.113.9',
      host: 'fw-1',
      time: at('2026-11-21T10:00:01.250Z'),
    },
  ),
  sample(
    'panos',
    "1,2026/11/21 10:00:00,001,SYSTEM,auth,0,2026/11/21 10:00:00,,auth-success,,0,0,general,informational,\"authenticated for user 'ana'.   auth profile 'ap', vsys 'shared', server profile 'sp', From: 203.0.113.9.\",7,0x0",
    { action: 'auth_success', outcome: 'success', user: 'ana', src_ip: '203.0.113.9' },
  ),
  sample(
    'panos',
    "1,2026/11/21 10:00:00,001,SYSTEM,auth,0,2026/11/21 10:00:00,,auth-fail,,0,0,general,medium,failed authentication for user 'x'. From: 192.0.2.66.'.  Reason: Invalid username/password. From: 2001:db8::9.,7,0x0",
    { outcome: 'failure', user: 'x', src_ip: '2001:db8::9' },
  ),
  sample(
    'panos',
    '1,2026/11/21 10:00:00,001,CONFIG,0,0,2026/11/21 10:00:00,203.0.113.9,,commit,ana,Web,Unauthorized,,7,0x0',
    { action: 'commit', outcome: 'failure', user: 'ana', src_ip: '203.0.113.9' },
  ),
  sample(
    'panos',
    '1,2026/11/21 10:00:00,001,USERID,logout,10.1,2026/11/21 10:00:00,vsys1,192.0.2.4,corp\\ana,agent,0,1,3600,0,0,vpn-client',
    { event_type: 'userid', action: 'logout', user: 'corp\\ana', src_ip: '192.0.2.4' },
  ),
  sample(
    'fortigate',
    'date=2026-11-21 time=10:00:00 devname="fw" devid="FGT1" tz="Here" logid="0101039426" type="event" subtype="vpn" level="alert" action="ssl-login-fail" user="ana" remip=203.0.113.9 msg="SSL user failed to logged in"',
    { action: 'ssl_login_fail', outcome: 'failure', user: 'ana', time: at('2026-11-21T10:00:00Z') },
  ),
  sample(
    'fortigate',
    '<185>date=2026-11-21 time=10:00:00 devname="fw" devid="FGT1" logid="0419016384" type="utm" subtype="ips" level="alert" severity="low" srcip=203.0.113.9 dstip=192.0.2.4 action="dropped" attack="x"',
    { event_type: 'utm', severity: 'low', action: 'dropped', outcome: 'failure' },
    'rfc3164',
  ),
  sample(
    'fortigate',
    'date=2026-11-21 time=10:00:00 devname="fw" devid="FGT1" logid="1" type="utm" subtype="anomaly" level="alert" severity="info"',
    {
      severity: 'info',
    },
  ),
  sample(
    'fortigate',
    'date=2026-11-21 time=10:00:00 devname="fw" devid="FGT1" logid="1" type="utm" subtype="ips" level="alert"',
    {
      severity: 'critical',
    },
  ),
  sample(
    'fortigate',
    'date=2026-11-21 time=10:00:00 devname="fw" devid="FGT1" logid="1" type="utm" subtype="virus" level="warning" severity="low"',
    {
      severity: 'medium',
    },
  ),
  sample('checkpoint', 'time=1795255200|hostname=gw|product=Firewall|action=Drop|src=203.0.113.9|dst=192.0.2.4|', {
    integration: 'checkpoint',
    event_type: 'firewall',
    action: 'drop',
    outcome: 'failure',
    host: 'gw',
    src_ip: '203.0.113.9',
  }),
  sample('checkpoint', 'time=1795255200|hostname=gw|product=IPS|action=Prevent|src=203.0.113.9|', {
    action: 'prevent',
    outcome: 'failure',
  }),
  sample('checkpoint', 'time=1795255200|hostname=gw|product=Mobile Access|action=Failed Log In|user=ana|', {
    action: 'failed_log_in',
    outcome: 'failure',
  }),
  sample('checkpoint', 'time=1795255200|hostname=gw|product=SmartConsole|operation=Log In|administrator=ana|', {
    action: 'log_in',
    outcome: 'success',
  }),
  sample('checkpoint', 'time=1795255200|hostname=gw|product=SmartConsole|operation=Log In|audit_status=Failure|', {
    action: 'log_in',
    outcome: 'failure',
  }),
  sample(
    'checkpoint',
    '<134>1 2026-11-21T10:00:00Z gw CheckPoint 13752 - [action:"Drop"; flags:"411908"; product:"VPN-1 & FireWall-1"; rule_name:"no \\"any\\"; [x]"; src:"203.0.113.9"; dst:"192.0.2.4"; ]',
    {
      integration: 'checkpoint',
      event_type: 'vpn_1_fire_wall_1',
      action: 'drop',
      outcome: 'failure',
      host: 'gw',
      src_ip: '203.0.113.9',
      dst_ip: '192.0.2.4',
      time: at('2026-11-21T10:00:00Z'),
      fields: {
        syslog_facility: 16,
        syslog_severity: 6,
        app_name: 'CheckPoint',
        proc_id: '13752',
        action: 'Drop',
        flags: '411908',
        product: 'VPN-1 & FireWall-1',
        rule_name: 'no "any"; [x]',
        src: '203.0.113.9',
        dst: '192.0.2.4',
      },
    },
    'rfc5424',
  ),
  sample(
    'checkpoint',
    '<134>1 2026-11-21 10:00:00 gw CheckPoint 13752 - [action:"Accept"; src:"203.0.113.9"; dst:"192.0.2.4"]',
    {
      host: 'gw',
      action: 'accept',
      outcome: 'success',
      src_ip: '203.0.113.9',
      time: at('2026-11-21T10:00:00Z'),
    },
    'rfc5424',
  ),
  sample(
    'junos',
    '<14>1 2026-11-21T10:00:00Z srx RT_FLOW - RT_FLOW_SESSION_DENY [junos@2636.1.1.1.2.26 source-address="203.0.113.9" destination-address="192.0.2.4" username="ana"]',
    { integration: 'juniper_junos', event_type: 'traffic', action: 'deny', outcome: 'failure', user: 'ana' },
    'rfc5424',
  ),
  sample(
    'iptables',
    '<4>Nov 21 10:00:00 gw kernel: [UFW BLOCK] IN=eth0 OUT= SRC=203.0.113.9 DST=192.0.2.4 LEN=40 PROTO=TCP SPT=1 DPT=22',
    {
      integration: 'iptables',
      action: 'block',
      outcome: 'failure',
      src_ip: '203.0.113.9',
    },
    'rfc3164',
  ),
  sample(
    'iptables',
    '<4>Nov 21 10:00:00 gw kernel: [ 5012.250112] filter_IN_public_REJECT: IN=eth0 OUT= SRC=203.0.113.9 DST=192.0.2.4 LEN=40 PROTO=TCP SPT=1 DPT=22',
    {
      action: 'block',
      outcome: 'failure',
      fields: expect.objectContaining({ rule: 'filter_IN_public_REJECT:' }),
    },
    'rfc3164',
  ),
  sample('iptables', 'FINAL_REJECT: IN=eth0 OUT= SRC=203.0.113.9 DST=192.0.2.4 LEN=40 PROTO=TCP SPT=1 DPT=22', {
    action: 'block',
  }),
  sample('iptables', '[5012.250112] [UFW ALLOW] IN=eth0 OUT= SRC=203.0.113.9 DST=192.0.2.4 LEN=40 PROTO=TCP', {
    action: 'allow',
  }),
  sample(
    'key_value',
    '<134>id=firewall sn=00 time="2026-11-21 10:00:00" fw=192.0.2.1 pri=1 m=98 msg="Connection dropped" src=203.0.113.9:55:X1 dst=192.0.2.4:80:X0',
    {
      integration: 'sonicwall',
      message: 'Connection dropped',
      src_ip: '203.0.113.9',
      dst_ip: '192.0.2.4',
      time: at('2026-11-21T10:00:00Z'),
      fields: {
        ...{ syslog_facility: 16, syslog_severity: 6, id: 'firewall', sn: '00', time: '2026-11-21 10:00:00' },
        ...{ fw: '192.0.2.1', pri: '1', m: '98', msg: 'Connection dropped' },
        ...{ src: '203.0.113.9:55:X1', dst: '192.0.2.4:80:X0', src_port: 55, dst_port: 80 },
      },
    },
    'rfc3164',
  ),
  sample('key_value', 'time="2026-11-21T10:00:00Z" level=info user=ana msg="job" tz=EST', {
    ...{ user: 'ana', message: 'job', severity: 'info', time: at('2026-11-21T10:00:00Z') },
  }),
  sample('key_value', 'time="2026-11-21T11:00:00+01:00" level=info user=ana msg="job" timezone=CET', {
    ...{ user: 'ana', message: 'job', severity: 'info', time: at('2026-11-21T10:00:00Z') },
  }),
  sample('key_value', 'time=1795255200000000 level=info user=ana msg="job" tz=CET', {
    ...{ user: 'ana', message: 'job', severity: 'info', time: at('2026-11-21T10:00:00Z') },
  }),
  sample(
    'key_value',
    'id=firewall time="2026-11-21 11:00:00" fw="sns-1" tz=+0100 startime="2026-11-21 10:59:59" pri=5 src=203.0.113.9 dst=192.0.2.4 action=block',
    { action: 'block', outcome: 'failure', src_ip: '203.0.113.9', time: at('2026-11-21T10:00:00Z') },
  ),
  sample(
    'key_value',
    '<30>device="SFW" date=2026-11-21 time=11:00:00 timezone="CET" device_name="xg-1" device_id=S1 log_id=010101600001 log_type="Firewall" log_component="Firewall Rule" log_subtype="Allowed" status="Allow" priority=Information src_ip=203.0.113.9',
    {
      integration: 'sophos_xg',
      host: 'xg-1',
      outcome: 'success',
      src_ip: '203.0.113.9',
      time: at('2026-11-21T10:00:00Z'),
      time_source: 'event',
    },
    'rfc3164',
  ),
  sample(
    'key_value',
    '<30>Nov 21 10:00:00 xg-1 device_name="SFW" timestamp="2026-11-21T11:00:00+0100" time=1 timezone="CET" log_type="Firewall" log_component="Rule"',
    { integration: 'sophos_xg', host: 'xg-1', time: at('2026-11-21T10:00:00Z') },
    'rfc3164',
  ),
  sample('key_value', 'time="2026-11-21 10:00:00" action=Deny tz=constructor src=203.0.113.9', {
    outcome: 'failure',
    time: at('2026-11-21T10:00:00Z'),
  }),
  sample(
    'snort',
    '11/21-10:00:00.250000  [**] [1:2003:8] Worm propagation [**] [Classification: Misc Attack] [Priority: 2] {UDP} 203.0.113.9:55 -> 192.0.2.4:1434',
    {
      integration: 'snort',
      event_type: 'alert',
      severity: 'medium',
      message: 'Worm propagation',
      src_ip: '203.0.113.9',
      dst_ip: '192.0.2.4',
      time: at('2026-11-21T10:00:00.250Z'),
    },
  ),
];

const linux: readonly LineSample[] = [
  sample(
    'linux_program',
    '<86>Nov 21 10:00:00 h sudo:      ana : TTY=pts/0 ; PWD=/srv/ana ; USER=root ; COMMAND=/bin/ls -l',
    {
      integration: 'sudo',
      action: 'run_as',
      outcome: 'success',
      user: 'ana',
    },
    'rfc3164',
  ),
  sample(
    'linux_program',
    '<86>Nov 21 10:00:00 h sudo: eve : user NOT in sudoers ; TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=/bin/sh',
    {
      action: 'run_as',
      outcome: 'failure',
      user: 'eve',
    },
    'rfc3164',
  ),
  sample(
    'linux_program',
    '<86>Nov 21 10:00:00 h su[7]: FAILED SU (to root) eve on pts/0',
    { action: 'switch_user', outcome: 'failure', user: 'eve' },
    'rfc3164',
  ),
  sample(
    'linux_program',
    '<86>Nov 21 10:00:00 h useradd[7]: new user: name=eve, UID=1001, GID=1001, home=/srv/eve',
    {
      action: 'create_user',
      user: 'eve',
    },
    'rfc3164',
  ),
  sample(
    'linux_program',
    '<78>Nov 21 10:00:00 h CRON[7]: (root) CMD (/usr/bin/true)',
    { integration: 'cron', user: 'root' },
    'rfc3164',
  ),
  sample(
    'auditd',
    'type=USER_LOGIN msg=audit(1795255200.250:7): pid=1 uid=0 msg=\'op=login acct="ana" exe="/usr/sbin/sshd" hostname=? addr=203.0.113.9 terminal=sshd res=failed\'',
    {
      integration: 'auditd',
      event_type: 'authentication',
      action: 'login',
      outcome: 'failure',
      user: 'ana',
      src_ip: '203.0.113.9',
      time: at('2026-11-21T10:00:00.250Z'),
    },
  ),
  sample(
    'auditd',
    '<13>Nov 21 10:00:00 h audit: type=USER_START msg=audit(1795255200.250:9): pid=1 auid=4294967295 res=1#035AUID="unset" UID="root"',
    { outcome: 'success', user: 'root', fields: expect.objectContaining({ res: '1', AUID: 'unset', UID: 'root' }) },
    'rfc3164',
  ),
  sample(
    'auditd',
    'type=SYSCALL msg=audit(1795255200.250:9): success=no comm="a#035b"#035SYSCALL=open AUID="ana" UID="root"',
    {
      outcome: 'failure',
      user: 'ana',
      fields: expect.objectContaining({ comm: 'a#035b', SYSCALL: 'open' }),
    },
  ),
  sample('auditd', 'node=h type=PROCTITLE msg=audit(1795255200.250:8): proctitle=6C73002D6C', {
    host: 'h',
    event_type: 'process',
  }),
];

const web: readonly LineSample[] = [
  sample(
    'web_access',
    '203.0.113.9 - ana [21/Nov/2026:11:00:00 +0100] "GET /a?b=1 HTTP/1.1" 404 12 "-" "curl/8 \\"x\\""',
    {
      integration: 'webserver',
      action: 'get',
      outcome: 'failure',
      user: 'ana',
      src_ip: '203.0.113.9',
      time: at('2026-11-21T10:00:00Z'),
    },
  ),
  sample(
    'web_access',
    '<190>Nov 21 10:00:00 web nginx: 2001:db8::9 - - [21/Nov/2026:10:00:00 +0000] "POST /login HTTP/2.0" 200 -',
    {
      integration: 'nginx',
      action: 'post',
      src_ip: '2001:db8::9',
    },
    'rfc3164',
  ),
  sample(
    'nginx_error',
    '2026/11/21 10:00:00 [error] 7#7: *3 open() failed, client: 203.0.113.9, server: www, request: "GET / HTTP/1.1"',
    {
      integration: 'nginx',
      severity: 'high',
      src_ip: '203.0.113.9',
      time: at('2026-11-21T10:00:00Z'),
    },
  ),
  sample(
    'apache_error',
    '[Sat Nov 21 10:00:00.250000 2026] [core:error] [pid 7:tid 8] [client 203.0.113.9:55] AH00124: too many redirects',
    {
      integration: 'apache',
      severity: 'high',
      src_ip: '203.0.113.9',
      message: 'AH00124: too many redirects',
      time: at('2026-11-21T10:00:00.250Z'),
    },
  ),
  sample('squid', '1795255200.250    161 203.0.113.9 TCP_DENIED/403 0 CONNECT shop.example:443 ana HIER_NONE/- -', {
    integration: 'squid',
    action: 'connect',
    outcome: 'failure',
    user: 'ana',
    src_ip: '203.0.113.9',
  }),
  sample(
    'zeek_tsv',
    '1795255200.250000\tCabcdefghijklmn1\t203.0.113.9\t55\t192.0.2.4\t443\ttcp\tssl\t1.5\t10\t20\tREJ\t-\t-\t0\tS\t1\t40\t1\t40\t-',
    {
      integration: 'zeek',
      event_type: 'conn',
      outcome: 'failure',
      src_ip: '203.0.113.9',
      dst_ip: '192.0.2.4',
    },
  ),
  sample('zeek_tsv', '#fields\tts\tuid', { integration: 'zeek', event_type: 'header' }),
];

export const lineSamples: readonly LineSample[] = [...headers, ...wrapped, ...firewalls, ...linux, ...web];
