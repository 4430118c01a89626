/**
 * The publisher's rules that are no plain filter of one event, or a filter that our operators cannot express, by the
 * reason. `published-verdicts.test.ts` asserts that every rule is here or among the ported ones.
 */
export const rulesNotPorted = {
  'counts or remembers within the rule itself': [
    'AWS.SSM.DecryptSSMParams',
    'AWS.SSM.DistributedCommand',
    'GitHub.Repo.InitialAccess',
    'Standard.ImpossibleTravel.Login',
  ],
  'asks for a list or a setting of the publisher that is not in the data': [
    'AWS.CloudTrail.ShortLifecycle',
    'GCP.User.Added.To.Privileged.Group',
    'MongoDB.External.UserInvited',
    'Teleport.LocalUserLoginWithoutMFA',
  ],
  'asks for what the publisher adds to the event (`p_…`: addresses, reputation, titles)': [
    'Kubernetes.API.IOC.Activity',
    'OnePassword.Lut.Sensitive.Item',
    'Standard.GreyNoiseV3.MaliciousIP',
    'Standard.MaliciousSSODNSLookup',
    'Standard.SignInFromRogueState',
  ],
  'reads each vendor’s event through the publisher’s data model': [
    'Standard.BruteForceByIP',
    'Standard.BruteForceByUser',
    'Standard.NewUserAccountCreated',
  ],
  'calls code that reads a policy document, or decodes text': [
    'AWS.CloudTrail.ResourceMadePublic',
    'Standard.DNSBase64',
  ],
  'is a template without logic': ['LogFamily.LogType.DetectionName'],
  'no operator: compares a part of one field (domain, project, name in an ARN) with a part of another': [
    'AWS.CloudTrail.LoginProfileCreatedOrModified',
    'Azure.Audit.InviteExternalUsers',
    'Dropbox.External.Share',
    'GCP.GCS.ObjectExfiltration',
    'GCP.KMS.CrossProjectEncryption',
    'MongoDB.External.UserInvited.NoConfig',
  ],
  'no operator: two conditions on the same element of a list': [
    'Crowdstrike.AllowlistRemoved',
    'Proofpoint.PhishingDetected',
  ],
  'no operator: how many elements a list has, or whether two lists differ': [
    'GitLab.Production.Password.Reset.Multiple.Emails',
    'Slack.AuditLogs.AppAccessExpanded',
  ],
  'no operator: arithmetic with times': ['Databricks.Audit.LongLifetimeTokenGenerated', 'Teleport.LongLivedCerts'],
  'no operator: a path through a key that has a dot itself': ['Dropbox.User.Disabled.2FA'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
