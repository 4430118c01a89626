import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { contains, equals, oneOf, type Starter, starter } from './starter.ts';

const okta: Starter['sources'] = [['okta', 'system_log']];
const entraAudit: Starter['sources'] = [['entra_id', 'audit']];
const entraSignIn: Starter['sources'] = [['entra_id', 'sign_in']];

const starters: readonly Starter[] = [
  {
    name: 'Okta second factor removed',
    about: 'A second factor of an Okta user was removed. Intruders replace it by their own.',
    technique: 'T1556.006',
    severity: 'medium',
    sources: okta,
    criteria: [equals('action', 'disable_mfa'), equals('outcome', 'success')],
    groupBy: ['user'],
    suppressForS: 900,
  },
  {
    name: 'Okta administrator rights granted',
    about: 'Somebody was given administrator rights in Okta, directly or through a group.',
    technique: 'T1098.003',
    severity: 'high',
    sources: okta,
    criteria: [
      oneOf('eventType', ['user.account.privilege.grant', 'group.privilege.grant', 'iam.resourceset.bindings.add']),
    ],
    groupBy: ['user'],
  },
  {
    name: 'Okta accounts locked',
    about: 'Several Okta accounts were locked within ten minutes.',
    technique: 'T1110.003',
    severity: 'medium',
    sources: okta,
    criteria: [equals('action', 'lock_account')],
    groupBy: [],
    threshold: { count: 3, within_s: 600, distinct_field: 'user' },
    suppressForS: 3_600,
  },
  {
    name: 'Okta push requests turned down',
    about: 'A user turns down one push request after the other: somebody has the password and hopes for a tired thumb.',
    technique: 'T1621',
    severity: 'high',
    sources: okta,
    criteria: [
      {
        any: [
          equals('eventType', 'user.mfa.okta_verify.deny_push'),
          { all: [equals('eventType', 'user.authentication.auth_via_mfa'), equals('outcome', 'failure')] },
        ],
      },
    ],
    groupBy: ['user'],
    threshold: { count: 4, within_s: 600 },
    suppressForS: 1_800,
  },
  {
    name: 'Okta sign-on policy weakened',
    about: 'A policy or rule that decides how people sign in to Okta was switched off, changed or deleted.',
    technique: 'T1556.006',
    severity: 'medium',
    sources: okta,
    criteria: [
      oneOf('eventType', [
        'policy.lifecycle.deactivate',
        'policy.lifecycle.delete',
        'policy.lifecycle.update',
        'policy.rule.deactivate',
        'policy.rule.delete',
        'policy.rule.update',
        'zone.deactivate',
        'zone.delete',
      ]),
    ],
    groupBy: ['user'],
    suppressForS: 1_800,
  },
  {
    name: 'Entra ID repeated sign-in failures',
    about: 'Several sign-ins of one Entra ID user fail within ten minutes.',
    technique: 'T1110.001',
    severity: 'medium',
    sources: entraSignIn,
    criteria: [equals('action', 'login'), equals('outcome', 'failure')],
    groupBy: ['user'],
    threshold: { count: 8, within_s: 600 },
    suppressForS: 1_800,
  },
  {
    name: 'Entra ID password spray',
    about: 'One address fails to sign in to Entra ID as many different users.',
    technique: 'T1110.003',
    severity: 'high',
    sources: entraSignIn,
    criteria: [equals('action', 'login'), equals('outcome', 'failure')],
    groupBy: ['src_ip'],
    threshold: { count: 10, within_s: 900, distinct_field: 'user' },
    suppressForS: 3_600,
  },
  {
    name: 'Entra ID risky sign-in succeeded',
    about: 'Microsoft rated a sign-in as a high risk, and it succeeded.',
    technique: 'T1078.004',
    severity: 'high',
    sources: entraSignIn,
    criteria: [equals('outcome', 'success'), equals('severity', 'high')],
    groupBy: ['user'],
    suppressForS: 3_600,
  },
  {
    name: 'Entra ID role assigned',
    about: 'Somebody was given a role of the directory, for good or as one that can be switched on.',
    technique: 'T1098.003',
    severity: 'high',
    sources: entraAudit,
    criteria: [
      oneOf('action', [
        'add_member_to_role',
        'add_eligible_member_to_role',
        'add_member_to_role_completed_pim_activation',
      ]),
      equals('outcome', 'success'),
    ],
    groupBy: ['user'],
  },
  {
    name: 'Entra ID consent to an application',
    about:
      'A user or administrator let an application into mail, files or the directory. Phishing asks for that as well.',
    technique: 'T1528',
    severity: 'medium',
    sources: entraAudit,
    criteria: [oneOf('action', ['consent_to_application', 'add_delegated_permission_grant'])],
    groupBy: ['user'],
  },
  {
    name: 'Credentials added to an Entra ID application',
    about: 'An application or service principal has a new secret or certificate: a way in that needs no user.',
    technique: 'T1098.001',
    severity: 'high',
    sources: entraAudit,
    criteria: [
      {
        any: [
          contains('action', 'certificates_and_secrets_management'),
          equals('action', 'add_service_principal_credentials'),
        ],
      },
    ],
    groupBy: ['user'],
  },
  {
    name: 'Microsoft 365 inbox rule forwards mail',
    about: 'A new or changed inbox rule sends mail to somebody else. Fraudsters read along that way for weeks.',
    technique: 'T1114.003',
    severity: 'high',
    sources: [['m365']],
    criteria: [
      oneOf('action', ['create_inbox_rule', 'change_inbox_rule']),
      contains('*', 'ForwardTo', 'RedirectTo', 'ForwardAsAttachmentTo'),
    ],
    groupBy: ['user'],
  },
  {
    name: 'Microsoft 365 mailbox opened to another user',
    about: 'Somebody was given full access to a mailbox.',
    technique: 'T1098.002',
    severity: 'medium',
    sources: [['m365']],
    criteria: [equals('Operation', 'Add-MailboxPermission'), contains('*', 'FullAccess')],
    groupBy: ['user'],
  },
  {
    name: 'Microsoft 365 audit log switched off',
    about: 'The unified audit log was switched off for the organization or for a mailbox.',
    technique: 'T1562.008',
    severity: 'critical',
    sources: [['m365']],
    criteria: [
      {
        any: [
          { all: [equals('Operation', 'Set-AdminAuditLogConfig'), contains('*', 'UnifiedAuditLogIngestionEnabled')] },
          { all: [equals('Operation', 'Set-MailboxAuditBypassAssociation'), contains('*', 'AuditBypassEnabled')] },
        ],
      },
    ],
    groupBy: ['user'],
  },
];

export const identityStarters: readonly PolicyRule[] = starters.map(starter);
