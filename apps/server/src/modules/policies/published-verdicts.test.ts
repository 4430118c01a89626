import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Criterion } from '@airdeck/contracts/policies/schema';
import { compilePolicies, evaluate } from '@airdeck/detection/policy-set';
import { parseRecord } from '@airdeck/event-parsers/parse-record';
import { describe, expect, it } from 'vitest';
import { guessingRule } from '../detection/detection-fixture.ts';
import { contains, endsWith, equals, oneOf } from './starters/starter.ts';

/** What a publisher's rules look for, written anew from their descriptions; their events and verdicts judge it. */
const done: Criterion = { field: 'errorCode', operator: 'exists', value: false };
const call = (...names: string[]) => oneOf('eventName', names);
const startsWith = (field: string, ...value: string[]): Criterion => ({ field, operator: 'startswith', value });
const gitHub = (...actions: string[]) => oneOf('fields.action', actions);
const notASample: Criterion = { not: equals('service.additionalInfo.sample', 'true') };
const severity = (...criteria: [operator: 'gte' | 'lt', value: number][]): Criterion[] =>
  criteria.map(([operator, value]) => ({ field: 'fields.severity', operator, value }));

const iamChanges = ['Add', 'Attach', 'Change', 'Create', 'Deactivate', 'Delete', 'Detach', 'Enable', 'Put', 'Remove'];

const rules: Readonly<Record<string, readonly Criterion[]>> = {
  'AWS.Bedrock.GuardrailUpdateDelete': [call('UpdateGuardrail', 'DeleteGuardrail')],
  'AWS.CloudTrail.Account.Discovery': [call('DescribeAccount', 'GetAlternateContact', 'GetContactInformation')],
  'AWS.CloudTrail.Created': [call('CreateTrail', 'UpdateTrail'), done],
  'AWS.CloudTrail.DNSLogsDeleted': [call('DeleteResolverQueryLogConfig')],
  'AWS.CloudTrail.IAMAnythingChanged': [
    ...[startsWith('eventName', ...iamChanges, 'Set', 'Update', 'Upload'), equals('eventSource', 'iam.amazonaws.com')],
    done,
  ],
  'AWS.CloudTrail.IAMCompromisedKeyQuarantine': [
    startsWith('eventName', 'Attach'),
    contains('requestParameters.policyArn', 'AWSCompromisedKeyQuarantine'),
  ],
  'AWS.CloudTrail.RootPasswordChanged': [
    ...[call('PasswordUpdated'), equals('userIdentity.type', 'Root')],
    equals('responseElements.PasswordUpdated', 'Success'),
  ],
  'AWS.CloudTrail.SES.CheckIdentityVerifications': [call('GetIdentityVerificationAttributes')],
  'AWS.CloudTrail.VPCE.AccessDenied': [equals('eventType', 'AwsVpceEvent'), equals('errorCode', 'VpceAccessDenied')],
  'AWS.Console.Sign-In': [call('Authenticate'), equals('eventSource', 'sso.amazonaws.com')],
  'AWS.EC2.EBS.Encryption.Disabled': [call('DisableEbsEncryptionByDefault')],
  'AWS.EC2.GatewayModified': [
    call('CreateCustomerGateway', 'DeleteCustomerGateway', 'AttachInternetGateway', 'DetachInternetGateway'),
    done,
  ],
  'AWS.EC2.ManyPasswordReadAttempts': [call('GetPasswordData')],
  'AWS.EC2.Monitoring': [call('CreateImage', 'CopyImage', 'DeregisterImage'), done],
  'AWS.EC2.NetworkACLModified': [
    contains('eventName', 'NetworkAcl'),
    { not: startsWith('eventName', 'Describe') },
    done,
  ],
  'AWS.EC2.SecurityGroupModified': [startsWith('eventName', 'AuthorizeSecurityGroup', 'RevokeSecurityGroup'), done],
  'AWS.EC2.StopInstances': [call('StopInstances'), done],
  'AWS.EC2.VPCModified': [call('CreateVpc', 'DeleteVpc', 'ModifyVpcAttribute'), done],
  'AWS.GuardDuty.HighSeverityFinding': [...severity(['gte', 7]), notASample],
  'AWS.GuardDuty.MediumSeverityFinding': [...severity(['gte', 4], ['lt', 7]), notASample],
  'AWS.GuardDuty.LowSeverityFinding': [...severity(['lt', 4]), notASample],
  'AWS.IAM.AttachAdminRolePolicy': [
    call('AttachRolePolicy'),
    endsWith('requestParameters.policyArn', '/AdministratorAccess'),
  ],
  'AWS.IAM.CreateRole': [call('CreateRole')],
  'AWS.IAM.CreateUser': [call('CreateUser')],
  'AWS.KMS.CustomerManagedKeyLoss': [call('DisableKey', 'ScheduleKeyDeletion'), done],
  'AWS.Macie.Evasion': [call('UpdateMacieSession', 'DisableMacie', 'ArchiveFindings')],
  'AWS.RDS.ActivityStreamStopped': [call('StopActivityStream'), done],
  'AWS.RDS.DeletionProtectionDisabled': [
    call('ModifyDBInstance', 'ModifyDBCluster'),
    equals('requestParameters.deletionProtection', 'false'),
    done,
  ],
  'AWS.RDS.IAMRoleAdded': [call('AddRoleToDBInstance', 'AddRoleToDBCluster'), done],
  'AWS.RDS.SnapshotDeleted': [call('DeleteDBSnapshot', 'DeleteDBClusterSnapshot'), done],
  'AWS.S3.BucketPolicyModified': [call('PutBucketAcl', 'PutBucketPolicy', 'DeleteBucketPolicy'), done],
  'AWS.S3.DeleteObjects': [call('DeleteObjects', 'DeleteObject')],
  'AWS.STS.GetCallerIdentity.TruffleHog': [call('GetCallerIdentity'), contains('userAgent', 'TruffleHog')],
  'AWS.SecretsManager.RetrieveSecrets': [call('GetSecretValue'), equals('errorCode', 'AccessDenied')],
  'Retrieve.SSO.access.token': [call('CreateToken')],
  'GitHub.Branch.ProtectionDisabled': [gitHub('protected_branch.destroy')],
  'GitHub.Org.IpAllowlist': [startsWith('fields.action', 'ip_allow_list')],
  'GitHub.Org.Moderators.Add': [gitHub('organization_moderators.add_user')],
  'GitHub.Org.Modified': [gitHub('org.add_member', 'org.remove_member')],
  'GitHub.Repo.RulesetModified': [startsWith('fields.action', 'repository_ruleset.')],
  'GitHub.User.RoleUpdated': [gitHub('org.update_member')],
  'GitHub.Webhook.Modified': [startsWith('fields.action', 'hook.')],
  'Github.Organization.App.Integration.Installed': [gitHub('integration_installation.create')],
  'Github.Public.Repository.Created': [gitHub('repo.create'), equals('visibility', 'public')],
  'Github.Repo.VisibilityChange': [gitHub('repo.access')],
  'Okta.Global.MFA.Disabled': [equals('eventType', 'system.mfa.factor.deactivate')],
  'Okta.Login.Success': [equals('eventType', 'user.session.start'), equals('outcome', 'success')],
  'Okta.Support.Access': [startsWith('eventType', 'user.session.impersonation.')],
};

