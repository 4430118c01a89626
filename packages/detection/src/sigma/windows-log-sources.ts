/** Which events a Windows category means, by where they are written. */
export type EventKinds = {
  /** Event ids of Sysmon's log. */
  readonly sysmon?: readonly number[];
  /** Event ids of other logs. */
  readonly windows?: readonly number[];
  readonly channels?: readonly string[];
  readonly provider?: string;
};

const powershell = ['Microsoft-Windows-PowerShell/Operational', 'PowerShellCore/Operational'];
const classicPowershell = ['Windows PowerShell'];
const kernelFile = 'Microsoft-Windows-Kernel-File';

export const categoryEvents: Readonly<Record<string, EventKinds>> = {
  process_creation: { sysmon: [1], windows: [4688] },
  file_change: { sysmon: [2] },
  network_connection: { sysmon: [3] },
  sysmon_status: { sysmon: [4, 16] },
  process_termination: { sysmon: [5] },
  driver_load: { sysmon: [6] },
  image_load: { sysmon: [7] },
  create_remote_thread: { sysmon: [8] },
  raw_access_thread: { sysmon: [9] },
  process_access: { sysmon: [10] },
  file_event: { sysmon: [11] },
  registry_add: { sysmon: [12] },
  registry_delete: { sysmon: [12] },
  registry_set: { sysmon: [13] },
  registry_rename: { sysmon: [14] },
  registry_event: { sysmon: [12, 13, 14] },
  create_stream_hash: { sysmon: [15] },
  pipe_created: { sysmon: [17, 18] },
  wmi_event: { sysmon: [19, 20, 21] },
  dns_query: { sysmon: [22] },
  file_delete: { sysmon: [23, 26] },
  clipboard_capture: { sysmon: [24] },
  process_tampering: { sysmon: [25] },
  file_block_executable: { sysmon: [27] },
  file_block_shredding: { sysmon: [28] },
  file_executable_detected: { sysmon: [29] },
  sysmon_error: { sysmon: [255] },
  ps_module: { windows: [4103], channels: powershell },
  ps_script: { windows: [4104], channels: powershell },
  ps_classic_start: { windows: [400], channels: classicPowershell },
  ps_classic_provider_start: { windows: [600], channels: classicPowershell },
  ps_classic_script: { windows: [800], channels: classicPowershell },
  file_access: { provider: kernelFile },
  file_rename: { provider: kernelFile },
};

/** Names of event logs by the service that Sigma calls them. */
export const channelsByService: Readonly<Record<string, readonly string[]>> = {
  security: ['Security'],
  system: ['System'],
  application: ['Application'],
  powershell,
  'powershell-classic': classicPowershell,
  windefend: ['Microsoft-Windows-Windows Defender/Operational'],
  taskscheduler: ['Microsoft-Windows-TaskScheduler/Operational'],
  wmi: ['Microsoft-Windows-WMI-Activity/Operational'],
  applocker: [
    'Microsoft-Windows-AppLocker/MSI and Script',
    'Microsoft-Windows-AppLocker/EXE and DLL',
    'Microsoft-Windows-AppLocker/Packaged app-Deployment',
    'Microsoft-Windows-AppLocker/Packaged app-Execution',
  ],
  'appxdeployment-server': ['Microsoft-Windows-AppXDeploymentServer/Operational'],
  'appxpackaging-om': ['Microsoft-Windows-AppxPackaging/Operational'],
  appmodel_runtime: ['Microsoft-Windows-AppModel-Runtime/Admin'],
  'appmodel-runtime': ['Microsoft-Windows-AppModel-Runtime/Admin'],
  'bits-client': ['Microsoft-Windows-Bits-Client/Operational'],
  bitlocker: ['Microsoft-Windows-BitLocker/BitLocker Management'],
  capi2: ['Microsoft-Windows-CAPI2/Operational'],
  'certificateservicesclient-lifecycle-system': [
    'Microsoft-Windows-CertificateServicesClient-Lifecycle-System/Operational',
  ],
  'codeintegrity-operational': ['Microsoft-Windows-CodeIntegrity/Operational'],
  dhcp: ['Microsoft-Windows-DHCP-Server/Operational'],
  'diagnosis-scripted': ['Microsoft-Windows-Diagnosis-Scripted/Operational'],
  'dns-client': ['Microsoft-Windows-DNS Client Events/Operational', 'Microsoft-Windows-DNS-Client/Operational'],
  'dns-server': ['DNS Server'],
  'dns-server-analytic': ['Microsoft-Windows-DNS-Server/Analytical'],
  'dns-server-audit': ['Microsoft-Windows-DNS-Server/Audit'],
  'driver-framework': ['Microsoft-Windows-DriverFrameworks-UserMode/Operational'],
  'firewall-as': ['Microsoft-Windows-Windows Firewall With Advanced Security/Firewall'],
  hyper_v_worker: ['Microsoft-Windows-Hyper-V-Worker'],
  'hyper-v-worker': ['Microsoft-Windows-Hyper-V-Worker'],
  iis: ['Microsoft-IIS-Logging/Logs'],
  'iis-configuration': ['Microsoft-IIS-Configuration/Operational'],
  'kernel-event-tracing': ['Microsoft-Windows-Kernel-EventTracing'],
  'kernel-shimengine': ['Microsoft-Windows-Kernel-ShimEngine/Operational'],
  ldap: ['Microsoft-Windows-LDAP-Client/Debug'],
  ldap_debug: ['Microsoft-Windows-LDAP-Client/Debug'],
  'lsa-server': ['Microsoft-Windows-LSA/Operational'],
  microsoft365_defender: ['Microsoft-Windows-Windows Defender/Operational'],
  'msexchange-management': ['MSExchange Management'],
  ntlm: ['Microsoft-Windows-NTLM/Operational'],
  ntfs: ['Microsoft-Windows-Ntfs/Operational'],
  openssh: ['OpenSSH/Operational'],
  'printservice-admin': ['Microsoft-Windows-PrintService/Admin'],
  'printservice-operational': ['Microsoft-Windows-PrintService/Operational'],
  'security-mitigations': [
    'Microsoft-Windows-Security-Mitigations/Kernel Mode',
    'Microsoft-Windows-Security-Mitigations/User Mode',
  ],
  sense: ['Microsoft-Windows-SENSE/Operational'],
  'servicebus-client': ['Microsoft-ServiceBus-Client/Operational', 'Microsoft-ServiceBus-Client/Admin'],
  'shell-core': ['Microsoft-Windows-Shell-Core/Operational'],
  'smbclient-connectivity': ['Microsoft-Windows-SmbClient/Connectivity'],
  'smbclient-security': ['Microsoft-Windows-SmbClient/Security'],
  'smbserver-connectivity': ['Microsoft-Windows-SMBServer/Connectivity'],
  'terminalservices-localsessionmanager': ['Microsoft-Windows-TerminalServices-LocalSessionManager/Operational'],
  vhdmp: ['Microsoft-Windows-VHDMP/Operational'],
};
