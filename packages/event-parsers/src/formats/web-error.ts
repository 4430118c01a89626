import { setTime } from '../blank-event.ts';
import { addressWithPort, severityOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { MessageFormat } from '../format.ts';
import { readStamp } from './syslog-stamp.ts';

const NGINX =
  /^(?:(\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2}) )?\[(emerg|alert|crit|error|warn|notice|info|debug)\] (\d{1,10})#(\d{1,10}): (?:\*(\d{1,19}) )?/;
const APACHE_TIME = /^\[(?:[A-Z][a-z]{2} )?([A-Z][a-z]{2} {1,2}\d{1,2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?) (\d{4})\] /;
const APACHE_LEVEL = /^\[(?:([\w-]{0,40}):)?(emerg|alert|crit|error|warn|notice|info|debug|trace\d)\] /;
const APACHE_PROCESS = /^\[pid (\d{1,10})(?::tid (\d{1,20}))?\] /;
const APACHE_CLIENT = /^\[client ([^\]\s]{1,80})\] /;
const APACHE_CODE = /^(AH\d{5}): /;
/** `, client: 192.0.2.1, server: www, request: "GET / HTTP/1.1", host: "www"` at the end. */
const DETAIL = /, (client|server|request|upstream|host|referrer): (?:"([^"]{0,8192})"|([^,"]{1,512}))/g;
const DETAILS_MAX = 20_000;

export const nginxErrorFormat: MessageFormat = {
  name: 'nginx_error',
  needs: '[',
  parse(event, { message }, reception) {
    const bracket = message.indexOf('[');
    if (bracket === -1 || bracket > 20) return undefined;
    const head = NGINX.exec(message);
    if (head === null) return undefined;
    const [whole, time, level, pid, tid, connection] = head;
    const text = message.slice(whole.length);
    const details = Object.fromEntries(
      [...text.slice(0, DETAILS_MAX).matchAll(DETAIL)].map(([, key, quoted, plain]) => [key ?? '', quoted ?? plain]),
    );
    setTime(event, readTime(time), reception);
    event.integration = 'nginx';
    event.event_type = 'error';
    event.severity = severityOf(level);
    event.message = text;
    event.src_ip = addressWithPort(details.client).address;
    Object.assign(event.fields, { ...details, pid: Number(pid), tid: Number(tid), connection });
    return event;
  },
};

export const apacheErrorFormat: MessageFormat = {
  name: 'apache_error',
  needs: '[',
  parse(event, { message }, reception) {
    if (message.charCodeAt(0) !== 91) return undefined;
    const time = APACHE_TIME.exec(message);
    const afterTime = message.slice(time?.[0].length ?? 0);
    const level = APACHE_LEVEL.exec(afterTime);
    if (level === null) return undefined;
    const afterLevel = afterTime.slice(level[0].length);
    const process = APACHE_PROCESS.exec(afterLevel);
    // Without a time in front, as behind syslog, only the process tells it from any other bracket.
    if (time === null && process === null) return undefined;
    const afterProcess = afterLevel.slice(process?.[0].length ?? 0);
    const client = APACHE_CLIENT.exec(afterProcess);
    const text = afterProcess.slice(client?.[0].length ?? 0);
    if (time !== null) setTime(event, readStamp(`${time[1]} ${time[2]}:`, reception.receivedAt, true)?.time, reception);
    const from = addressWithPort(client?.[1]);
    event.integration = 'apache';
    event.event_type = 'error';
    event.severity = severityOf(level[2]) || 'debug';
    event.message = text;
    event.src_ip = from.address;
    const code = APACHE_CODE.exec(text)?.[1];
    const found = { module: level[1], pid: process?.[1], tid: process?.[2], src_port: from.port, code };
    const said = Object.entries(found).filter(([, value]) => value !== undefined && value !== '');
    Object.assign(event.fields, Object.fromEntries(said));
    return event;
  },
};
