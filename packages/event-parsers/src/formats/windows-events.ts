export type WindowsEventKind = { readonly event_type: string; readonly action: string; readonly outcome: string };

const otherEvent: WindowsEventKind = { event_type: 'log', action: '', outcome: '' };

function kind(event_type: string, action: string, outcome = ''): WindowsEventKind {
  return { event_type, action, outcome };
}

/** Events of the Security and System logs that policies care about. */
const windowsEvents: ReadonlyMap<number, WindowsEventKind> = new Map([
  [1102, kind('audit', 'clear_log', 'success')],
  [104, kind('audit', 'clear_log', 'success')],
  [4624, kind('authentication', 'login', 'success')],
  [4625, kind('authentication', 'login', 'failure')],
  [4634, kind('authentication', 'logout', 'success')],
  [4647, kind('authentication', 'logout', 'success')],
  [4648, kind('authentication', 'login_explicit', 'success')],
  [4656, kind('object', 'request_handle')],
  [4657, kind('registry', 'set_value', 'success')],
  [4663, kind('object', 'access_object', 'success')],
  [4672, kind('authentication', 'assign_privileges', 'success')],
  [4688, kind('process', 'start_process', 'success')],
  [4689, kind('process', 'end_process', 'success')],
  [4697, kind('service', 'install_service', 'success')],
  [4698, kind('task', 'create_task', 'success')],
  [4719, kind('audit', 'change_audit_policy', 'success')],
  [4720, kind('account', 'create_user', 'success')],
  [4722, kind('account', 'enable_user', 'success')],
  [4724, kind('account', 'reset_password')],
  [4725, kind('account', 'disable_user', 'success')],
  [4726, kind('account', 'delete_user', 'success')],
  [4728, kind('account', 'add_to_group', 'success')],
  [4732, kind('account', 'add_to_group', 'success')],
  [4740, kind('account', 'lock_account', 'success')],
  [4756, kind('account', 'add_to_group', 'success')],
  [4768, kind('authentication', 'request_ticket')],
  [4769, kind('authentication', 'request_service_ticket')],
  [4771, kind('authentication', 'preauthenticate', 'failure')],
  [4776, kind('authentication', 'validate_credentials')],
  [5140, kind('share', 'access_share', 'success')],
  [5145, kind('share', 'check_share_access')],
  [5156, kind('network', 'connect', 'success')],
  [5157, kind('network', 'connect', 'failure')],
  [7045, kind('service', 'install_service', 'success')],
]);

const sysmonEvents: ReadonlyMap<number, WindowsEventKind> = new Map([
  [1, kind('process', 'start_process', 'success')],
  [2, kind('file', 'change_file_time', 'success')],
  [3, kind('network', 'connect', 'success')],
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
  [17, kind('pipe', 'create_pipe', 'success')],
  [18, kind('pipe', 'connect_pipe', 'success')],
  [22, kind('dns', 'query', 'success')],
  [23, kind('file', 'delete_file', 'success')],
  [25, kind('process', 'tamper_process', 'success')],
  [26, kind('file', 'delete_file', 'success')],
]);

/** Event ids mean different things in Sysmon's own log. Unlisted ones are `log` without an action. */
export function kindOfWindowsEvent(integration: 'windows' | 'sysmon', id: number): WindowsEventKind {
  return (integration === 'sysmon' ? sysmonEvents : windowsEvents).get(id) ?? otherEvent;
}
