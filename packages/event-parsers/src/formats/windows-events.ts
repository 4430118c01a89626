export type WindowsEventKind = { readonly event_type: string; readonly action: string; readonly outcome: string };

const otherEvent: WindowsEventKind = { event_type: 'log', action: '', outcome: '' };

function kind(event_type: string, action: string, outcome = ''): WindowsEventKind {
  return { event_type, action, outcome };
}

/** Events of the Security log that policies care about. */
const securityEvents: ReadonlyMap<number, WindowsEventKind> = new Map([
  [1102, kind('audit', 'clear_log', 'success')],
  [4624, kind('authentication', 'login', 'success')],
  [4625, kind('authentication', 'login', 'failure')],
  [4634, kind('authentication', 'logout', 'success')],
  [4647, kind('authentication', 'logout', 'success')],
  [4648, kind('authentication', 'login_explicit', 'success')],
  [4627, kind('authentication', 'list_groups', 'success')],
  [4649, kind('authentication', 'replay_attack', 'failure')],
  [4656, kind('object', 'request_handle')],
  [4657, kind('registry', 'set_value', 'success')],
  [4658, kind('object', 'close_handle', 'success')],
  [4660, kind('object', 'delete_object', 'success')],
  [4661, kind('object', 'request_handle')],
  [4662, kind('directory', 'access_object')],
  [4663, kind('object', 'access_object', 'success')],
  [4670, kind('object', 'change_permissions', 'success')],
  [4672, kind('authentication', 'assign_privileges', 'success')],
  [4673, kind('privilege', 'use_privilege')],
  [4674, kind('privilege', 'use_privilege')],
  [4688, kind('process', 'start_process', 'success')],
  [4689, kind('process', 'end_process', 'success')],
  [4690, kind('object', 'duplicate_handle', 'success')],
  [4697, kind('service', 'install_service', 'success')],
  [4698, kind('task', 'create_task', 'success')],
  [4699, kind('task', 'delete_task', 'success')],
  [4700, kind('task', 'enable_task', 'success')],
  [4701, kind('task', 'disable_task', 'success')],
  [4702, kind('task', 'change_task', 'success')],
  [4703, kind('privilege', 'change_privileges', 'success')],
  [4704, kind('privilege', 'grant_right', 'success')],
  [4705, kind('privilege', 'remove_right', 'success')],
  [4719, kind('audit', 'change_audit_policy', 'success')],
  [4720, kind('account', 'create_user', 'success')],
  [4722, kind('account', 'enable_user', 'success')],
  [4723, kind('account', 'change_password')],
  [4724, kind('account', 'reset_password')],
  [4725, kind('account', 'disable_user', 'success')],
  [4726, kind('account', 'delete_user', 'success')],
  [4727, kind('account', 'create_group', 'success')],
  [4728, kind('account', 'add_to_group', 'success')],
  [4729, kind('account', 'remove_from_group', 'success')],
  [4731, kind('account', 'create_group', 'success')],
  [4732, kind('account', 'add_to_group', 'success')],
  [4733, kind('account', 'remove_from_group', 'success')],
  [4738, kind('account', 'change_user', 'success')],
  [4739, kind('policy', 'change_domain_policy', 'success')],
  [4740, kind('account', 'lock_account', 'success')],
  [4741, kind('account', 'create_computer', 'success')],
  [4742, kind('account', 'change_computer', 'success')],
  [4743, kind('account', 'delete_computer', 'success')],
  [4756, kind('account', 'add_to_group', 'success')],
  [4757, kind('account', 'remove_from_group', 'success')],
  [4765, kind('account', 'add_sid_history', 'success')],
  [4767, kind('account', 'unlock_account', 'success')],
  [4768, kind('authentication', 'request_ticket')],
  [4769, kind('authentication', 'request_service_ticket')],
  [4771, kind('authentication', 'preauthenticate', 'failure')],
  [4776, kind('authentication', 'validate_credentials')],
  [4778, kind('session', 'reconnect_session', 'success')],
  [4779, kind('session', 'disconnect_session', 'success')],
  [4781, kind('account', 'rename_account', 'success')],
  [4798, kind('account', 'list_groups_of_user', 'success')],
  [4799, kind('account', 'list_group_members', 'success')],
  [4800, kind('session', 'lock_workstation', 'success')],
  [4801, kind('session', 'unlock_workstation', 'success')],
  [4825, kind('authentication', 'login', 'failure')],
  [4946, kind('configuration', 'change_firewall', 'success')],
  [4947, kind('configuration', 'change_firewall', 'success')],
  [4948, kind('configuration', 'change_firewall', 'success')],
  [5058, kind('key', 'access_key_file')],
  [5061, kind('key', 'cryptographic_operation')],
  [5136, kind('directory', 'change_object', 'success')],
  [5137, kind('directory', 'create_object', 'success')],
  [5140, kind('share', 'access_share', 'success')],
  [5145, kind('share', 'check_share_access')],
  [5156, kind('network', 'connect', 'success')],
  [5157, kind('network', 'connect', 'failure')],
  [5158, kind('network', 'bind', 'success')],
  [5379, kind('credentials', 'read_credentials', 'success')],
  [5382, kind('credentials', 'read_credentials', 'success')],
  [6416, kind('device', 'connect_device', 'success')],
]);

