export type AuditKind = readonly [event_type: string, action: string];

/** Records of the Linux audit system by type; others are `audit` with the type as action. */
const kinds: Readonly<Record<string, AuditKind>> = {
  ACCT_LOCK: ['account', 'lock_account'],
  ACCT_UNLOCK: ['account', 'unlock_account'],
  ADD_GROUP: ['account', 'create_group'],
  ADD_USER: ['account', 'create_user'],
  ANOM_ABEND: ['anomaly', 'abnormal_end'],
  ANOM_PROMISCUOUS: ['anomaly', 'promiscuous_mode'],
  AUOMS_EXECVE: ['process', 'start_process'],
  AUOMS_SYSCALL: ['syscall', 'syscall'],
  AVC: ['mandatory_access', 'check_access'],
  CONFIG_CHANGE: ['configuration', 'change_audit_policy'],
  CRED_ACQ: ['authentication', 'acquire_credentials'],
  CRED_DISP: ['authentication', 'dispose_credentials'],
  CRED_REFR: ['authentication', 'refresh_credentials'],
  DAEMON_END: ['service', 'stop_auditing'],
  DAEMON_START: ['service', 'start_auditing'],
  DEL_GROUP: ['account', 'delete_group'],
  DEL_USER: ['account', 'delete_user'],
  EXECVE: ['process', 'start_process'],
  GRP_MGMT: ['account', 'change_group'],
  LOGIN: ['authentication', 'set_login_id'],
  NETFILTER_CFG: ['configuration', 'change_firewall'],
  PATH: ['file', 'path'],
  PROCTITLE: ['process', 'title'],
  SERVICE_START: ['service', 'start_service'],
  SERVICE_STOP: ['service', 'stop_service'],
  SOCKADDR: ['network', 'address'],
  SYSCALL: ['syscall', 'syscall'],
  USER_ACCT: ['authentication', 'authorize'],
  USER_AUTH: ['authentication', 'authenticate'],
  USER_CHAUTHTOK: ['account', 'change_password'],
  USER_CMD: ['process', 'run_as'],
  USER_END: ['session', 'end_session'],
  USER_ERR: ['authentication', 'authenticate'],
  USER_LOGIN: ['authentication', 'login'],
  USER_LOGOUT: ['authentication', 'logout'],
  USER_MGMT: ['account', 'change_user'],
  USER_START: ['session', 'start_session'],
  VIRT_CONTROL: ['virtualisation', 'control'],
};

export function auditKindOf(type: string): AuditKind {
  return (Object.hasOwn(kinds, type) ? kinds[type] : undefined) ?? ['audit', type.toLowerCase()];
}

/** Values the kernel writes in hexadecimal digits when they hold a space, a quote or worse. */
const encoded: ReadonlySet<string> = new Set([
  'acct',
  'cmd',
  'comm',
  'cwd',
  'data',
  'exe',
  'key',
  'name',
  'new-disk',
  'old-disk',
  'proctitle',
  'vm',
]);

/** Arguments of EXECVE are `a0`, `a1`, `a1[0]`; in other records the same names are numbers. */
export function isEncodedField(type: string, key: string): boolean {
  return encoded.has(key) || (type === 'EXECVE' && /^a\d{1,4}(?:\[\d{1,4}\])?$/.test(key));
}
