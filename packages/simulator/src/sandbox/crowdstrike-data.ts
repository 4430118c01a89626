import { createHash } from 'node:crypto';
import { createCompany } from '../company.ts';

export type FalconHost = {
  readonly device_id: string;
  readonly hostname: string;
  readonly local_ip: string;
  readonly platform_name: string;
  /** Containment takes its time: `containment_pending` is what the next look sees, `contained` the one after. */
  status: 'normal' | 'containment_pending' | 'contained' | 'lift_containment_pending';
};

export type FalconRecord = Record<string, unknown>;

export type FalconMemory = {
  readonly hosts: Map<string, FalconHost>;
  /** By composite id. */
  readonly alerts: Map<string, FalconRecord>;
  readonly indicators: Map<string, FalconRecord>;
  /** Tokens handed out, with the time they end at in milliseconds. */
  readonly tokens: Map<string, number>;
  /** Numbers for new ids. */
  counter: number;
};

/** What every route needs. */
export type FalconDeps = { readonly current: () => FalconMemory; readonly now: () => Date };

export const SANDBOX_CID = hexId('cid');

/** The simulator's company as a Falcon customer: every workstation and server has a sensor; three alerts are open. */
export function createFalconMemory(now: Date): FalconMemory {
  const company = createCompany('sandbox');
  const workstations = company.employees.map(({ workstation }) => ({ ...workstation, platform_name: 'Windows' }));
  const servers = company.linuxServers.map((server) => ({ ...server, platform_name: 'Linux' }));
  const hosts = new Map<string, FalconHost>();
  for (const { name, address, platform_name } of [...workstations, ...servers]) {
    const device_id = hexId(name);
    hosts.set(device_id, { device_id, hostname: name, local_ip: address, platform_name, status: 'normal' });
  }
  const memory: FalconMemory = { hosts, alerts: new Map(), indicators: new Map(), tokens: new Map(), counter: 0 };
  const [first, second, third] = [...hosts.values()];
  for (const [host, name, severity, minutes] of [
    [first, 'Credential dumping', 70, 50],
    [second, 'Suspicious script', 50, 30],
    [third, 'Unusual service', 30, 10],
  ] as const) {
    if (host === undefined) continue;
    addAlert(memory, { host, name, severity, time: new Date(now.getTime() - minutes * 60_000).toISOString() });
  }
  return memory;
}

export function addAlert(
  memory: FalconMemory,
  { host, name, severity, time }: { host: FalconHost; name: string; severity: number; time: string },
): void {
  memory.counter += 1;
  const id = `ind:${host.device_id}:${memory.counter}`;
  const composite_id = `${SANDBOX_CID}:${id}`;
  memory.alerts.set(composite_id, {
    composite_id,
    id,
    cid: SANDBOX_CID,
    agent_id: host.device_id,
    display_name: name,
    name,
    description: `${name} on ${host.hostname}`,
    severity,
    severity_name: severity >= 70 ? 'High' : severity >= 40 ? 'Medium' : 'Low',
    status: 'new',
    product: 'epp',
    type: 'ldt',
    tactic: 'Credential Access',
    technique: 'OS Credential Dumping',
    timestamp: time,
    created_timestamp: time,
    updated_timestamp: time,
    assigned_to_name: null,
    assigned_to_uuid: null,
    tags: [],
    comments: [],
    show_in_ui: true,
    device: { device_id: host.device_id, hostname: host.hostname, platform_name: host.platform_name },
  });
}

/** A host as the vendor shows it; looking is what lets time pass for containment. */
export function hostObject(host: FalconHost): FalconRecord {
  const seen = { ...host };
  if (host.status === 'containment_pending') host.status = 'contained';
  else if (host.status === 'lift_containment_pending') host.status = 'normal';
  return {
    ...seen,
    cid: SANDBOX_CID,
    external_ip: '192.0.2.10',
    mac_address: '02-00-5e-10-00-01',
    os_version: host.platform_name === 'Windows' ? 'Windows 11' : 'Debian GNU 12',
    agent_version: '7.20.0',
    product_type_desc: host.platform_name === 'Windows' ? 'Workstation' : 'Server',
    first_seen: '2026-01-10T08:00:00Z',
    last_seen: '2026-11-20T08:00:00Z',
  };
}

export function hexId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
