import type { Criterion } from '@airdeck/contracts/policies/schema';
import { contains, endsWith } from '../starters/starter.ts';
import { all, any, is, matches, missing, not, startsWith, there, type VerdictRules } from './verdict-criteria.ts';

const action = (...names: string[]): Criterion => is('fields.action', ...names);
const auth0 = (...descriptions: string[]): Criterion => is('data.description', ...descriptions);
const google = (...names: string[]): Criterion => is('fields.name', ...names);
const tines = (...names: string[]): Criterion => is('operation_name', ...names);
const answered = (...codes: number[]): Criterion => is('response.statusCode', ...codes);
const databricks = (service: string, ...names: string[]): Criterion[] => [
  is('serviceName', service),
  is('actionName', ...names),
];
// One line stands for failures that the service no longer tells one by one: it names neither user nor address.
const failedSnowflakeLogin = [
  is('fields.EVENT_TYPE', 'LOGIN'),
  is('IS_SUCCESS', 'NO'),
  not(is('ERROR_MESSAGE', 'OVERFLOW_FAILURE_EVENTS_ELIDED')),
];

/** What people and administrators do in the services they work with. */
export const workspaceVerdicts: VerdictRules = {
  'Anthropic.Activity.SSO.Disabled': [
    any(
      all(is('fields.type', 'org_sso_toggled'), is('is_enabled', 'false')),
      is('fields.type', 'org_sso_connection_deactivated'),
    ),
  ],
  'Auth0.Delete.TenantMember': [auth0('Delete tenant member')],
  'Auth0.MFA.Policy.Disabled': [
    auth0('Set the Multi-factor Authentication policies'),
    is('data.details.request.path', '/api/v2/guardian/policies'),
    missing('data.details.request.body'),
  ],
  'Auth0.NewAdmin.Invitation': [is('data.details.request.body.roles', 'owner')],
  'Auth0.Rapid.DynamicClient.Creation': [auth0('Dynamic client registration')],
  'Auth0.SamePhone.MultipleUsers.MFA': [
    auth0('Guardian - Enrollment complete (sms)'),
    not({ field: 'data.details.authenticator.phone_number', operator: 'empty' }),
  ],
  'Auth0.User.Invitation.Created': [
    matches('data.details.request.path', '^/api/v2/(organizations/[^/]+|tenants)/invitations$'),
  ],
  'Axonius.TooManyFailedLogins': [
    is('event.action', 'AuditAction.LoginFrom'),
    is('event.params.status', 'failure'),
    not({ field: 'event.user', operator: 'empty' }),
  ],
  'Box.Event.Triggered.Externally': [there('created_by.id'), not(endsWith('created_by.login', '@example.com'))],
  'Databricks.Audit.AttemptedLogonFromDeniedIP': [
    ...databricks('accounts', 'IpAccessDenied'),
    not(startsWith('userAgent', 'Databricks-')),
    not(startsWith('requestParams.path', '/telemetry')),
    contains('userIdentity.email', '@'),
  ],
  'Databricks.Audit.ConfigChangesHighPriority': [
    any(
      all(...databricks('accounts', 'createIpAccessList', 'updateIpAccessList', 'deleteIpAccessList')),
      all(
        ...databricks('workspace', 'workspaceConfEdit'),
        any(
          is('requestParams.workspaceConfKeys', 'enforceMFA', 'enableIpAccessLists'),
          all(
            is('requestParams.workspaceConfKeys', 'enableVerboseAuditLogs'),
            not(is('requestParams.workspaceConfValues', 'false')),
          ),
        ),
      ),
    ),
  ],
  'Databricks.Audit.EmployeeLogon': [
    ...databricks('accounts', 'login'),
    is('requestParams.authentication_method', 'GENIE_AUTH'),
    answered(200),
  ],
  'Databricks.Audit.NonSSOLogin': [
    is('serviceName', 'accounts'),
    endsWith('actionName', 'login'),
    not(is('actionName', 'samlLogin')),
    not(contains('requestParams.authentication_method', 'SAML')),
    answered(200),
  ],
  'Databricks.Audit.RepeatedUnauthorizedUCDataRequests': [
    any(
      all(is('serviceName', 'unityCatalog'), matches('actionName', '^generateTemporary.+Credential$')),
      is('serviceName', 'deltaSharingAccess'),
    ),
    answered(401, 403),
  ],
  'Databricks.Audit.RepeatedUnauthorizedUCRequests': [is('serviceName', 'unityCatalog'), answered(401, 403)],
  'Databricks.Audit.WorkspaceAdminPrivilegedRoleAssignment': [
    is('auditLevel', 'WORKSPACE_LEVEL'),
    any(
      is('actionName', 'setAdmin'),
      all(
        is('actionName', 'addPrincipalToGroup', 'addPrincipalsToGroup'),
        contains('requestParams.targetGroupName', 'admin'),
      ),
    ),
  ],
  'Docusign.Connect.EnvelopeVoided': [is('event', 'envelope-voided')],
  'Docusign.Connect.RecipientAuthenticationFailure': [is('event', 'recipient-authentication-failure')],
  'GSuite.DriveVisibilityChanged': [
    is('fields.type', 'acl_change'),
    is('parameters.visibility_change', 'external'),
    not(is('parameters.new_value', 'private')),
  ],
  'GSuite.LoginType': [
    is('id.applicationName', 'login'),
    is('fields.type', 'login'),
    not(is('parameters.login_type', 'exchange', 'google_password', 'reauth', 'saml')),
  ],
  'GSuite.Workspace.CalendarExternalSharingSetting': [
    google('CHANGE_CALENDAR_SETTING'),
    is('parameters.SETTING_NAME', 'SHARING_OUTSIDE_DOMAIN'),
    is('parameters.NEW_VALUE', 'READ_ONLY_ACCESS', 'READ_WRITE_ACCESS', 'MANAGE_ACCESS'),
  ],
  'Okta.New.Behavior.Accessing.Admin.Console': [
    is('eventtype', 'policy.evaluate_sign_on'),
    is('target.displayName', 'Okta Admin Console'),
    any(
      all(
        contains('debugcontext.debugData.behaviors', 'New Device=POSITIVE'),
        contains('debugcontext.debugData.behaviors', 'New IP=POSITIVE'),
      ),
      all(
        is('debugcontext.debugData.logOnlySecurityData.behaviors.New Device', 'POSITIVE'),
        is('debugcontext.debugData.logOnlySecurityData.behaviors.New IP', 'POSITIVE'),
      ),
      all(
        contains('debugcontext.debugData.logOnlySecurityData', '"New Device":"POSITIVE"'),
        contains('debugcontext.debugData.logOnlySecurityData', '"New IP":"POSITIVE"'),
      ),
    ),
  ],
  'OnePassword.Sensitive.Item': [is('item_uuid', 'ecd1d435c26440dc930ddfbbef201a11')],
  'OnePassword.Unusual.Client': [there('client.app_name'), not(startsWith('client.app_name', '1Password '))],
  'OpenAI.API.Key.Anomalous.Activity': [
    any(
      ...['api_key_created.data.scopes', 'api_key_updated.data.scopes'].map((field) =>
        is(field, 'all', 'admin', 'api_keys:write', 'organization:write'),
      ),
    ),
  ],
  'Salesforce.Admin.Login.As.User': [is('fields.EVENT_TYPE', 'LoginAs')],
  'Salesforce.BulkAPI.DataExfiltration': [is('fields.EVENT_TYPE', 'BulkApiResultEventStore')],
  'Snowflake.Stream.AccountAdminGranted': [contains('GRANTEE_NAME', 'ADMIN')],
  'Snowflake.Stream.BruteForceByIp': failedSnowflakeLogin,
  'Snowflake.Stream.BruteForceByUsername': failedSnowflakeLogin,
  'Snowflake.Stream.LoginSuccess': [is('fields.EVENT_TYPE', 'LOGIN'), is('IS_SUCCESS', 'YES')],
  'Snowflake.Stream.PasswordSpray': failedSnowflakeLogin,
  'Snowflake.Stream.TableCopiedIntoStage': [
    is('QUERY_TYPE', 'UNLOAD'),
    is('EXECUTION_STATUS', 'SUCCESS'),
    matches('QUERY_TEXT', String.raw`copy\s+into\s+'?@`),
  ],
  'Tailscale.HTTPS.Disabled': [is('event.action', 'DISABLE'), is('event.target.property', 'HTTPS')],
  'Tines.Actions.DisabledChanges': [tines('ActionsDisabledChange')],
  'Tines.Enqueued.Retrying.Job.Destruction': [tines('JobsQueuedDeletion', 'JobsRetryingDeletion')],
  'Tines.SSO.Settings': [startsWith('operation_name', 'SsoConfiguration')],
  'Tines.Story.Jobs.Clearance': [tines('StoryJobsClearance')],
  'Tines.Tenant.AuthToken': [tines('AuthenticationTokenCreation'), is('inputs.inputs.isServiceToken', 'true')],
  'Zendesk.SensitiveDataRedactionOff': [
    is('fields.source_type', 'account_setting'),
    is('source_label', 'Credit Card Redaction'),
  ],
  'Zendesk.UserAssumption': [is('fields.source_type', 'account_setting'), is('source_label', 'Account Assumption')],
  'Zendesk.UserRoleChanged': [
    is('fields.source_type', 'user'),
    startsWith('change_description', 'Role changed'),
    not(endsWith('change_description', 'to Administrator')),
  ],
  'Zoom.Automatic.Sign.Out.Disabled': [
    action('Update'),
    contains('operation_detail', 'Automatically sign users out'),
    endsWith('operation_detail', 'from On to Off'),
  ],
  'Zoom.User.Promoted.to.Privileged.Role': [
    contains('fields.action', 'Update'),
    matches('operation_detail', 'Change Role.* to (Admin|Co-Owner|Owner|Billing Admin)$'),
    not(matches('operation_detail', ' from (Admin|Co-Owner|Owner|Billing Admin) to ')),
  ],
};
