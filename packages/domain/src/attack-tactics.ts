/**
 * Tactics of MITRE ATT&CK in the order of an attack, each with the techniques that policies name most, under the tactic
 * they serve first. A technique that is not here stands under "Other". ATT&CK is a trademark of The MITRE Corporation.
 */
const tactics: readonly (readonly [name: string, techniques: Readonly<Record<string, string>>])[] = [
  ['Reconnaissance', { T1589: 'Identity information', T1590: 'Network information', T1595: 'Active scanning' }],
  [
    'Initial access',
    {
      T1189: 'Drive-by compromise',
      T1190: 'Public-facing application',
      T1133: 'External remote services',
      T1195: 'Supply chain',
      T1199: 'Trusted relationship',
      T1566: 'Phishing',
      T1078: 'Valid accounts',
    },
  ],
  [
    'Execution',
    {
      T1047: 'WMI',
      T1053: 'Scheduled task',
      T1059: 'Command interpreter',
      T1106: 'Native API',
      T1129: 'Shared modules',
      T1203: 'Client exploitation',
      T1204: 'User execution',
      T1559: 'Inter-process communication',
      T1569: 'System services',
      T1610: 'Deploy container',
      T1651: 'Cloud administration command',
    },
  ],
  [
    'Persistence',
    {
      T1098: 'Account manipulation',
      T1136: 'Create account',
      T1137: 'Office startup',
      T1197: 'BITS jobs',
      T1505: 'Server component',
      T1543: 'System process',
      T1546: 'Event-triggered execution',
      T1547: 'Autostart',
      T1554: 'Host software binary',
      T1574: 'Execution flow hijack',
    },
  ],
  [
    'Privilege escalation',
    {
      T1055: 'Process injection',
      T1068: 'Privilege exploitation',
      T1134: 'Access token',
      T1484: 'Domain policy',
      T1548: 'Elevation control',
      T1611: 'Escape to host',
    },
  ],
  [
    'Defense evasion',
    {
      T1027: 'Obfuscation',
      T1036: 'Masquerading',
      T1070: 'Indicator removal',
      T1112: 'Registry',
      T1127: 'Trusted developer tools',
      T1140: 'Deobfuscation',
      T1202: 'Indirect execution',
      T1207: 'Rogue domain controller',
      T1216: 'Signed script proxy',
      T1218: 'Signed binary proxy',
      T1220: 'XSL scripts',
      T1222: 'File permissions',
      T1550: 'Alternate authentication',
      T1553: 'Trust controls',
      T1562: 'Impaired defenses',
      T1564: 'Hidden artefacts',
      T1578: 'Cloud compute',
    },
  ],
  [
    'Credential access',
    {
      T1003: 'Credential dumping',
      T1040: 'Sniffing',
      T1056: 'Input capture',
      T1110: 'Brute force',
      T1111: 'MFA interception',
      T1187: 'Forced authentication',
      T1212: 'Credential exploitation',
      T1528: 'Application token',
      T1539: 'Session cookie',
      T1552: 'Unsecured credentials',
      T1555: 'Password stores',
      T1556: 'Authentication process',
      T1557: 'Adversary in the middle',
      T1558: 'Kerberos tickets',
      T1606: 'Forged credentials',
      T1621: 'MFA fatigue',
    },
  ],
  [
    'Discovery',
    {
      T1007: 'Services',
      T1010: 'Windows',
      T1012: 'Registry query',
      T1016: 'Network configuration',
      T1018: 'Remote systems',
      T1033: 'Owner or user',
      T1046: 'Network services',
      T1049: 'Connections',
      T1057: 'Processes',
      T1069: 'Permission groups',
      T1082: 'System information',
      T1083: 'Files and folders',
      T1087: 'Accounts',
      T1135: 'Network shares',
      T1201: 'Password policy',
      T1482: 'Domain trust',
      T1518: 'Software',
      T1526: 'Cloud services',
      T1580: 'Cloud infrastructure',
    },
  ],
  [
    'Lateral movement',
    {
      T1021: 'Remote services',
      T1072: 'Deployment tools',
      T1080: 'Tainted shared content',
      T1210: 'Remote exploitation',
      T1534: 'Internal phishing',
      T1563: 'Session hijack',
      T1570: 'Tool transfer',
    },
  ],
  [
    'Collection',
    {
      T1005: 'Local data',
      T1039: 'Shared drive data',
      T1074: 'Data staging',
      T1113: 'Screen capture',
      T1114: 'E-mail',
      T1115: 'Clipboard',
      T1119: 'Automated collection',
      T1123: 'Audio',
      T1213: 'Repositories',
      T1530: 'Cloud storage',
      T1560: 'Archives',
    },
  ],
  [
    'Command and control',
    {
      T1071: 'Application protocols',
      T1090: 'Proxy',
      T1095: 'Other protocols',
      T1102: 'Web service',
      T1104: 'Stages',
      T1105: 'Ingress tool transfer',
      T1132: 'Data encoding',
      T1219: 'Remote access software',
      T1568: 'Dynamic resolution',
      T1571: 'Unusual port',
      T1572: 'Tunnelling',
      T1573: 'Encrypted channel',
    },
  ],
  [
    'Exfiltration',
    {
      T1011: 'Other medium',
      T1020: 'Automated exfiltration',
      T1029: 'Scheduled transfer',
      T1030: 'Size limits',
      T1041: 'Over command channel',
      T1048: 'Alternative protocol',
      T1052: 'Physical medium',
      T1537: 'To cloud account',
      T1567: 'Over web service',
    },
  ],
  [
    'Impact',
    {
      T1485: 'Data destruction',
      T1486: 'Encryption for impact',
      T1489: 'Service stop',
      T1490: 'Recovery inhibited',
      T1491: 'Defacement',
      T1496: 'Resource hijacking',
      T1498: 'Network denial',
      T1499: 'Endpoint denial',
      T1529: 'Shutdown',
      T1531: 'Access removal',
      T1561: 'Disk wipe',
      T1565: 'Data manipulation',
    },
  ],
];

const OTHER = 'Other';

/** In the order of an attack. */
export const tacticNames: readonly string[] = tactics.map(([name]) => name);

const placeOf = new Map(
  tactics.flatMap(([tactic, techniques]) =>
    Object.entries(techniques).map(([id, name]) => [id, { tactic, name }] as const),
  ),
);

/** Name of a technique, of the one above it for a part of one; empty where it is not in the table. */
export function techniqueName(id: string): string {
  return placeOf.get(id.slice(0, 5))?.name ?? '';
}

/** Groups in the order of an attack; those without any are left out. */
export function byTactic<T extends { technique: string }>(
  techniques: readonly T[],
): { tactic: string; techniques: T[] }[] {
  const of = ({ technique }: T) => placeOf.get(technique.slice(0, 5))?.tactic ?? OTHER;
  return [...tacticNames, OTHER].flatMap((tactic) => {
    const own = techniques.filter((each) => of(each) === tactic);
    return own.length === 0
      ? []
      : [{ tactic, techniques: own.toSorted((a, b) => a.technique.localeCompare(b.technique)) }];
  });
}
