import type { Criterion } from '@airdeck/contracts/policies/schema';
import { contains, endsWith, equals } from '../starters/starter.ts';
import {
  all,
  any,
  is,
  matches,
  missing,
  not,
  startsWith,
  there,
  type VerdictRules,
  within,
} from './verdict-criteria.ts';

const done = missing('errorCode');
const call = (...names: string[]): Criterion => is('eventName', ...names);
const notASample = not(equals('service.additionalInfo.sample', 'true'));
const severity = (...criteria: [operator: 'gte' | 'lt', value: number][]): Criterion[] =>
  criteria.map(([operator, value]) => ({ field: 'fields.severity', operator, value }));
const waf = (...ruleSets: string[]): Criterion[] => [
  any(contains('terminatingRuleId', ...ruleSets), contains('ruleGroupList.ruleGroupId', ...ruleSets)),
];

const inside = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];
const anywhere = ['0.0.0.0/0', '::/0'];
// Calls of the vendor's own services name a host there.
const fromAnAddress = within('sourceIPAddress', ...anywhere);

const iamChanges = ['Add', 'Attach', 'Change', 'Create', 'Deactivate', 'Delete', 'Detach', 'Enable', 'Put', 'Remove'];

export const awsVerdicts: VerdictRules = {
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
  'AWS.CloudTrail.NetworkACLPermissiveEntry': [
    call('CreateNetworkAclEntry'),
    is('requestParameters.cidrBlock', '0.0.0.0/0'),
    is('requestParameters.ruleAction', 'allow'),
    is('requestParameters.egress', 'false'),
    done,
  ],
  'AWS.CloudTrail.PasswordSpraying': [call('ConsoleLogin'), is('responseElements.ConsoleLogin', 'Failure')],
  'AWS.CloudTrail.SecurityConfigurationChange': [
    call('DeleteTrail', 'StopLogging', 'DeleteDetector', 'DisableSecurityHub', 'DeleteFlowLogs'),
    done,
  ],
  'AWS.CloudTrail.VPCE.S3ExternalIP': [
    is('eventType', 'AwsVpceEvent'),
    is('eventSource', 's3.amazonaws.com'),
    not(within('sourceIPAddress', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16')),
  ],
  'AWS.Console.GetSigninToken.Abuse': [call('GetSigninToken'), not(contains('userAgent', 'Jersey/'))],
  'AWS.Console.RootLogin': [call('ConsoleLogin'), is('userIdentity.type', 'Root')],
  'AWS.EC2.Startup.Script.Change': [call('ModifyInstanceAttribute'), there('requestParameters.userData')],
  'AWS.EC2.Traffic.Mirroring': [
    contains('eventName', 'TrafficMirror'),
    not(startsWith('eventName', 'Describe')),
    is('eventSource', 'ec2.amazonaws.com'),
  ],
  'AWS.IAM.AccessKeyCompromised': [
    call('PutUserPolicy'),
    startsWith('requestParameters.policyName', 'AWSCompromisedKeyQuarantine'),
  ],
  'AWS.IPSet.Modified': [
    is('eventname', 'CreateIPSet', 'UpdateIPSet'),
    is('eventsource', 'guardduty.amazonaws.com', 'wafv2.amazonaws.com'),
  ],
  'AWS.RDS.ManualSnapshotCreated': [
    call('CreateDBSnapshot', 'CreateDBClusterSnapshot'),
    is('responseElements.snapshotType', 'manual', 'public'),
  ],
  'AWS.RDS.MasterPasswordUpdated': [
    call('ModifyDBInstance', 'ModifyDBCluster'),
    there('responseElements.pendingModifiedValues.masterUserPassword'),
  ],
  'AWS.RDS.PublicRestore': [call('RestoreDBInstanceFromDBSnapshot'), is('responseElements.publiclyAccessible', 'true')],
  'AWS.RDS.SnapshotCopiedCrossRegion': [
    call('CopyDBSnapshot', 'CopyDBClusterSnapshot'),
    there('requestParameters.sourceRegion'),
    done,
  ],
  'AWS.RDS.SnapshotEnumeration': [
    call('DescribeDBSnapshots', 'DescribeDBClusterSnapshots'),
    any(is('requestParameters.includePublic', 'true'), is('requestParameters.includeShared', 'true')),
    done,
  ],
  'AWS.S3.CopyObjectWithClientSideEncryption': [
    call('CopyObject'),
    there('requestParameters.x-amz-server-side-encryption-customer-algorithm'),
  ],
  'AWS.S3.DeleteBucketEncryption': [call('DeleteBucketEncryption'), is('eventSource', 's3.amazonaws.com'), done],
  'AWS.S3.DeletePublicAccessBlock': [
    call('DeleteBucketPublicAccessBlock'),
    is('eventSource', 's3.amazonaws.com'),
    done,
  ],
  'AWS.S3.SecurityControlDisabling': [
    is('eventSource', 's3.amazonaws.com'),
    any(
      all(call('PutBucketLogging'), missing('requestParameters.BucketLoggingStatus.LoggingEnabled')),
      all(
        call('PutBucketVersioning'),
        any(
          is('requestParameters.VersioningConfiguration.Status', 'Suspended', 'Disabled'),
          is('requestParameters.VersioningConfiguration.MfaDelete', 'Disabled'),
        ),
      ),
    ),
    done,
  ],
  'AWS.S3.ServerAccess.Error': [
    startsWith('operation', 'REST.GET', 'REST.PUT'),
    is('httpstatus', 403),
    not(is('errorcode', 'SignatureDoesNotMatch')),
  ],
  'AWS.S3.SuspendVersioning': [
    call('PutBucketVersioning'),
    is('requestParameters.VersioningConfiguration.Status', 'Suspended', 'Disabled'),
    done,
  ],
  'AWS.STS.GetSessionToken.Misuse': [
    call('GetSessionToken'),
    is('userIdentity.type', 'IAMUser'),
    there('userIdentity.accessKeyId'),
    done,
  ],
  'AWS.SecretsManager.BatchRetrieveSecretsCatchAll': [
    call('BatchGetSecretValue'),
    startsWith('requestParameters.filters.values', '!'),
    not(is('requestParameters.filters.values', 'tagThatExists')),
  ],
  'AWS.SecretsManager.RetrieveSecretsMultiRegion': [call('BatchGetSecretValue')],
  'AWS.Software.Discovery': [
    call('DescribeSecurityGroups', 'ListDocuments', 'DescribeInstances', 'ListFirewalls', 'DescribeVpcs'),
  ],
  'AWS.Unsuccessful.MFA.attempt': [
    call('ConsoleLogin'),
    is('additionalEventData.MFAUsed', 'Yes'),
    is('responseElements.ConsoleLogin', 'Failure'),
  ],
  'AWS.WAF.Managed.SQLDatabase': waf('SQLiRuleSet'),
  'AWS.WAF.Managed.KnownBadInputs': waf('KnownBadInputsRuleSet'),
  'AWS.WAF.Managed.AntiDDoS': waf('AntiDDoSRuleSet'),
  'AWS.WAF.Managed.IPReputation': waf('AmazonIpReputationList', 'AnonymousIpList'),
  'Decoy.Systems.Manager.Parameter.Accessed': [startsWith('Title', 'Suspicious activity detected accessing')],
  'AWS.BedrockModelInvocation.GuardRailIntervened': [
    any(
      is('output.outputBodyJson.stopReason', 'guardrail_intervened'),
      is('output.outputBodyJson.amazon-bedrock-guardrailAction', 'INTERVENED'),
    ),
  ],
  'AWS.CloudTrail.IAMAssumeRoleBlacklistIgnored': [
    call('AssumeRole'),
    endsWith('requestParameters.roleArn', ':role/FullAdminRole'),
    done,
  ],
  'AWS.CloudTrail.UnauthorizedAPICall': [is('errorCode', 'AccessDenied'), fromAnAddress],
  'AWS.DNS.Crypto.Domain': [
    any(
      ...['query_name', 'query.hostname'].map((field) =>
        matches(field, String.raw`(^|\.)(moneropool\.ru|webservicepag\.webhop\.net)\.?$`),
      ),
    ),
  ],
  'AWS.EC2.DownloadInstanceUserData': [
    call('DescribeInstanceAttribute'),
    is('requestParameters.attribute', 'userData'),
    not(contains('userIdentity.arn', 'PantherAuditRole')),
  ],
  'AWS.EC2.ManualSecurityGroupChange': [
    call('CreateSecurityGroup', 'AuthorizeSecurityGroupIngress', 'AuthorizeSecurityGroupEgress'),
    not(
      all(
        contains('userAgent', 'Terraform', 'CloudFormation', 'console.ec2'),
        is('userIdentity.sessionContext.sessionIssuer.userName', 'Operator', 'ContinousDeployment'),
      ),
    ),
    done,
  ],
  'AWS.IAM.Backdoor.User.Keys': [
    call('CreateAccessKey'),
    not({ field: 'requestParameters.userName', operator: 'equals', value_field: 'userIdentity.userName' }),
    done,
  ],
  'AWS.IAMUser.ReconAccessDenied': [
    is('userIdentity.type', 'IAMUser'),
    is('errorCode', 'AccessDenied'),
    fromAnAddress,
    not(startsWith('userAgent', 'aws-internal')),
  ],
  'AWS.Modify.Cloud.Compute.Infrastructure': [
    call('RunInstances', 'StartInstances', 'StopInstances', 'TerminateInstances'),
    is('eventSource', 'ec2.amazonaws.com'),
    missing('userIdentity.invokedBy'),
    done,
  ],
  'AWS.S3.ServerAccess.IPWhitelist': [there('remoteip'), not(within('remoteip', '10.0.0.0/8'))],
  'AWS.VPC.InboundPortBlacklist': [
    any(is('fields.dstPort', 22, 3389), is('dst_endpoint.port', 22, 3389)),
    any(within('fields.dstAddr', ...inside), within('dst_endpoint.ip', ...inside)),
    not(any(within('fields.srcAddr', ...inside), within('src_endpoint.ip', ...inside))),
  ],
  'AWS.VPC.PortScanning': [
    is('flowDirection', 'egress'),
    not(is('fields.dstPort', 53, 80, 123, 443)),
    within('fields.srcAddr', ...anywhere),
  ],
  'AWS.WAF.ReactJSRCE.Body': [
    any(
      ...['terminatingRuleId', 'nonTerminatingMatchingRules.ruleId', 'ruleGroupList.terminatingRule.ruleId'].map(
        (field) => is(field, 'ReactJSRCE_BODY'),
      ),
    ),
  ],
  'Amazon.EKS.AnonymousAPIAccess': [
    is('user.username', 'system:anonymous'),
    not(all(startsWith('requestURI', '/healthz'), within('sourceIPs', ...inside))),
  ],
  'Role.Assumed.by.User': [call('AssumeRole'), not(is('userIdentity.type', 'AWSService'))],
};