type Published = {
  rule_id: string;
  tests: { name: string; expected: boolean; uses_mocks: boolean; event: Record<string, unknown> }[];
};

function published(): readonly Published[] | undefined {
  try {
    const path = resolve(process.env.AIRDECK_SHARED_DATA ?? '../shared/data', 'detections/rules_with_tests.ndjson');
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Published);
  } catch {
    return undefined;
  }
}

const known = published();

// Events of the publisher are not part of the project; without them this says "skipped".
describe.skipIf(known === undefined)('verdicts of a publisher (from AIRDECK_SHARED_DATA)', () => {
  it.each(Object.entries(rules))('%s', (ruleId, criteria) => {
    const tests = known?.find(({ rule_id }) => rule_id === ruleId)?.tests.filter((one) => !one.uses_mocks) ?? [];
    expect(tests.length).toBeGreaterThan(0);
    const source = { source_type: 'log' as const, connector_definition_id: '', event_type: '' };
    const rule = guessingRule({ filter_criteria: [...criteria], group_by: [], source });
    const set = compilePolicies([{ id: ruleId, rule }]);
    const wrong = tests.filter(({ event, expected }) => {
      const parsed = parseRecord(event, { receivedAt: Date.parse('2026-11-21T12:00:00Z') });
      return evaluate(set, parsed).length > 0 !== expected;
    });
    expect(wrong.map(({ name, expected }) => `${name}: ${expected ? 'must' : 'must not'} match`)).toEqual([]);
  });
});
