import type { ParsedEvent } from '@airdeck/contracts/events/event';
import type { SyslogHeader } from '../format.ts';

/** Names of programs only one product has. */
const byProgram: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a10: ['a10logd'],
    cisco_dna: ['DNAC'],
    cisco_firepower: ['SFIMS'],
    cisco_meeting_server: ['authp', 'acanosrv', 'callbridge'],
    cisco_tvcs: ['tvcs'],
    darktrace: ['darktrace'],
    haproxy: ['haproxy'],
    hpe_ilo: ['DriveArray', '#ILO'],
    netscaler: ['NSLB'],
    pfsense: ['filterlog', 'php-fpm_pfsense'],
    postfix: ['postfix/smtpd', 'postfix/smtp', 'postfix/qmgr', 'postfix/cleanup'],
    pulse_secure: ['PulseSecure', 'Juniper_SA'],
    semperis: ['Semperis.DSP'],
    sendmail: ['sendmail', 'sm-mta'],
    symantec_dlp: ['SymantecDLPAlert', 'SymantecDLP'],
    symantec_proxy: ['bluecoat', 'ProxySG'],
    vmware_esx: ['vpxa', 'vobd', 'hostd', 'usbarb', 'vmkernel', 'Rhttpproxy', 'ucs-tool-esxi-inv', 'VobUserLib'],
    zscaler: ['ZscalerNSS'],
  }).flatMap(([integration, programs]) => programs.map((program) => [program, integration] as const)),
);

type Place = 'body' | 'message' | 'msgId';

/** How the text of products begins that name no program, or name it without a colon. */
const byBeginning: readonly (readonly [place: Place, beginning: string, integration: string])[] = [
  ['body', 'CISE_', 'cisco_ise'],
  ['body', 'CSCOacs_', 'cisco_acs'],
  ['body', 'Semperis.', 'semperis'],
  ['body', 'darktrace ', 'darktrace'],
  ['body', 'fenotify-', 'fireeye'],
  ['body', 'vectra_', 'vectra'],
  ['body', '[Device: ', 'radware'],
  ['message', 'NetScreen ', 'netscreen'],
  ['msgId', 'RICOH_', 'ricoh'],
  ['msgId', 'wafl.', 'netapp'],
  ['msgId', 'raid.', 'netapp'],
  ['msgId', 'callhome.', 'netapp'],
  ['msgId', 'mgmtgwd.', 'netapp'],
];

/** Marks within the text; looked for only in lines nothing else explains. */
const byMark: readonly (readonly [needs: string, mark: RegExp, integration: string])[] = [
  [' : ', /^\S{1,64} : (?:default )?(?:SSLVPN|TCP|UDP|AAA|SSLLOG|UI|APPFW|ICA|EVENT|SNMP) /, 'netscaler'],
  [' : ', /^(?:\[\d{1,10}\]: )?AAA Message : /, 'netscaler'],
  ['MessageID: ', /^Severity: \w{1,20}, Category: \w{1,40}, MessageID: /, 'dell'],
  ['com.tintri.', /\bcom\.tintri\./, 'tintri'],
];
const MARK_WITHIN = 300;

/** Names the product behind a line of syslog whose text is free, as far as the line itself says. */
export function nameProduct(event: ParsedEvent, header: SyslogHeader): void {
  const name = byProgram.get(header.app) ?? beginningOf(header) ?? markIn(header);
  if (name !== undefined) event.integration = name;
}

function beginningOf(header: SyslogHeader): string | undefined {
  // Access points put model, address and version where the host belongs.
  if (header.host.includes(',')) return 'ubiquiti_unifi';
  for (const [place, beginning, integration] of byBeginning) {
    if (header[place].startsWith(beginning)) return integration;
  }
  return undefined;
}

function markIn({ body }: SyslogHeader): string | undefined {
  const text = body.length > MARK_WITHIN ? body.slice(0, MARK_WITHIN) : body;
  return byMark.find(([needs, mark]) => text.includes(needs) && mark.test(text))?.[2];
}
