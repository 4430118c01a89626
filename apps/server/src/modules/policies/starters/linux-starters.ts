import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { equals, oneOf, type Starter, starter } from './starter.ts';

const starters: readonly Starter[] = [
  {
    name: 'SSH sign-in as root',
    about:
      'Somebody signed in over SSH as root. People should sign in under their own name and raise their rights after that.',
    technique: 'T1078.003',
    severity: 'medium',
    sources: [['sshd', 'authentication']],
    criteria: [equals('action', 'login'), equals('outcome', 'success'), equals('user', 'root')],
    groupBy: ['host', 'src_ip'],
    suppressForS: 3_600,
  },
  {
    name: 'SSH guessing of user names',
    about:
      'One address tries names over SSH that do not exist here: a list of common names, worked off one after the other.',
    technique: 'T1110.003',
    severity: 'medium',
    sources: [['sshd', 'authentication']],
    criteria: [equals('outcome', 'failure'), equals('invalid_user', 'true')],
    groupBy: ['src_ip'],
    threshold: { count: 5, within_s: 600, distinct_field: 'user' },
    suppressForS: 3_600,
  },
  {
    name: 'sudo refused',
    about:
      'sudo turned somebody away, for a wrong password or a right that person does not have, several times in a row.',
    technique: 'T1548.003',
    severity: 'medium',
    sources: [['sudo', 'process']],
    criteria: [equals('action', 'run_as'), equals('outcome', 'failure')],
    groupBy: ['host', 'user'],
    threshold: { count: 3, within_s: 600 },
  },
  {
    name: 'Root shell through sudo',
    about: 'Somebody opened a shell as root with sudo. What is done in it is not written down command by command.',
    technique: 'T1548.003',
    severity: 'low',
    sources: [['sudo', 'process']],
    criteria: [
      equals('outcome', 'success'),
      equals('target_user', 'root'),
      { field: 'command', operator: 'regex', value: '^(?:\\S*/)?(?:ba|da|z|k|c|tc|fi)?sh(?:\\s+-\\w+)*$' },
    ],
    groupBy: ['host', 'user'],
    suppressForS: 3_600,
  },
  {
    name: 'su to root fails repeatedly',
    about: 'Somebody on the host tries passwords of root with su.',
    technique: 'T1110.001',
    severity: 'medium',
    sources: [['su', 'authentication']],
    criteria: [equals('action', 'switch_user'), equals('outcome', 'failure'), equals('target_user', 'root')],
    groupBy: ['host', 'user'],
    threshold: { count: 3, within_s: 600 },
  },
  {
    name: 'New local user on Linux',
    about: 'A user was created on a Linux host. Harmless during maintenance; otherwise a way to come back.',
    technique: 'T1136.001',
    severity: 'medium',
    sources: [['linux_accounts', 'account']],
    criteria: [equals('action', 'create_user')],
    groupBy: ['host', 'user'],
  },
  {
    name: 'User added to an administrators’ group on Linux',
    about: 'A user joined a group whose members can become root.',
    technique: 'T1098.007',
    severity: 'high',
    sources: [['linux_accounts', 'account']],
    criteria: [
      equals('action', 'add_to_group'),
      oneOf('group', ['sudo', 'wheel', 'root', 'admin', 'adm', 'docker', 'lxd', 'disk', 'shadow']),
    ],
    groupBy: ['host', 'user'],
  },
  {
    name: 'Cron jobs changed',
    about: 'Somebody replaced the cron jobs of a user. Attackers keep their way in with a job that starts them again.',
    technique: 'T1053.003',
    severity: 'low',
    sources: [['cron', 'configuration']],
    criteria: [equals('action', 'change_jobs'), { field: 'message', operator: 'contains', value: 'REPLACE' }],
    groupBy: ['host', 'user'],
    suppressForS: 3_600,
  },
  {
    name: 'Linux audit system stopped',
    about: 'The audit daemon ended, or its rules were removed: what happens from now on is not written down.',
    technique: 'T1562.012',
    severity: 'high',
    sources: [['auditd']],
    criteria: [
      {
        any: [
          oneOf('audit_type', ['DAEMON_END', 'DAEMON_ABORT']),
          { all: [equals('audit_type', 'CONFIG_CHANGE'), equals('op', 'remove_rule')] },
        ],
      },
    ],
    groupBy: ['host'],
    suppressForS: 900,
  },
];

export const linuxStarters: readonly PolicyRule[] = starters.map(starter);
