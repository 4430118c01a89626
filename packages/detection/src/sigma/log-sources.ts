/**
 * Which of our events a Sigma log source means. One of theirs can be several of ours: a process that starts is event 1 of
 * Sysmon and event 4688 of the Security log.
 */
import { eventColumns } from '@airdeck/contracts/events/event';
import type { Criterion, PolicyLogic } from '@airdeck/contracts/policies/schema';
import { categoryEvents, channelsByService, type EventKinds } from './windows-log-sources.ts';

export type LogSource = { readonly product: string; readonly category: string; readonly service: string };

export type MappedSource = {
  readonly source: PolicyLogic['source'];
  /** What tells the events apart beyond their source. */
  readonly criteria: readonly Criterion[];
};

type OurSource = { readonly integration: string; readonly eventType?: string };

function of(...integrations: readonly string[]): readonly OurSource[] {
  return integrations.map((integration) => ({ integration }));
}

/** Logs of Zeek that rules look at: our event type is the log's name. */
const zeekLogs = ['conn', 'dce_rpc', 'dns', 'ftp', 'http', 'kerberos', 'rdp', 'smb_files', 'ssh', 'ssl', 'x509'];

/** By product and service, product and category, or product alone; the most telling hit wins. */
const sources: ReadonlyMap<string, readonly OurSource[]> = new Map<string, readonly OurSource[]>([
  ['aws//cloudtrail', [{ integration: 'aws', eventType: 'cloudtrail' }]],
  ['azure//signinlogs', [...of('azure'), { integration: 'entra_id', eventType: 'sign_in' }]],
  ['azure//auditlogs', [...of('azure'), { integration: 'entra_id', eventType: 'audit' }]],
  ['azure//', of('azure', 'entra_id')],
  ['fortios//', of('fortigate')],
  ['paloalto//', of('panos', 'syslog')],
  ['cisco//', of('cisco_ios', 'cisco_asa', 'cisco_ftd', 'cisco_firepower', 'syslog')],
  ['juniper//', of('juniper_junos')],
  ['huawei//', of('syslog')],
  ...zeekLogs.map((log) => [`zeek//${log}`, [{ integration: 'zeek', eventType: log }]] as const),
  ['linux//auditd', of('auditd')],
  ['linux//sshd', of('sshd')],
  ['linux//sudo', of('sudo', 'syslog')],
  ['linux//cron', of('cron', 'syslog')],
  ['linux//auth', of('sshd', 'sudo', 'su', 'linux_accounts', 'syslog')],
  ['linux//syslog', of('syslog')],
  // Sysmon runs on Linux as well, and writes what it writes on Windows.
  ['linux/process_creation/', [{ integration: 'sysmon', eventType: 'process' }, ...of('linux')]],
  ['linux/file_event/', [{ integration: 'sysmon', eventType: 'file' }, ...of('linux')]],
  ['linux/network_connection/', [{ integration: 'sysmon', eventType: 'network' }, ...of('linux')]],
  ['linux//', of('syslog', 'auditd', 'sshd', 'sudo', 'su', 'cron', 'linux_accounts', 'linux')],
]);

/** By category, of sources without a product: any product may write these. */
const anyProduct: ReadonlyMap<string, readonly OurSource[]> = new Map([
  ['webserver', of('webserver', 'nginx', 'apache', 'iis')],
  ['proxy', of('squid', 'proxy')],
  [
    'firewall',
    of(
      'fortigate',
      'panos',
      'cisco_asa',
      'cisco_ftd',
      'checkpoint',
      'juniper_junos',
      'iptables',
      'sonicwall',
      'firewall',
    ),
  ],
  ['dns', [...of('dns'), { integration: 'zeek', eventType: 'dns' }]],
  ['antivirus', of('antivirus', 'crowdstrike', 'microsoft_graph')],
]);

/** Undefined when the source says nothing at all: such a rule would look at every event of the tenant. */
export function mapLogSource(logSource: LogSource): MappedSource | undefined {
  const { product, category, service } = logSource;
  if (product === 'windows') return windowsSource(logSource);
  const found =
    // Without a service the first would be the row of the product alone, before that of the category.
    (service === '' ? undefined : sources.get(`${product}//${service}`)) ??
    sources.get(`${product}/${category}/`) ??
    sources.get(`${product}//`) ??
    (product === '' ? anyProduct.get(category) : undefined);
  if (found !== undefined) return { source: sourceOf(found), criteria: [] };
  // A product of its own name is an integration of that name: events can come normalised from anywhere.
  const name = slugOf(product || category || service);
  return name === '' ? undefined : { source: sourceOf([{ integration: name }]), criteria: [] };
}

/**
 * Our name of a field. A rule means the original's field even where a column of that name holds our word for it; columns
 * that hold the original's value stay.
 */
export function fieldNameOf(name: string): string {
  return columnsOfOurWords.has(name) ? `fields.${name}` : name;
}

const columnsWithOriginalValues: ReadonlySet<string> = new Set(['message', 'host', 'user', 'src_ip', 'dst_ip', 'raw']);
const columnsOfOurWords: ReadonlySet<string> = new Set(
  eventColumns.filter((column) => !columnsWithOriginalValues.has(column)),
);

function windowsSource({ category, service }: LogSource): MappedSource {
  const kinds: EventKinds | undefined = Object.hasOwn(categoryEvents, category) ? categoryEvents[category] : undefined;
  if (kinds !== undefined) return eventsOf(kinds);
  if (service === 'sysmon') return { source: sourceOf([{ integration: 'sysmon' }]), criteria: [] };
  const channels = Object.hasOwn(channelsByService, service) ? channelsByService[service] : undefined;
  const both = [{ integration: 'windows' }, { integration: 'sysmon' }];
  if (channels !== undefined) {
    return { source: sourceOf([{ integration: 'windows' }]), criteria: [oneOf('Channel', channels)] };
  }
  return { source: sourceOf(both), criteria: [] };
}

function eventsOf({ sysmon, windows, channels, provider }: EventKinds): MappedSource {
  const ids = [...(sysmon ?? []), ...(windows ?? [])].map(String);
  const integrations = [...(sysmon === undefined ? [] : ['sysmon']), ...(windows === undefined ? [] : ['windows'])];
  return {
    source: sourceOf((integrations.length === 0 ? ['windows'] : integrations).map((integration) => ({ integration }))),
    criteria: [
      ...(ids.length === 0 ? [] : [oneOf('EventID', ids)]),
      ...(channels === undefined ? [] : [oneOf('Channel', channels)]),
      ...(provider === undefined ? [] : [oneOf('Provider_Name', [provider])]),
    ],
  };
}

function oneOf(field: string, values: readonly string[]): Criterion {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return { field, operator: 'equals', value: only };
  return { field, operator: 'in', value: [...values] };
}

function sourceOf(list: readonly OurSource[]): PolicyLogic['source'] {
  const [first, ...others] = list.map(({ integration, eventType = '' }) => ({
    connector_definition_id: integration,
    event_type: eventType,
  }));
  return {
    source_type: 'log',
    ...(first ?? { connector_definition_id: '', event_type: '' }),
    ...(others.length === 0 ? {} : { also: others }),
  };
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .slice(0, 64);
}
