import type { Criterion } from '@airdeck/contracts/policies/schema';
import { contains, endsWith } from '../starters/starter.ts';
import { above, all, any, is, not, startsWith, there, type VerdictRules } from './verdict-criteria.ts';

const action = (...names: string[]): Criterion => is('fields.action', ...names);
const databricks = (service: string, ...names: string[]): Criterion[] => [
  is('serviceName', service),
  is('actionName', ...names),
];
const google = (...names: string[]): Criterion => is('fields.name', ...names);
const notion = (...types: string[]): Criterion => is('event.type', ...types);
const okta = (...types: string[]): Criterion => is('eventtype', ...types);
const zia = (what: string, ...categories: string[]): Criterion[] => [
  is('event.action', what),
  is('event.category', ...categories),
];
const wizDone = not(there('status.failed'));

export const saasVerdicts: VerdictRules = {
  'Auth0.Custom.Role.Created': [is('data.description', 'Create a role')],
  'Auth0.MFA.Factor.Setting.Enabled': [is('data.details.response.body.Enabled', 'true')],
  'Auth0.MFA.Risk.Assessment.Enabled': [is('data.details.request.body.AfterAuthentication', 'true')],
  'Auth0.Post.Login.Action.Flow': [is('data.details.request.path', '/api/v2/actions/triggers/post-login/bindings')],
  'Auth0.User.Joined.Tenant': [is('data.details.request.body.state', 'accepted')],
  'Databricks.Audit.ConfigChangesWorkspaceLevel': databricks(
    'workspace',
    'updateWorkspaceSettings',
    'workspaceConfEdit',
  ),
  'Databricks.Audit.GroupCreated': databricks('accounts', 'createGroup'),
  'Databricks.Audit.GroupDeleted': databricks('accounts', 'removeGroup'),
  'Databricks.Audit.InstallLibraryAllClusters': databricks('clusters', 'installLibraryOnAllClusters'),
  'Databricks.Audit.PotentialPrivilegeEscalation': [
    is('actionName', 'addPrincipalToGroup', 'changeOwner', 'grant', 'updatePermissions', 'setAdmin'),
  ],
  'Databricks.Audit.SSOConfigChanged': databricks('ssoConfigBackend', 'create', 'update'),
  'Databricks.Audit.TrufflehogScanDetected': [contains('userAgent', 'trufflehog')],
  'Databricks.Audit.UserAccountCreated': databricks('accounts', 'createUser'),
  'Databricks.Audit.VerboseAuditLoggingDisabled': [
    ...databricks('workspace', 'workspaceConfEdit'),
    is('requestParams.workspaceConfKeys', 'enableVerboseAuditLogs'),
    is('requestParams.workspaceConfValues', 'false'),
  ],
  'GSuite.AdvancedProtection': [google('titanium_unenroll')],
  'GSuite.CalendarMadePublic': [google('change_calendar_acls'), is('fields.type', 'calendar_change')],
  'GSuite.DocOwnershipTransfer': [
    google('change_owner'),
    not(endsWith('parameters.new_owner', '@panther.com')),
    contains('parameters.new_owner', '@'),
  ],
  'GSuite.Gmail.Malware.In.Email': [google('delivery'), there('parameters.message_info.attachment.malware_family')],
  'GSuite.IsSuspiciousTag': [is('parameters.is_suspicious', 'true')],
  'GSuite.SuspiciousLogins': [google('suspicious_login', 'suspicious_login_less_secure_app')],
  'GSuite.TwoStepVerification': [google('2sv_disable')],
  'GSuite.Workspace.GmailDefaultRoutingRuleModified': [
    is('fields.type', 'EMAIL_SETTINGS'),
    is('parameters.SETTING_NAME', 'MESSAGE_SECURITY_RULE'),
  ],
  'Google.Workspace.Apps.New.Mobile.App.Installed': [google('ADD_MOBILE_APPLICATION_TO_WHITELIST')],
  'Google.Workspace.ManyDocsDownloaded': [google('download'), is('id.applicationName', 'drive')],
  'Notion.Audit.Log.Exported': [notion('workspace.audit_log_exported')],
  'Notion.Many.Pages.Deleted': [notion('page.deleted')],
  'Notion.Many.Pages.Exported': [notion('page.exported')],
  'Notion.PagePerms.GuestPermsChanged': [startsWith('event.type', 'page.permissions.guest_role_')],
  'Notion.SharingSettingsUpdated': [
    endsWith('event.type', 'guests_setting_updated'),
    is('event.details.state', 'enabled'),
  ],
  'Notion.TeamspaceOwnerAdded': [
    startsWith('event.type', 'teamspace.permissions.'),
    any(is('event.details.new_role', 'owner'), is('event.details.role', 'owner')),
  ],
  'Notion.Workspace.Public.Page.Added': [notion('workspace.settings.public_homepage_added')],
  'Notion.Workspace.SCIM.Token.Generated': [notion('workspace.scim_token_generated')],
  'Okta.Org2org.Creation.Modification': [
    startsWith('eventtype', 'application.lifecycle.'),
    contains('target.displayName', 'Org2Org'),
  ],
  'Okta.Password.Extraction.via.SCIM': [
    okta('application.lifecycle.update'),
    is('outcome.reason', 'Pushing user passwords'),
  ],
  'Okta.Rate.Limits': [contains('eventtype', 'rate_limit.violation')],
  'Okta.User.Account.Locked': [startsWith('eventtype', 'user.account.lock')],
  'Okta.User.MFA.Factor.Suspend': [okta('user.mfa.factor.suspend')],
  'Okta.User.MFA.Reset.All': [okta('user.mfa.factor.reset_all')],
  'Okta.User.MFA.Reset.Single': [okta('user.mfa.factor.deactivate')],
  'Slack.AuditLogs.DLPModified': [action('native_dlp_rule_deactivated', 'native_dlp_violation_deleted')],
  'Slack.AuditLogs.EKMConfigChanged': [action('ekm_logging_config_set')],
  'Slack.AuditLogs.InformationBarrierModified': [action('barrier_deleted', 'barrier_updated')],
  'Slack.AuditLogs.LegalHoldPolicyModified': [startsWith('fields.action', 'legal_hold_policy_')],
  'Slack.AuditLogs.OrgCreated': [action('organization_created')],
  'Slack.AuditLogs.PassthroughAnomaly': [action('anomaly')],
  'Slack.AuditLogs.SSOSettingsChanged': [action('pref.sso_setting_changed')],
  'Slack.AuditLogs.UserPrivilegeEscalation': [
    action('owner_transferred', 'permissions_assigned', 'role_change_to_admin', 'role_change_to_owner'),
  ],
  'Teleport.CompanyDomainLoginWithoutSAML': [is('event', 'user.login'), is('method', 'local')],
  'Teleport.LockCreated': [is('event', 'lock.created')],
  'Teleport.RoleCreated': [is('event', 'role.created')],
  'Teleport.SAMLCreated': [is('event', 'saml.created')],
  'Teleport.SAMLLoginWithoutCompanyDomain': [
    is('event', 'user.login'),
    is('method', 'saml'),
    not(endsWith('fields.user', '@example.com')),
  ],
  'Teleport.SuspiciousCommands': [is('event', 'session.command'), is('program', 'nc', 'nmap', 'wget', 'curl')],
  'Wiz.CICD.Scan.Policy.Updated.Or.Deleted': [
    action('DeleteCICDScanPolicy', 'UpdateCICDScanPolicy'),
    is('fields.status', 'SUCCESS'),
  ],
  'Wiz.Data.Classifier.Updated.Or.Deleted': [
    action('DeleteDataClassifier', 'UpdateDataClassifier'),
    is('fields.status', 'SUCCESS'),
  ],
  'Wiz.Image.Integrity.Validator.Updated.Or.Deleted': [
    action('DeleteImageIntegrityValidator', 'UpdateImageIntegrityValidator'),
    is('fields.status', 'SUCCESS'),
  ],
  'Wiz.Integration.Updated.Or.Deleted': [
    action('DeleteIntegration', 'UpdateIntegration'),
    is('fields.status', 'SUCCESS'),
  ],
  'Wiz.Revoke.User.Sessions': [action('RevokeUserSessions'), is('fields.status', 'SUCCESS')],
  'Wiz.Rotate.Service.Account.Secret': [action('RotateServiceAccountSecret'), is('fields.status', 'SUCCESS')],
  'Wiz.Update.Login.Settings': [action('UpdateLoginSettings'), is('fields.status', 'SUCCESS')],
  'Wiz.Update.Scanner.Settings': [action('UpdateScannerSettings'), is('fields.status', 'SUCCESS')],
  'Wiz.User.Role.Updated.Or.Deleted': [action('DeleteUserRole', 'UpdateUserRole'), is('fields.status', 'SUCCESS')],
  'Wiz.Issue.Alert.Passthrough': [is('issue.status', 'OPEN'), wizDone],
  'ZIA.Account.Access.Removed': zia('DELETE', 'ADMINISTRATOR_MANAGEMENT', 'ROLE_MANAGEMENT'),
  'ZIA.Additional.Cloud.Roles': zia('CREATE', 'ROLE_MANAGEMENT'),
  'ZIA.Backup.Deleted': zia('DELETE', 'BACKUP_AND_RESTORE'),
  'ZIA.Cloud.Account.Created': zia('CREATE', 'ADMINISTRATOR_MANAGEMENT'),
  'ZIA.Golden.Restore.Point.Dropped': [
    ...zia('UPDATE', 'BACKUP_AND_RESTORE'),
    is('event.preaction.goldenRestorePoint', 'true'),
  ],
  'ZIA.Log.Streaming.Disabled': zia('DELETE', 'NSS'),
  'Anthropic.Activity.IP.Restriction.Deleted': [is('fields.type', 'org_ip_restriction_deleted')],
  'Anthropic.Activity.MCP.Server.Created': [is('fields.type', 'mcp_server_created')],
  'Anthropic.Activity.Primary.Owner.Transferred': [is('fields.type', 'primary_owner_transferred')],
  'Anthropic.Activity.Service.Key.Created': [is('fields.type', 'service_key_created')],
  'Anthropic.Activity.Spend.Limit.Deleted': [is('fields.type', 'platform_spend_limit_deleted')],
  'Asana.Service.Account.Created': [is('fields.event_type', 'service_account_created')],
  'Asana.Team.Privacy.Public': [
    is('fields.event_type', 'team_privacy_settings_changed'),
    is('details.new_value', 'public'),
  ],
  'Asana.Workspace.Default.Session.Duration.Never': [
    is('fields.event_type', 'workspace_default_session_duration_changed'),
    is('details.new_value', 'never'),
  ],
  'Asana.Workspace.Email.Domain.Added': [is('fields.event_type', 'workspace_associated_email_domain_added')],
  'Asana.Workspace.Org.Export': [is('fields.event_type', 'workspace_export_started')],
  'Asana.Workspace.Password.Requirements.Simple': [
    is('fields.event_type', 'workspace_password_requirements_changed'),
    is('details.new_value', 'simple'),
  ],
  'Axonius.AddExternalUser': [is('event.action', 'AuditAction.AddExternalUser')],
  'Box.Access.Granted': [is('fields.event_type', 'ACCESS_GRANTED')],
  'Box.New.Login': [is('fields.event_type', 'ADD_LOGIN_ACTIVITY_DEVICE')],
  'Box.Shield.Anomalous.Download': [
    is('fields.event_type', 'SHIELD_ALERT'),
    contains('additional_details', 'Anomalous Download'),
  ],
  'Box.Shield.Suspicious.Alert': [
    is('fields.event_type', 'SHIELD_ALERT'),
    is('additional_details_json.shield_alert.rule_category', 'Suspicious Locations', 'Suspicious Sessions'),
    above('additional_details_json.shield_alert.risk_score', 50),
  ],
  'Box.Untrusted.Device': [is('fields.event_type', 'DEVICE_TRUST_CHECK_FAILED')],
  'CarbonBlack.Audit.Flagged': [is('flagged', 'true')],
  'Crowdstrike.API.Key.Created': [is('event.OperationName', 'CreateAPIClient')],
  'Docusign.Connect.TemplateManagement': [is('event', 'template-created', 'template-deleted', 'template-modified')],
  'Duo.Admin.App.Integration.Secret.Key.Viewed': [action('integration_skey_view')],
  'Duo.Admin.Bypass.Code.Created': [action('bypass_create')],
  'Duo.Admin.Bypass.Code.Viewed': [action('bypass_view')],
  'Duo.Admin.New.Admin.API.App.Integration': [action('integration_create'), is('object', 'Admin API')],
  'Intune.CreateModifyClientApp': [is('operationName', 'Create MobileApp', 'Patch MobileApp')],
  'Intune.NewDeviceManagementScript': [
    is(
      'operationName',
      'assignDeviceManagementScript DeviceManagementScript',
      'createDeviceManagementScript DeviceManagementScript',
      'createDeviceComplianceScript DeviceComplianceScript',
    ),
  ],
  'MongoDB.2FA.Disabled': [is('eventTypeName', 'ORG_TWO_FACTOR_AUTH_OPTIONAL')],
  'MongoDB.Alerting.Disabled.Or.Deleted': [
    is('eventTypeName', 'ALERT_CONFIG_DELETED_AUDIT', 'ALERT_CONFIG_DISABLED_AUDIT'),
  ],
  'MongoDB.Atlas.ApiKeyCreated': [is('eventtypename', 'API_KEY_ACCESS_LIST_ENTRY_ADDED')],
  'MongoDB.User.Created.Or.Deleted': [is('eventTypeName', 'JOINED_ORG', 'REMOVED_FROM_ORG')],
  'MongoDB.User.Roles.Changed': [is('eventTypeName', 'USER_ROLES_CHANGED_AUDIT')],
  'Netskope.AdminLoggedOutLoginFailures': [
    is('audit_log_event', 'Admin logged out because of successive login failures'),
  ],
  'Netskope.AdminUserChange': [is('audit_log_event', 'Created new admin', 'Deleted admin', 'Edited admin')],
  'OneLogin.HighRiskFailedLogin': [above('risk_score', 50), is('event_type_id', 6)],
  'OneLogin.Login': [is('event_type_id', 5)],
  'OneLogin.ThresholdAccountsDeleted': [is('event_type_id', 17)],
  'OpenAI.IP.Allowlist.Changes': [startsWith('fields.type', 'ip_allowlist.')],
  'OpenAI.Login.Success': [is('fields.type', 'login.succeeded')],
  'Osquery.Mac.UnwantedChromeExtensions': [startsWith('fields.name', 'pack_unwanted-chrome-extensions')],
  'Osquery.OSSECRootkitDetected': [startsWith('fields.name', 'pack_ossec-rootkit')],
  'Panther.Detection.Deleted': [is('actionName', 'DELETE_DETECTION')],
  'Panther.SAML.Modified': [is('actionName', 'UPDATE_SAML_SETTINGS')],
  'Proofpoint.VirusDetected': [any(is('quarantineFolder', 'Virus'), is('quarantineRule', 'notcleaned'))],
  'Microsoft365.MFA.Disabled': [
    all(is('ModifiedProperties.Name', 'StrongAuthenticationMethod'), is('ModifiedProperties.NewValue', '[]')),
  ],
};
