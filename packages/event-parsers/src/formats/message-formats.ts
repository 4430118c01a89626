import type { MessageFormat } from '../format.ts';
import { auditdFormat } from './auditd.ts';
import { cefFormat } from './cef.ts';
import { checkpointFormat } from './checkpoint.ts';
import { ciscoAsaFormat } from './cisco-asa.ts';
import { ciscoEventFormat } from './cisco-event.ts';
import { firepowerFormat } from './firepower.ts';
import { fortigateFormat } from './fortigate.ts';
import { iptablesFormat } from './iptables.ts';
import { jsonMessage } from './json-message.ts';
import { junosFormat } from './junos.ts';
import { keyValueFormat } from './key-value-line.ts';
import { leefFormat } from './leef.ts';
import { linuxProgramFormat } from './linux-programs.ts';
import { panosFormat } from './panos.ts';
import { snortCsvFormat, snortFastFormat } from './snort.ts';
import { squidFormat } from './squid.ts';
import { sshdFormat } from './sshd.ts';
import { webAccessFormat } from './web-access.ts';
import { apacheErrorFormat, nginxErrorFormat } from './web-error.ts';
import { zeekLineFormat } from './zeek-line.ts';

/** What products write behind a syslog header or on a line of its own, in the order asked. A new format is one file and one line. */
export const messageFormats: readonly MessageFormat[] = [
  sshdFormat,
  linuxProgramFormat,
  auditdFormat,
  jsonMessage,
  cefFormat,
  leefFormat,
  ciscoAsaFormat,
  ciscoEventFormat,
  panosFormat,
  fortigateFormat,
  checkpointFormat,
  junosFormat,
  firepowerFormat,
  iptablesFormat,
  webAccessFormat,
  nginxErrorFormat,
  apacheErrorFormat,
  squidFormat,
  snortFastFormat,
  snortCsvFormat,
  zeekLineFormat,
  // Last: almost any product writes pairs, and the formats above know theirs better.
  keyValueFormat,
];
