import type { Criterion } from '@airdeck/contracts/policies/schema';
import { contains, endsWith } from '../starters/starter.ts';
import { all, any, is, not, startsWith, there, type VerdictRules } from './verdict-criteria.ts';

const operation = (...names: string[]): Criterion => is('operationName', ...names);
const done = is('resultType', 'Success', 'Succeeded');
const asked = (text: string): Criterion => contains('properties.requestbody', text);
const risky = ['low', 'medium', 'high'];
const signIn = is('category', 'SignInLogs');

export const azureVerdicts: VerdictRules = {
  'Azure.Audit.DeviceCodeBrokerClient': [
    signIn,
    is('properties.authenticationProtocol', 'deviceCode'),
    is('properties.appId', '29d9ed98-a469-4536-ade2-f981bc1d605e'),
  ],
  'Azure.Audit.DomainSettingsModified': [operation('Set federation settings on domain')],
  'Azure.Audit.ElevateUserAccessAdministrator': [startsWith('operationName', 'User has elevated their access')],
  'Azure.Audit.ExcessiveAccountLockouts': [
    is('properties.status.errorCode', 50053),
    // The publisher leaves out the network of the vendor itself.
    not(is('properties.autonomousSystemNumber', 8075)),
  ],
  'Azure.Audit.HighRiskSignIn': [
    signIn,
    any(is('properties.riskLevelDuringSignIn', 'high'), is('properties.riskLevelAggregated', 'high')),
    not(is('properties.riskState', 'dismissed', 'remediated')),
  ],
  'Azure.Audit.OIDC.Changed': [
    operation('Authentication Methods Policy Update'),
    contains('properties.targetResources.modifiedProperties.newValue', 'discoveryUrl'),
  ],
  'Azure.Audit.PolicyChanged': [
    is('properties.category', 'Policy'),
    any(contains('operationName', 'policy')),
    any(startsWith('operationName', 'Delete', 'Update')),
  ],
  'Azure.Audit.ROPCLoginNoMFA': [signIn, is('properties.authenticationProtocol', 'ropc'), is('resultType', 0)],
  'Azure.Audit.RoleChangedPIM': [startsWith('operationName', 'Add member to role in PIM completed')],
  'Azure.Audit.ServicePrincipalCredentialsAdded': [operation('Add service principal credentials')],
  'Azure.MonitorActivity.AlertRules.Deleted': [
    operation('Microsoft.Insights/alertRules/delete', 'Microsoft.Insights/metricAlerts/delete'),
  ],
  'Azure.MonitorActivity.Automation.AccountCreated': [operation('Microsoft.Automation/automationAccounts/write')],
  'Azure.MonitorActivity.Automation.ServerlessExecution': [
    operation('Microsoft.Automation/automationAccounts/jobs/write', 'Microsoft.Web/sites/hostruntime/host/action'),
    done,
  ],
  'Azure.MonitorActivity.Automation.WebhookCreated': [
    operation(
      'Microsoft.Automation/automationAccounts/webhooks/action',
      'Microsoft.Automation/automationAccounts/webhooks/write',
    ),
  ],
  'Azure.MonitorActivity.Compute.RestorePointCollectionDeleted': [
    operation('Microsoft.Compute/restorePointCollections/delete'),
  ],
  'Azure.MonitorActivity.Compute.SnapshotDeleted': [operation('Microsoft.Compute/snapshots/delete')],
  'Azure.MonitorActivity.DiagnosticSettings.Deleted': [operation('Microsoft.Insights/diagnosticSettings/delete')],
  'Azure.MonitorActivity.EventHub.Deleted': [operation('Microsoft.EventHub/namespaces/eventhubs/delete')],
  'Azure.MonitorActivity.KeyVault.KeyPurged': [operation('Microsoft.KeyVault/vaults/keys/purge/action')],
  'Azure.MonitorActivity.KeyVault.Purged': [operation('Microsoft.KeyVault/locations/deletedVaults/purge/action')],
  'Azure.MonitorActivity.KeyVault.SecretAccessedOrRecovered': [
    operation('Microsoft.KeyVault/vaults/secrets/getSecret/action', 'Microsoft.KeyVault/vaults/secrets/recover/action'),
  ],
  'Azure.MonitorActivity.Network.FirewallPolicyDeleted': [operation('Microsoft.Network/firewallPolicies/delete')],
  'Azure.MonitorActivity.Network.NSGModifiedOrDeleted': [
    startsWith('operationName', 'Microsoft.Network/networkSecurityGroups/'),
    not({ field: 'operationName', operator: 'endswith', value: '/read' }),
  ],
  'Azure.MonitorActivity.Network.WatcherDeleted': [operation('Microsoft.Network/networkWatchers/delete')],
  'Azure.MonitorActivity.Policy.DeployIfNotExists': [
    operation('Microsoft.Authorization/policies/deployIfNotExists/action'),
  ],
  'Azure.MonitorActivity.Policy.Violation': [
    operation(
      'Microsoft.Authorization/policies/audit/action',
      'Microsoft.Authorization/policies/auditIfNotExists/action',
    ),
  ],
  'Azure.MonitorActivity.RecoveryServices.ProtectionContainerDeleted': [
    operation('Microsoft.RecoveryServices/vaults/backupFabrics/protectionContainers/delete'),
    done,
  ],
  'Azure.MonitorActivity.SQL.ServerDeleted': [operation('Microsoft.Sql/servers/delete')],
  'Azure.MonitorActivity.Security.AlertSuppressionRuleCreated': [
    operation('Microsoft.Security/alertsSuppressionRules/write'),
  ],
  'Azure.MonitorActivity.Storage.FileShareModified': [
    operation('Microsoft.Storage/storageAccounts/fileServices/shares/write'),
  ],
  'Azure.MonitorActivity.Storage.SASTokenExternalAccess': [
    contains('uri', 'sig='),
    is('properties.metricResponseType', 'Success'),
    not({
      field: 'callerIpAddress',
      operator: 'startswith',
      value: ['10.', '192.168.', '172.16.', '127.'],
    }),
  ],
  'Azure.MonitorActivity.StorageAccount.BlobSoftDeleteDisabled': [
    operation('Microsoft.Storage/storageAccounts/blobServices/write'),
    all(asked('deleteRetentionPolicy'), asked('"enabled":false')),
  ],
  'Azure.MonitorActivity.StorageAccount.HttpsOnlyDisabled': [
    operation('Microsoft.Storage/storageAccounts/write'),
    asked('"supportsHttpsTrafficOnly":false'),
  ],
  'Azure.MonitorActivity.StorageAccount.SharedKeyAccessEnabled': [
    operation('Microsoft.Storage/storageAccounts/write'),
    asked('"allowSharedKeyAccess":true'),
  ],
  'Azure.MonitorActivity.StorageAccount.VersioningDisabled': [
    operation('Microsoft.Storage/storageAccounts/blobServices/write'),
    asked('"isVersioningEnabled":false'),
  ],
  'Azure.MonitorActivity.VirtualMachine.Deleted': [operation('Microsoft.Compute/virtualMachines/delete')],
  'Azure.Audit.GraphSessionMultipleIPs': [
    signIn,
    is('properties.resourceDisplayName', 'Microsoft Graph'),
    not(is('properties.appDisplayName', 'Office 365')),
  ],
  'Azure.Audit.RiskLevelPassthrough': [
    any(is('properties.riskLevelAggregated', ...risky), is('properties.riskLevelDuringSignIn', ...risky)),
    not(is('properties.riskState', 'dismissed', 'remediated', 'confirmedSafe')),
  ],
  'Azure.Audit.VSCodeOAuthPhishing': [
    is('properties.appDisplayName', 'Visual Studio Code'),
    is('properties.resourceDisplayName', 'Microsoft Graph'),
    is('properties.status.errorCode', 0),
  ],
  'Microsoft.Graph.Passthrough': [
    there('fields.title'),
    not(is('fields.status', 'resolved')),
    not(is('fields.severity', 'informational')),
  ],
  'Microsoft365.External.Document.Sharing': [
    is('Operation', 'AddedToSecureLink'),
    is('TargetUserOrGroupType', 'Guest'),
    not(endsWith('TargetUserOrGroupName', '@alloweddomain.com')),
    not(is('TargetUserOrGroupName', 'exception@outsider.com')),
    not(startsWith('SourceRelativeUrl', 'Documents/External/')),
  ],
};
