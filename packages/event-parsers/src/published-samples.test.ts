import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { describe, expect, it } from 'vitest';
import { parseJson } from './exact-json.ts';
import { parseRecord, recogniseRecord } from './parse-record.ts';

const samples = resolve(process.env.AIRDECK_SHARED_DATA ?? '../shared/data', 'events');

function linesOf(name: string): string[] {
  return readFileSync(join(samples, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function sampleFiles(): string[] {
  try {
    return readdirSync(samples, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:log|ndjson)$/.test(name) && !name.includes('.parsed.'))
      .sort();
  } catch {
    return [];
  }
}

const files = sampleFiles();
const isThere = files.length > 0;
const title = (text: string) => `${text}${isThere ? '' : ' (AIRDECK_SHARED_DATA not found)'}`;

type Answer = Readonly<Record<string, unknown>>;
/** Our value for what the publisher calls so; undefined where the name says nothing about the event. */
type Mapping = Readonly<Record<string, (event: ReturnType<typeof parseRecord>) => unknown>>;

const facilities = ['kern', 'user', 'mail', 'daemon', 'auth', 'syslog', 'lpr', 'news', 'uucp', 'cron', 'authpriv'];
const syslogWords = ['emerg', 'alert', 'crit', 'err', 'warn', 'notice', 'info', 'debug'];
const facilityName = (number: unknown) =>
  Number(number) >= 16 ? `local${Number(number) - 16}` : facilities[Number(number)];

const asa: Mapping = {
  timestamp: (event) => event.time,
  ciscotag: (event) => event.fields.cisco_tag,
  syslog_facility: (event) => facilityName(event.fields.syslog_facility),
  syslog_severity: (event) => syslogWords[Number(event.fields.syslog_severity)],
  syslog_host: (event) => event.host,
  action: (event) => event.action,
  protocol: (event) => event.fields.protocol,
  ip_src_addr: (event) => event.src_ip,
  ip_dst_addr: (event) => event.dst_ip,
  ip_src_port: (event) => event.fields.src_port,
  ip_dst_port: (event) => event.fields.dst_port,
  original_string: (event) => event.raw,
};

const rfc5424: Mapping = {
  timestamp: (event) => event.time,
  'syslog.message': (event) => event.message,
  'syslog.header.timestamp': (event) => new Date(event.time).toISOString().replace('.000Z', '+00:00'),
  'syslog.header.hostName': (event) => event.host,
  'syslog.header.appName': (event) => event.fields.app_name,
  'syslog.header.procId': (event) => event.fields.proc_id ?? '-',
  'syslog.header.msgId': (event) => event.fields.msg_id ?? '-',
  'syslog.header.facility': (event) => String(event.fields.syslog_facility),
  'syslog.header.severity': (event) => String(event.fields.syslog_severity),
  'syslog.header.pri': (event) =>
    String(Number(event.fields.syslog_facility) * 8 + Number(event.fields.syslog_severity)),
  original_string: (event) => event.raw,
};

/** `syslog.structuredData.<element>.<parameter>`; the element's name may hold dots, the parameter's does not. */
function structuredData(key: string): Mapping[string] | undefined {
  const prefix = 'syslog.structuredData.';
  if (!key.startsWith(prefix)) return undefined;
  const path = key.slice(prefix.length);
  const dot = path.lastIndexOf('.');
  return ({ fields }) => {
    const data = fields.structured_data;
    const element = isJsonObject(data) ? data[path.slice(0, dot)] : undefined;
    return isJsonObject(element) ? element[path.slice(dot + 1)] : undefined;
  };
}

const snortField = (name: string) => (event: { fields: Record<string, unknown> }) => event.fields[name] ?? '';
const snortNames = [
  ...['sig_generator', 'sig_id', 'sig_rev', 'msg', 'protocol', 'ethsrc', 'ethdst', 'ethlen', 'tcpflags', 'tcpseq'],
  ...['tcpack', 'tcplen', 'tcpwindow', 'ttl', 'tos', 'id', 'dgmlen', 'iplen', 'icmptype', 'icmpcode', 'icmpid'],
  'icmpseq',
];
// Without `timestamp`: the publisher's answers hold the time at which they were made, not that of the line.
const snort: Mapping = {
  ...Object.fromEntries(snortNames.map((name) => [name, snortField(name)])),
  ip_src_addr: (event) => event.src_ip,
  ip_dst_addr: (event) => event.dst_ip,
  ip_src_port: snortField('src_port'),
  ip_dst_port: snortField('dst_port'),
  is_alert: (event) => String(event.event_type === 'alert'),
  original_string: (event) => event.raw,
};

describe.skipIf(!isThere)(title('the publisher’s own answers, line by line'), () => {
  it.each<[string, Mapping, readonly string[]]>([
    ['cisco_asa', asa, []],
    ['syslog5424', rfc5424, ['syslog.header.version']],
    ['snort', snort, ['timestamp']],
  ])('%s', (name, mapping, left) => {
    const lines = linesOf(`network/${name}.log`);
    const answers = linesOf(`network/${name}.parsed.ndjson`);
    expect(answers).toHaveLength(lines.length);
    const ignored = new Set([...left, 'guid', 'source.type']);
    for (const [index, line] of lines.entries()) {
      const answer = JSON.parse(answers[index] ?? '') as Answer;
      const event = parseRecord(line, { receivedAt: Date.UTC(2016, 11, 31) });
      const named = Object.keys(answer).filter((key) => !ignored.has(key));
      const ours = Object.fromEntries(named.map((key) => [key, (mapping[key] ?? structuredData(key))?.(event)]));
      expect.soft(ours, line).toEqual(Object.fromEntries(named.map((key) => [key, answer[key]])));
    }
  });
});

/** What the publisher of the vendors' lines calls them, and the integration we give. */
const integrations: Readonly<Record<string, readonly string[]>> = {
  'bluecoat:proxysg:access:kv': ['symantec_proxy'],
  cef: ['trellix'],
  'cisco:acs': ['cisco_acs'],
  'cisco:asa': ['cisco_asa'],
  'cisco:dna': ['cisco_dna'],
  'cisco:firepower:syslog': ['cisco_firepower'],
  'cisco:ios': ['cisco_ios'],
  'cisco:ise:syslog': ['cisco_ise'],
  'cisco:ms': ['cisco_meeting_server'],
  'cisco:pix': ['cisco_asa'],
  'cisco:tvcs': ['cisco_tvcs'],
  'cisco:ucs': ['cisco_ucs'],
  'cisco:viptela': ['cisco_viptela'],
  'citrix:netscaler:syslog': ['netscaler'],
  clearswift: ['clearswift'],
  cp_log: ['checkpoint'],
  'cp_log:syslog': ['checkpoint'],
  'cyberark:epv:cef': ['cyberark'],
  darktrace: ['darktrace'],
  'deepsecurity-app_control': ['trend_deep_security'],
  'deepsecurity-firewall': ['trend_deep_security'],
  'deepsecurity-integrity_monitoring': ['trend_deep_security'],
  'deepsecurity-intrusion_prevention': ['trend_deep_security'],
  'deepsecurity-system_events': ['trend_deep_security'],
  'deepsecurity-web_reputation': ['trend_deep_security'],
  'dell:isilion': ['dell'],
  fgt_event: ['fortigate'],
  fgt_traffic: ['fortigate'],
  fgt_utm: ['fortigate'],
  'fml:spam': ['fortimail'],
  fwb_event: ['fortiweb'],
  'hpe:ilo': ['hpe_ilo'],
  hx_json: ['fireeye'],
  'infoblox:threatprotect': ['infoblox'],
  'juniper:junos:firewall:structured': ['juniper_junos'],
  'juniper:junos:idp:structured': ['juniper_junos'],
  'juniper:junos:secintel:structured': ['juniper_junos'],
  'netapp:ontap:ems': ['netapp'],
  'netscreen:firewall': ['netscreen'],
  // Any Linux system: its programs are integrations of their own here.
  'nix:syslog': ['syslog', 'sshd', 'cron'],
  'opswat:mscl:cef': ['opswat'],
  'pan:decryption': ['panos'],
  'pan:hipmatch': ['panos'],
  'pan:traffic': ['panos'],
  'pfsense:filterlog': ['pfsense'],
  'pfsense:syslogd': ['pfsense'],
  // The line is sendmail's; that it runs inside the product only the host's name tells.
  pps_mail_log: ['sendmail'],
  'pulse:connectsecure': ['pulse_secure'],
  'pulse:connectsecure:web': ['pulse_secure'],
  'radware:defensepro': ['radware'],
  'ricoh:mfp': ['ricoh'],
  // Made-up programs of the publisher's own tests.
  'sc4s:local_example': ['syslog'],
  'sc4s:simple:test_one': ['syslog'],
  'sc4s:fallback': ['syslog'],
  'semperis:dsp': ['semperis'],
  'symantec:dlp:syslog': ['symantec_dlp'],
  'syslogng:loggen': ['syslog'],
  tintri: ['tintri'],
  ubnt: ['ubiquiti_unifi'],
  'ubnt:fw': ['iptables'],
  'vectra:cognito:accountdetect': ['vectra'],
  'vectra:cognito:accountlockdown:json': ['vectra'],
  'vectra:cognito:accountscoring': ['vectra'],
  'vectra:cognito:audit': ['vectra'],
  'vectra:cognito:detect': ['vectra'],
  'vectra:cognito:health:json': ['vectra'],
  'vectra:cognito:hostscoring': ['vectra'],
  'vmware:esxlog:ucs-tool-esxi-inv': ['vmware_esx'],
  'vmware:esxlog:usbarb': ['vmware_esx'],
  'vmware:esxlog:vobd': ['vmware_esx'],
  'vmware:esxlog:vpxa': ['vmware_esx'],
  'zscalernss-alerts': ['zscaler'],
  'zscalernss-tunnel': ['zscaler'],
};

/** Lines that name no product: the publisher knows it from the sender's address. `fallback` is an ASA line for us. */
const unnamed = ['clearswift', 'sc4s:fallback', 'pfsense:syslogd'];

describe.skipIf(!isThere)(title('lines of many vendors'), () => {
  type VendorLine = { expected_sourcetype: string | null; line: string };

  it('get the integration their publisher expects, except those that do not name their product', () => {
    const lines = linesOf('network/vendor_syslog.ndjson').map((line) => JSON.parse(line) as VendorLine);
    const expected = lines.flatMap(({ expected_sourcetype: type, line }) => (type === null ? [] : [{ type, line }]));
    const wrong = expected.filter(({ type, line }) => {
      const { integration } = parseRecord(line, { receivedAt: Date.UTC(2026, 10, 21) });
      return integrations[type]?.includes(integration) !== true;
    });
    expect(wrong.map(({ type }) => type)).toEqual(unnamed);
    expect(expected.length - wrong.length).toBeGreaterThanOrEqual(Math.ceil(expected.length * 0.95));
  });
});

describe.skipIf(!isThere)(title('every published line'), () => {
  const isWrapped = (name: string) => name.endsWith('vendor_syslog.ndjson');
  // Times of four lines are placeholders of the publisher, or missing.
  const untimed: Readonly<Record<string, number>> = { 'network/vendor_syslog.ndjson': 5 };

  it.each(files)('%s is taken by a format, and keeps its text', (name) => {
    let untimedLines = 0;
    for (const text of linesOf(name)) {
      const line = isWrapped(name) ? (JSON.parse(text) as { line: string }).line : text;
      const { format, event } = recogniseRecord(line, { receivedAt: Date.UTC(2026, 10, 21) });
      expect(format, line).not.toBe('raw');
      expect(event.raw).toBe(line);
      expect(event.fields).not.toHaveProperty('parser_error');
      if (event.time_source === 'received') untimedLines++;
    }
    expect(untimedLines).toBe(untimed[name] ?? 0);
  });

  const records = files.filter((file) => file.endsWith('.ndjson') && !isWrapped(file));

  it.each(records)('%s keeps every field of every record', (name) => {
    for (const line of linesOf(name)) {
      const record = parseJson(line);
      if (!isJsonObject(record)) throw new Error(`${name} holds a line that is no record.`);
      const { fields } = parseRecord(line, { receivedAt: Date.UTC(2026, 10, 21) });
      expect(lostOf(record, fields)).toEqual([]);
    }
  });
});

/** Names of what is not among the fields as it was. */
function lostOf(record: Answer, fields: Answer): string[] {
  return Object.entries(record).flatMap(([key, value]) => (isDeepStrictEqual(fields[key], value) ? [] : [key]));
}
