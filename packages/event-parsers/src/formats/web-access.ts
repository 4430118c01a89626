import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { setTime } from '../blank-event.ts';
import { addressOf, textOf } from '../column-values.ts';
import { yearlessTime } from '../event-time.ts';
import type { MessageFormat } from '../format.ts';

/** Up to the bracket of the time; some put the name of the virtual host in front. */
const HEAD =
  /^(?:([\w.-]{1,253}(?::\d{1,5})?) )?([0-9A-Fa-f:.]{3,45}|[\w.-]{1,253}) (\S{1,128}) (\S{1,256}|\S{1,128} \S{1,128}) \[(\d{1,2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})\] "/;
const REQUEST = /^([A-Z_-]{1,20}) (\S{1,8192})(?: (HTTP\/[\d.]{1,3}))?$/;
const TAIL = /^ (\d{3}) (\d{1,18}|-)(?: "((?:[^"\\]|\\.){0,8192})" "((?:[^"\\]|\\.){0,8192})")?(?: (.{1,8192}))?$/;

const integrations: ReadonlyMap<string, string> = new Map([
  ['nginx', 'nginx'],
  ['apache', 'apache'],
  ['apache2', 'apache'],
  ['httpd', 'apache'],
]);

/** Access logs of nginx and Apache, common and combined: one format, told apart only by the syslog program's name. */
export const webAccessFormat: MessageFormat = {
  name: 'web_access',
  needs: '[',
  parse(event, { app, message }, reception) {
    // The bracket of the time stands near the start, and nothing is cheaper to look for.
    const bracket = message.indexOf(' [');
    if (bracket === -1 || bracket > 900) return undefined;
    const head = HEAD.exec(message);
    if (head === null) return undefined;
    const start = head[0].length;
    const end = closingQuote(message, start);
    const tail = end === -1 ? null : TAIL.exec(message.slice(end + 1));
    if (tail === null) return undefined;
    const [, virtualHost, client = '', , user] = head;
    setTime(event, timeOf(head), reception);
    event.integration = integrations.get(app) ?? 'webserver';
    event.event_type = 'access';
    event.host = virtualHost ?? event.host;
    event.user = textOf(user);
    event.src_ip = addressOf(client);
    fillRequest(event, message.slice(start, end), tail);
    if (event.src_ip === '') event.fields.client = client;
    return event;
  },
};

function fillRequest(event: ParsedEvent, request: string, tail: RegExpExecArray): void {
  const [, status, bytes, referrer, agent, rest] = tail;
  const [, method, target, version] = REQUEST.exec(request) ?? [];
  event.action = (method ?? 'request').toLowerCase().replaceAll('-', '_');
  event.outcome = Number(status) < 400 ? 'success' : 'failure';
  event.message = request;
  Object.assign(event.fields, {
    request,
    status: Number(status),
    bytes: bytes === '-' ? 0 : Number(bytes),
    ...(method === undefined ? {} : { method, path: target }),
    ...(version === undefined ? {} : { http_version: version }),
    ...(textOf(referrer) === '' ? {} : { referrer }),
    ...(textOf(agent) === '' ? {} : { user_agent: agent }),
    ...(rest === undefined ? {} : { extra: rest }),
  });
}

function closingQuote(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at++;
    else if (code === 34) return at;
  }
  return -1;
}

function timeOf(head: RegExpExecArray): number | undefined {
  const [day, month = '', year, hour, minute, second, sign, zoneHour, zoneMinute] = head.slice(5);
  const at = {
    month,
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  };
  const local = yearlessTime(at, Date.UTC(Number(year), 11, 30, 23, 59, 59));
  const zoneMs = (Number(zoneHour) * 60 + Number(zoneMinute)) * 60_000;
  return local === undefined ? undefined : local - (sign === '-' ? -zoneMs : zoneMs);
}
