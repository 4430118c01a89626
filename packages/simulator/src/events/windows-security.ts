import type { Company, Employee } from '../company.ts';
import type { Random } from '../random.ts';
import type { RawRecord } from '../raw-record.ts';

export type WindowsLogon = {
  readonly time: number;
  readonly random: Random;
  readonly company: Company;
  readonly employee: Employee;
  readonly address: string;
  readonly outcome: 'success' | 'failure';
};

/** Security events 4624 and 4625 of a domain controller, in the flat JSON that collectors such as NXLog forward. */
export function windowsLogon({ time, random, company, employee, address, outcome }: WindowsLogon): RawRecord {
  const failed = outcome === 'failure';
  const event = {
    EventTime: new Date(time).toISOString().replace('T', ' ').slice(0, 19),
    '@timestamp': new Date(time).toISOString(),
    Hostname: company.domainController.name,
    Channel: 'Security',
    SourceName: 'Microsoft-Windows-Security-Auditing',
    ProviderGuid: '{54849625-5478-4994-A5BA-3E3B0328C30D}',
    EventID: failed ? 4625 : 4624,
    EventType: failed ? 'AUDIT_FAILURE' : 'AUDIT_SUCCESS',
    Severity: failed ? 'ERROR' : 'INFO',
    SeverityValue: failed ? 4 : 2,
    Task: 12_544,
    Category: 'Logon',
    RecordNumber: random.int(100_000, 9_999_999),
    ExecutionProcessID: random.int(400, 900),
    TargetUserName: employee.account,
    TargetDomainName: company.windowsDomain,
    LogonType: '3',
    LogonProcessName: 'NtLmSsp ',
    AuthenticationPackageName: 'NTLM',
    WorkstationName: employee.workstation.name.split('.')[0]?.toUpperCase(),
    IpAddress: address,
    IpPort: String(random.int(49_152, 65_535)),
    ...(failed ? { Status: '0xc000006d', SubStatus: '0xc000006a', FailureReason: '%%2313' } : {}),
    Message: failed ? 'An account failed to log on.' : 'An account was successfully logged on.',
  };
  return { time, transport: 'http', product: 'windows', line: JSON.stringify(event) };
}
