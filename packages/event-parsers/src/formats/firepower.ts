import { takeFields } from '../blank-event.ts';
import { addressOf, outcomeOf, snakeCase } from '../column-values.ts';
import type { MessageFormat } from '../format.ts';
import { parseSeparated } from '../key-value.ts';

/** Cisco Firepower (SFIMS): `Protocol: TCP, SrcIP: 192.0.2.1, …`. */
export const firepowerFormat: MessageFormat = {
  name: 'firepower',
  needs: 'SrcIP: ',
  parse(event, { body }) {
    if (!body.includes('SrcIP: ') || !body.includes('DstIP: ')) return undefined;
    const named = body.startsWith('SFIMS: ') ? body.slice(7) : body;
    const pairs = parseSeparated(named, { separator: ', ', sign: ': ' });
    const verdict = pairs.AccessControlRuleAction ?? '';
    event.integration = 'cisco_firepower';
    event.event_type = 'traffic';
    event.message = pairs.AccessControlRuleName ?? body;
    event.user = pairs.User ?? '';
    event.src_ip = addressOf(pairs.SrcIP);
    event.dst_ip = addressOf(pairs.DstIP);
    event.action = snakeCase(verdict);
    // `Block with reset` and `Allow` begin with the word that counts.
    event.outcome = outcomeOf(verdict.split(' ', 1)[0]);
    takeFields(event, pairs);
    return event;
  },
};
