import { setTime } from '../blank-event.ts';
import { addressOf, textOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { MessageFormat } from '../format.ts';

const LINE =
  /^(\d{9,11}\.\d{1,6}) +(\d{1,12}) (\S{1,253}) ([A-Z_]{2,40})\/(\d{3}) (\d{1,18}) ([A-Z_-]{1,32}) (\S{1,16384}) (\S{1,256}) ([A-Z_]{2,40})\/(\S{1,253}) ?(\S{0,256})$/;

/** Squid's native access log. `TCP_DENIED` is a refusal; the address the object came from is `dst_ip`. */
export const squidFormat: MessageFormat = {
  name: 'squid',
  parse(event, { message }, reception) {
    const first = message.charCodeAt(0);
    if (first < 48 || first > 57 || !/^\d{9,11}\./.test(message)) return undefined;
    const line = LINE.exec(message);
    if (line === null) return undefined;
    const [, time, elapsed, client, result = '', status, bytes, method = '', url = '', user, hierarchy, peer, type] =
      line;
    const isDenied = result.includes('DENIED') || Number(status) >= 400;
    setTime(event, readTime(time), reception);
    event.integration = 'squid';
    event.event_type = 'access';
    event.action = method.toLowerCase();
    event.outcome = isDenied ? 'failure' : 'success';
    event.message = `${method} ${url}`;
    event.user = textOf(user);
    event.src_ip = addressOf(client);
    event.dst_ip = addressOf(peer);
    Object.assign(event.fields, {
      elapsed_ms: Number(elapsed),
      client,
      result,
      status: Number(status),
      bytes: Number(bytes),
      method,
      url,
      hierarchy,
      peer,
      ...(textOf(type) === '' ? {} : { content_type: type }),
    });
    return event;
  },
};