/** Of the System log. */
const systemEvents: ReadonlyMap<number, WindowsEventKind> = new Map([
  [104, kind('audit', 'clear_log', 'success')],
  [7034, kind('service', 'crash_service', 'failure')],
  [7036, kind('service', 'change_service_state', 'success')],
  [7040, kind('service', 'change_service_start', 'success')],
  [7045, kind('service', 'install_service', 'success')],
]);

const sysmonEvents: ReadonlyMap<number, WindowsEventKind> = new Map([
  [1, kind('process', 'start_process', 'success')],
  [2, kind('file', 'change_file_time', 'success')],
  [3, kind('network', 'connect', 'success')],
  [4, kind('service', 'change_service_state', 'success')],
  [5, kind('process', 'end_process', 'success')],
  [6, kind('driver', 'load_driver', 'success')],
  [7, kind('process', 'load_image', 'success')],
  [8, kind('process', 'create_remote_thread', 'success')],
  [9, kind('file', 'read_raw_disk', 'success')],
  [10, kind('process', 'access_process', 'success')],
  [11, kind('file', 'create_file', 'success')],
  [12, kind('registry', 'change_key', 'success')],
  [13, kind('registry', 'set_value', 'success')],
  [14, kind('registry', 'rename_key', 'success')],
  [15, kind('file', 'create_stream', 'success')],
  [16, kind('configuration', 'change_sysmon', 'success')],
  [17, kind('pipe', 'create_pipe', 'success')],
  [18, kind('pipe', 'connect_pipe', 'success')],
  [19, kind('wmi', 'create_filter', 'success')],
  [20, kind('wmi', 'create_consumer', 'success')],
  [21, kind('wmi', 'bind_consumer', 'success')],
  [22, kind('dns', 'query', 'success')],
  [23, kind('file', 'delete_file', 'success')],
  [24, kind('clipboard', 'change_clipboard', 'success')],
  [25, kind('process', 'tamper_process', 'success')],
  [26, kind('file', 'delete_file', 'success')],
  [27, kind('file', 'block_executable', 'failure')],
  [28, kind('file', 'block_shredding', 'failure')],
  [29, kind('file', 'create_executable', 'success')],
]);

/** Of the PowerShell channels; their script is in `ScriptBlockText` or `Payload`. */
const powershellEvents: ReadonlyMap<number, WindowsEventKind> = new Map([
  [400, kind('script', 'start_engine', 'success')],
  [403, kind('script', 'stop_engine', 'success')],
  [600, kind('script', 'start_provider', 'success')],
  [800, kind('script', 'run_pipeline', 'success')],
  [4103, kind('script', 'run_command', 'success')],
  [4104, kind('script', 'run_script_block', 'success')],
]);

/** Where a record names its provider and no log: those that write to Security and System, and none at all. */
const classicEvents: ReadonlyMap<number, WindowsEventKind> = new Map([...securityEvents, ...systemEvents]);
const classicProviders: ReadonlySet<string> = new Set([
  '',
  'microsoft-windows-security-auditing',
  'microsoft-windows-eventlog',
  'service control manager',
]);

/** Ids of the Security log whose `Status` says how the check ended. */
const statusEvents: ReadonlySet<number> = new Set([4768, 4769, 4776]);

type WindowsLog = { readonly channel: string; readonly provider: string };

/** An id means something in its log alone: every provider counts from 1. Unlisted ones are `log` without an action. */
export function kindOfWindowsEvent(integration: 'windows' | 'sysmon', id: number, log: WindowsLog): WindowsEventKind {
  if (integration === 'sysmon') return sysmonEvents.get(id) ?? otherEvent;
  return eventsOf(log)?.get(id) ?? otherEvent;
}

function eventsOf({ channel, provider }: WindowsLog): ReadonlyMap<number, WindowsEventKind> | undefined {
  if (channel.includes('PowerShell')) return powershellEvents;
  const log = channel.toLowerCase();
  if (log === 'security') return securityEvents;
  if (log === 'system') return systemEvents;
  // A collector's channel is where the event arrived, not where it was written.
  const isUnnamed = log === '' || log === 'forwardedevents';
  return isUnnamed && classicProviders.has(provider.toLowerCase()) ? classicEvents : undefined;
}

/** Of an event whose id leaves it open; the status is hexadecimal digits, and 0 is success. */
export function outcomeOfStatus({ event_type: type }: WindowsEventKind, id: number, status: string): string {
  if (status === '' || type !== 'authentication' || !statusEvents.has(id)) return '';
  const code = Number(status);
  if (Number.isNaN(code)) return '';
  return code === 0 ? 'success' : 'failure';
}
