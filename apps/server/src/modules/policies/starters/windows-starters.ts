import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { contains, containsAll, endsWith, equals, oneOf, type Starter, starter } from './starter.ts';

/** Processes start in Sysmon's log and in the Security log. */
const processes = [
  ['sysmon', 'process'],
  ['windows', 'process'],
] as const;

const scriptHosts = ['\\cmd.exe', '\\powershell.exe', '\\pwsh.exe', '\\wscript.exe', '\\cscript.exe', '\\mshta.exe'];
const writableFolders = ['\\Temp\\', '\\AppData\\', '\\Users\\Public\\', '\\ProgramData\\', '\\Perflogs\\'];

const starters: readonly Starter[] = [
  {
    name: 'Windows event log cleared',
    about: 'Somebody cleared an event log. Hardly ever needed, and what intruders do before they leave.',
    technique: 'T1070.001',
    severity: 'high',
    sources: [['windows']],
    criteria: [equals('action', 'clear_log')],
    groupBy: ['host'],
  },
  {
    name: 'Service installed from a folder anybody can write to',
    about: 'A new Windows service starts a program out of a temporary or public folder, with the rights of the system.',
    technique: 'T1543.003',
    severity: 'high',
    sources: [['windows', 'service']],
    criteria: [
      equals('action', 'install_service'),
      { any: [contains('ImagePath', ...writableFolders), contains('ServiceFileName', ...writableFolders)] },
    ],
    groupBy: ['host'],
  },
  {
    name: 'Scheduled task runs a script',
    about: 'A new scheduled task starts a script host. Programs rarely do that; intruders do it to survive a restart.',
    technique: 'T1053.005',
    severity: 'medium',
    sources: [['windows', 'task']],
    criteria: [
      equals('action', 'create_task'),
      contains('TaskContent', 'powershell', 'pwsh', 'cmd.exe', 'wscript', 'cscript', 'mshta', 'rundll32'),
    ],
    groupBy: ['host'],
    suppressForS: 3_600,
  },
  {
    name: 'User added to a Windows administrators’ group',
    about: 'A user joined a group that rules a computer or the whole domain.',
    technique: 'T1098.007',
    severity: 'high',
    sources: [['windows', 'account']],
    criteria: [
      equals('action', 'add_to_group'),
      oneOf('TargetUserName', [
        'Administrators',
        'Domain Admins',
        'Enterprise Admins',
        'Schema Admins',
        'Account Operators',
        'Backup Operators',
        'DnsAdmins',
      ]),
    ],
    groupBy: ['TargetUserName'],
    suppressForS: 900,
  },
  {
    name: 'Many Windows accounts locked',
    about: 'Several accounts were locked within minutes: somebody tries passwords on all of them.',
    technique: 'T1110.003',
    severity: 'high',
    sources: [['windows', 'account']],
    criteria: [equals('action', 'lock_account')],
    groupBy: [],
    threshold: { count: 5, within_s: 600, distinct_field: 'TargetUserName' },
    suppressForS: 3_600,
  },
  {
    name: 'Windows password guessing',
    about: 'One address fails to sign in to Windows hosts again and again.',
    technique: 'T1110.001',
    severity: 'medium',
    sources: [['windows', 'authentication']],
    criteria: [equals('action', 'login'), equals('outcome', 'failure')],
    groupBy: ['src_ip'],
    threshold: { count: 10, within_s: 300 },
    suppressForS: 1_800,
  },
  {
    name: 'Windows password spraying',
    about: 'One address fails to sign in as many different Windows users. A few guesses each stay below the lock-out.',
    technique: 'T1110.003',
    severity: 'high',
    sources: [['windows', 'authentication']],
    criteria: [equals('action', 'login'), equals('outcome', 'failure')],
    groupBy: ['src_ip'],
    threshold: { count: 10, within_s: 900, distinct_field: 'TargetUserName' },
    suppressForS: 3_600,
  },
  {
    name: 'PowerShell with a hidden command',
    about: 'PowerShell was started with its command in Base64, so that nobody can read it in passing.',
    technique: 'T1059.001',
    severity: 'high',
    sources: processes,
    criteria: [
      endsWith('Image', '\\powershell.exe', '\\pwsh.exe'),
      {
        field: 'CommandLine',
        operator: 'regex',
        value: '(?i)\\s[-/]e(?:nc|nco|ncod|ncode|ncoded\\w*|c)?\\s+["\']?[A-Za-z0-9+/=]{16,}',
      },
    ],
    groupBy: ['host'],
    suppressForS: 3_600,
  },
  {
    name: 'Office program starts a shell',
    about: 'Word, Excel, PowerPoint or Outlook started a shell or script host: a document with a macro does that.',
    technique: 'T1204.002',
    severity: 'high',
    sources: processes,
    criteria: [
      endsWith('ParentImage', '\\winword.exe', '\\excel.exe', '\\powerpnt.exe', '\\outlook.exe', '\\mspub.exe'),
      endsWith('Image', ...scriptHosts),
    ],
    groupBy: ['host'],
  },
  {
    name: 'Shadow copies deleted',
    about: 'The copies Windows keeps of older states were deleted. Ransomware does this before it encrypts.',
    technique: 'T1490',
    severity: 'critical',
    sources: processes,
    criteria: [
      {
        any: [
          containsAll('CommandLine', 'vssadmin', 'delete', 'shadows'),
          containsAll('CommandLine', 'wmic', 'shadowcopy', 'delete'),
          containsAll('CommandLine', 'vssadmin', 'resize', 'shadowstorage'),
          containsAll('CommandLine', 'wbadmin', 'delete', 'catalog'),
        ],
      },
    ],
    groupBy: ['host'],
  },
  {
    name: 'Memory of LSASS read',
    about:
      'A program opened the process that holds the passwords of signed-in users, with the right to read its memory.',
    technique: 'T1003.001',
    severity: 'critical',
    sources: [['sysmon', 'process']],
    criteria: [
      equals('action', 'access_process'),
      endsWith('TargetImage', '\\lsass.exe'),
      oneOf('GrantedAccess', ['0x1010', '0x1038', '0x1410', '0x1418', '0x143a', '0x1438', '0x1fffff', '0x1f0fff']),
      {
        not: {
          any: [
            endsWith('SourceImage', '\\MsMpEng.exe', '\\csrss.exe', '\\wininit.exe', '\\svchost.exe', '\\services.exe'),
            contains('SourceImage', '\\Windows Defender\\'),
          ],
        },
      },
    ],
    groupBy: ['host'],
  },
  {
    name: 'Program starts with every sign-in',
    about: 'A Run key of the registry now starts a script or a program out of a folder anybody can write to.',
    technique: 'T1547.001',
    severity: 'medium',
    sources: [['sysmon', 'registry']],
    criteria: [
      equals('action', 'set_value'),
      contains('TargetObject', '\\CurrentVersion\\Run\\', '\\CurrentVersion\\RunOnce\\'),
      contains('Details', ...writableFolders, 'powershell', 'mshta', 'rundll32', 'wscript', 'regsvr32'),
    ],
    groupBy: ['host'],
  },
  {
    name: 'Microsoft Defender switched off',
    about: 'Defender’s protection was switched off, by its own event or through the registry.',
    technique: 'T1562.001',
    severity: 'high',
    sources: [['windows'], ['sysmon', 'registry']],
    criteria: [
      {
        any: [
          { all: [oneOf('EventID', ['5001', '5010', '5012']), contains('Channel', 'Windows Defender')] },
          {
            all: [
              contains('TargetObject', '\\Windows Defender\\'),
              endsWith(
                'TargetObject',
                '\\DisableRealtimeMonitoring',
                '\\DisableAntiSpyware',
                '\\DisableBehaviorMonitoring',
              ),
              contains('Details', '0x00000001'),
            ],
          },
        ],
      },
    ],
    groupBy: ['host'],
    suppressForS: 900,
  },
  {
    name: 'Program bound to a WMI event',
    about: 'WMI now starts something whenever an event happens: a hiding place that survives restarts.',
    technique: 'T1546.003',
    severity: 'high',
    sources: [['sysmon', 'wmi']],
    criteria: [equals('action', 'bind_consumer')],
    groupBy: ['host'],
  },
  {
    name: 'Kerberos tickets with weak encryption',
    about:
      'One user asked for tickets of many services with RC4, which can be broken at home to learn their passwords.',
    technique: 'T1558.003',
    severity: 'high',
    sources: [['windows', 'authentication']],
    criteria: [
      equals('action', 'request_service_ticket'),
      equals('TicketEncryptionType', '0x17'),
      { not: endsWith('ServiceName', '$') },
      { not: equals('ServiceName', 'krbtgt') },
    ],
    groupBy: ['TargetUserName'],
    threshold: { count: 5, within_s: 600, distinct_field: 'ServiceName' },
    suppressForS: 3_600,
  },
];

export const windowsStarters: readonly PolicyRule[] = starters.map(starter);
