import type { Criterion } from '@airdeck/contracts/policies/schema';
import { contains, endsWith } from '../starters/starter.ts';
import {
  all,
  any,
  atLeast,
  below,
  is,
  matches,
  not,
  startsWith,
  there,
  type VerdictRules,
  within,
} from './verdict-criteria.ts';

const program = (...names: string[]): Criterion => endsWith('event.ImageFileName', ...names.map((name) => `\\${name}`));
const started = is('event.event_simpleName', 'ProcessRollup2');
const office = ['excel.exe', 'outlook.exe', 'powerpnt.exe', 'winword.exe'];
const snyk = (...events: string[]): Criterion => is('event', ...events);
const upwind = (...categories: string[]): Criterion[] => [
  is('fields.category', ...categories),
  is('fields.severity', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'),
];

/** What tools that watch over others report, and what is done to those tools. */
export const securityToolVerdicts: VerdictRules = {
  'AppOmni.Alert.Passthrough': [is('appomni.event.dataset', 'appomni_alert')],
  'CarbonBlack.Audit.Data.Forwarder.Stopped': [
    startsWith('requestUrl', '/data_forwarder/'),
    any(contains('description', '"enabled":false'), startsWith('description', 'Deleted')),
  ],
  'CarbonBlack.Audit.User.Added.Outside.Org': [
    startsWith('description', 'Added user'),
    not({ field: 'description', operator: 'contains', value_field: 'orgName' }),
  ],
  'CiscoUmbrella.DNS.Blocked': [is('fields.action', 'Blocked')],
  'Cloudflare.Firewall.L7DDoS': [is('fields.Source', 'l7ddos')],
  'Cloudflare.HttpRequest.BotHighVolume': [below('BotScore', 30)],
  'Crowdstrike.Cryptomining.Tools': [started, program('cgminer.exe', 'ethminer.exe', 'xmrig.exe')],
  'Crowdstrike.DNS.Request': [
    any(is('event_simpleName', 'DnsRequest'), is('fdr_event_type', 'DnsRequest')),
    any(is('DomainName', 'baddomain.com'), is('event.DomainName', 'baddomain.com')),
  ],
  'Crowdstrike.Detection.passthrough': [
    any(
      is('ExternalApiType', 'Event_EppDetectionSummaryEvent'),
      is('event.ExternalApiType', 'Event_EppDetectionSummaryEvent'),
    ),
  ],
  'Crowdstrike.EppDetectionSummary': [is('metadata.eventType', 'EppDetectionSummaryEvent')],
  'Crowdstrike.FDR.LOLBAS': [started, program('at.exe', 'bitsadmin.exe', 'certutil.exe', 'mshta.exe', 'regsvr32.exe')],
  'Crowdstrike.Macos.Plutil.Usage': [
    is('fdr_event_type', 'ProcessRollup2'),
    is('event_platform', 'Mac'),
    endsWith('event.ImageFileName', '/plutil'),
    matches('event.CommandLine', '-(insert|replace|remove)'),
  ],
  'Crowdstrike.RealTimeResponse.Session': [
    any(
      is('unknown_payload.ExternalApiType', 'Event_RemoteResponseSessionStartEvent'),
      is('event.ExternalApiType', 'Event_RemoteResponseSessionStartEvent'),
    ),
  ],
  'Crowdstrike.Remote.Access.Tool.Execution': [
    started,
    program('anydesk.exe', 'chrome-remote-desktop-host.exe', 'screenconnect.exe', 'teamviewer.exe'),
  ],
  'Crowdstrike.Systemlog.Tampering': [
    started,
    program('wevtutil.exe'),
    matches('event.CommandLine', String.raw`\s(cl|clear-log)\s`),
  ],
  'Crowdstrike.Unusual.Parent.Child.Processes': [
    started,
    is('event.ParentBaseFileName', ...office),
    program('cmd.exe', 'powershell.exe', 'wscript.exe'),
  ],
  'Crowdstrike.UserDeleted': [is('event.OperationName', 'deleteUser'), is('event.Success', 'true')],
  'DUO.Admin.Action.MarkedFraudulent': [is('fields.action', 'admin_2fa_error'), contains('description', 'fraudulent')],
  'DUO.User.BypassCode.Used': [is('reason', 'bypass_user'), is('result', 'success')],
  'DUO.User.Denied.AnomalousPush': [is('reason', 'anomalous_push'), is('result', 'denied')],
  'DUO.User.Endpoint.Failure': [
    is(
      'reason',
      'could_not_determine_if_endpoint_was_trusted',
      'endpoint_failed_google_verification',
      'endpoint_is_not_in_management_system',
      'endpoint_is_not_trusted',
      'invalid_device',
    ),
    is('result', 'denied'),
  ],
  'Netskope.NetskopePersonnelActivity': [is('is_netskope_personnel', 'true')],
  'Osquery.Linux.LoginFromNonOffice': [
    is('fields.action', 'added'),
    matches('fields.name', 'logged_in_users|incident_response-last'),
    not(within('columns.host', '192.168.1.0/24')),
  ],
  'Osquery.Mac.AutoUpdateEnabled': [
    endsWith('fields.name', '/SoftwareUpdate'),
    is('fields.action', 'added'),
    is('columns.key', 'AutomaticCheckEnabled'),
    is('columns.value', 'false'),
  ],
  'Osquery.Mac.OSXAttacks': [
    startsWith('fields.name', 'pack_osx-attacks_'),
    is('fields.action', 'added'),
    not(endsWith('fields.name', 'Keyboard_Event_Taps')),
  ],
  'Proofpoint.MalwareDetected': [
    any(is('quarantineRule', 'malware'), atLeast('malwareScore', 90)),
    not(any(is('quarantineFolder', 'Virus'), is('quarantineRule', 'notcleaned'))),
  ],
  'Push.Security.Authorized.IdP.Login': [
    there('new.identityProvider'),
    not(is('new.identityProvider', 'GOOGLE_WORKSPACE', 'MICROSOFT_365')),
  ],
  'Push.Security.New.SaaS.Account.Created': [is('fields.type', 'CREATE')],
  'SentinelOne.Alert.Passthrough': [is('activitytype', 3608)],
  'Snyk.Misc.Settings': [snyk('group.cloud_config.settings.edit', 'group.feature_flags.edit')],
  'Snyk.Org.Settings': [startsWith('event', 'org.integration.', 'org.webhook.', 'org.settings.')],
  'Snyk.System.PolicySetting': [startsWith('event', 'group.policy.', 'org.policy.')],
  'Snyk.User.Management': [
    startsWith('event', 'org.user.', 'group.user.'),
    // Somebody who signs in by SAML for the first time adds himself.
    not(all(snyk('org.user.add'), { field: 'content.userPublicId', operator: 'equals', value_field: 'userId' })),
  ],
  'Sublime.Mailbox.Deactivated': [is('fields.type', 'message_source.deactivate_mailboxes')],
  'Sublime.Message.Flagged': [is('fields.type', 'message.flagged')],
  'Sublime.Message.Source.Deleted.Or.Deactivated': [
    is('fields.type', 'message_source.deactivate', 'message_source.delete'),
  ],
  'Sublime.Rules.Deleted.Or.Deactivated': [is('fields.type', 'rules.deactivate', 'rules.delete')],
  'Teleport.CreateUserAccounts': [
    is('event', 'session.command'),
    is('program', 'adduser', 'deluser', 'useradd', 'userdel', 'usermod'),
  ],
  'Thinkst.CanaryDCRC': [is('fields.Description', 'Canary Disconnected', 'Canary Reconnected')],
  'Thinkst.CanaryIncident': [is('AlertType', 'CanaryIncident')],
  'Tracebit.Alert': [is('discriminator.type', 'tracebit_alert_log')],
  'Upwind.Detection.Posture.Passthrough': upwind('Misconfiguration', 'CSPM', 'Posture'),
  'Upwind.Detection.Runtime.Passthrough': upwind('Container Execution', 'Process Execution', 'Runtime'),
  'Upwind.Detection.Vulnerability.Passthrough': upwind('Vulnerability', 'Vulnerabilities'),
  'Windows.Credential.Dumping.Tool': [
    is('EventID', 4688),
    endsWith('ExtraEventData.NewProcessName', '\\lazagne.exe', '\\mimikatz.exe', '\\pwdump.exe'),
  ],
  'Wiz.Defend.Alert.Passthrough': [there('trigger.ruleName'), not(is('fields.severity', 'INFORMATIONAL'))],
  'ZIA.Logs.Downloaded': [is('event.action', 'DOWNLOAD'), is('event.category', 'AUDIT_LOGS')],
  'ZIA.Password.Expiration': [
    is('event.action', 'UPDATE'),
    is('event.subcategory', 'PASSWORD_EXPIRY'),
    not({
      field: 'event.postaction.passwordExpirationEnabled',
      operator: 'equals',
      value_field: 'event.preaction.passwordExpirationEnabled',
    }),
  ],
};
