import { takeFields } from '../blank-event.ts';
import { addressOf, outcomeOf } from '../column-values.ts';
import type { MessageFormat } from '../format.ts';
import { parseKeyValues } from '../key-value.ts';

/** What the kernel writes before the prefix: its name, and the seconds it has been running. */
const KERNEL = /^(?:kernel: )?(?:\[ {0,12}\d{1,12}\.\d{1,9}\] )?/;
/** `[UFW BLOCK] ` and `[WAN_IN-3003-D]`: the prefix the administrator gave the rule. */
const PREFIX = /\[([^\]]{1,64})\] ?(?=IN=)|^([\w:. -]{1,64}?) ?(?=IN=)/;
/** Words in a prefix, and the letter EdgeOS ends it with. */
const verdicts: readonly (readonly [RegExp, string])[] = [
  [/(?<![a-z])(?:block|drop|deny|denied|reject)|-[DR]$/i, 'block'],
  [/(?<![a-z])(?:allow|accept|pass|permit)|-A$/i, 'allow'],
];

/** Netfilter's log of the Linux kernel: iptables, nftables, UFW, EdgeOS. */
export const iptablesFormat: MessageFormat = {
  name: 'iptables',
  needs: '=',
  parse(event, { body }) {
    const start = body.indexOf('IN=');
    if (start === -1 || start > 200 || !body.includes(' SRC=', start) || !body.includes(' PROTO=', start)) {
      return undefined;
    }
    const before = body.slice(0, start).replace(KERNEL, '').slice(-70);
    const rule = PREFIX.exec(`${before}IN=`);
    const prefix = (rule?.[1] ?? rule?.[2] ?? '').trim();
    const pairs = parseKeyValues(body.slice(start));
    event.integration = 'iptables';
    event.event_type = 'traffic';
    event.src_ip = addressOf(pairs.SRC);
    event.dst_ip = addressOf(pairs.DST);
    event.action = verdicts.find(([word]) => word.test(prefix))?.[1] ?? '';
    event.outcome = outcomeOf(event.action);
    if (prefix !== '') pairs.rule = prefix;
    takeFields(event, pairs);
    return event;
  },
};
