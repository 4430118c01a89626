import type { Criterion, PolicyRule } from '@airdeck/contracts/policies/schema';

/** MITRE ATT&CK techniques the shipped policies are about: name and tactic. */
const techniqueNames = {
  'T1003.001': 'OS Credential Dumping: LSASS Memory (Credential Access)',
  T1046: 'Network Service Discovery (Discovery)',
  'T1053.003': 'Scheduled Task/Job: Cron (Persistence)',
  'T1053.005': 'Scheduled Task/Job: Scheduled Task (Persistence)',
  'T1059.001': 'Command and Scripting Interpreter: PowerShell (Execution)',
  'T1070.001': 'Indicator Removal: Clear Windows Event Logs (Defense Evasion)',
  'T1071.004': 'Application Layer Protocol: DNS (Command and Control)',
  'T1078.003': 'Valid Accounts: Local Accounts (Initial Access)',
  'T1078.004': 'Valid Accounts: Cloud Accounts (Initial Access)',
  T1078: 'Valid Accounts (Initial Access)',
  'T1098.001': 'Account Manipulation: Additional Cloud Credentials (Persistence)',
  'T1098.002': 'Account Manipulation: Additional Email Delegate Permissions (Persistence)',
  'T1098.003': 'Account Manipulation: Additional Cloud Roles (Persistence)',
  'T1098.007': 'Account Manipulation: Additional Local or Domain Groups (Persistence)',
  'T1110.001': 'Brute Force: Password Guessing (Credential Access)',
  'T1110.003': 'Brute Force: Password Spraying (Credential Access)',
  'T1114.003': 'Email Collection: Email Forwarding Rule (Collection)',
  'T1136.001': 'Create Account: Local Account (Persistence)',
  T1190: 'Exploit Public-Facing Application (Initial Access)',
  'T1204.002': 'User Execution: Malicious File (Execution)',
  T1213: 'Data from Information Repositories (Collection)',
  T1490: 'Inhibit System Recovery (Impact)',
  'T1505.003': 'Server Software Component: Web Shell (Persistence)',
  T1528: 'Steal Application Access Token (Credential Access)',
  T1530: 'Data from Cloud Storage (Collection)',
  'T1543.003': 'Create or Modify System Process: Windows Service (Persistence)',
  'T1546.003': 'Event Triggered Execution: Windows Management Instrumentation Event Subscription (Persistence)',
  'T1547.001': 'Boot or Logon Autostart Execution: Registry Run Keys (Persistence)',
  'T1548.003': 'Abuse Elevation Control Mechanism: Sudo and Sudo Caching (Privilege Escalation)',
  'T1556.006': 'Modify Authentication Process: Multi-Factor Authentication (Credential Access)',
  'T1558.003': 'Steal or Forge Kerberos Tickets: Kerberoasting (Credential Access)',
  'T1562.001': 'Impair Defenses: Disable or Modify Tools (Defense Evasion)',
  'T1562.007': 'Impair Defenses: Disable or Modify Cloud Firewall (Defense Evasion)',
  'T1562.008': 'Impair Defenses: Disable or Modify Cloud Logs (Defense Evasion)',
  'T1562.012': 'Impair Defenses: Disable or Modify Linux Audit System (Defense Evasion)',
  T1567: 'Exfiltration Over Web Service (Exfiltration)',
  T1580: 'Cloud Infrastructure Discovery (Discovery)',
  'T1595.002': 'Active Scanning: Vulnerability Scanning (Reconnaissance)',
  T1621: 'Multi-Factor Authentication Request Generation (Credential Access)',
} as const satisfies Record<string, string>;

export type Technique = keyof typeof techniqueNames;

export type Starter = {
  readonly name: string;
  readonly about: string;
  readonly technique: Technique;
  readonly severity: PolicyRule['severity'];
  /** Integration and event type, the type left out for any; several of the same kind of events. */
  readonly sources: readonly (readonly [integration: string, eventType?: string])[];
  readonly criteria: readonly Criterion[];
  readonly groupBy: readonly string[];
  readonly threshold?: PolicyRule['logic']['threshold'];
  readonly suppressForS?: number;
};

export function starter(given: Starter): PolicyRule {
  const { name, about, technique, severity, criteria, groupBy, threshold, suppressForS } = given;
  const [first, ...others] = given.sources.map(([integration, eventType = '']) => ({
    connector_definition_id: integration,
    event_type: eventType,
  }));
  return {
    name,
    description: `${about}\n\nMITRE ATT&CK: ${technique} ${techniqueNames[technique]}.`,
    type: 'custom',
    severity,
    techniques: [technique],
    logic: {
      rule_type: 'filter_and_group',
      filter_criteria: [...criteria],
      group_by: [...groupBy],
      ...(threshold === undefined ? {} : { threshold }),
      ...(suppressForS === undefined ? {} : { suppress_for_s: suppressForS }),
      source: {
        source_type: 'log',
        ...(first ?? { connector_definition_id: '', event_type: '' }),
        ...(others.length === 0 ? {} : { also: others }),
      },
    },
  };
}

export function equals(field: string, value: string | number): Criterion {
  return { field, operator: 'equals', value };
}

export function oneOf(field: string, value: string[]): Criterion {
  return { field, operator: 'in', value };
}

export function contains(field: string, ...value: string[]): Criterion {
  return { field, operator: 'contains', value };
}

export function containsAll(field: string, ...value: string[]): Criterion {
  return { field, operator: 'contains', value, match: 'all' };
}

export function endsWith(field: string, ...value: string[]): Criterion {
  return { field, operator: 'endswith', value };
}
