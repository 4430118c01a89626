import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { takeFields } from '../blank-event.ts';
import { addressOf, outcomeOf, snakeCase } from '../column-values.ts';
import type { MessageFormat } from '../format.ts';
import { parseSeparated } from '../key-value.ts';

/** What is said of an event, and the names of what was done and of the text for people. */
type EventKind = { readonly event_type: string; readonly verdict: string; readonly message: string };

const connection: EventKind = {
  event_type: 'traffic',
  verdict: 'AccessControlRuleAction',
  message: 'AccessControlRuleName',
};
/** Security events that have a number and a mark, `%FTD-1-430002`: the same pairs. */
const securityEvents: ReadonlyMap<string, EventKind> = new Map([
  ['430001', { event_type: 'threat', verdict: 'InlineResult', message: 'Message' }],
  ['430002', connection],
  ['430003', connection],
  ['430004', { event_type: 'file', verdict: 'FileAction', message: 'FileName' }],
  ['430005', { event_type: 'threat', verdict: 'FileAction', message: 'ThreatName' }],
]);

/** Cisco Firepower (SFIMS): `Protocol: TCP, SrcIP: 192.0.2.1, …`. */
export const firepowerFormat: MessageFormat = {
  name: 'firepower',
  needs: 'SrcIP: ',
  parse(event, { body }) {
    if (!body.includes('SrcIP: ') || !body.includes('DstIP: ')) return undefined;
    event.integration = 'cisco_firepower';
    fillPairs(event, body.startsWith('SFIMS: ') ? body.slice(7) : body, connection);
    return event;
  },
};

/** Fills the event from the text behind the mark; false where the number is that of another message. */
export function fillSecurityEvent(event: ParsedEvent, id: string, text: string): boolean {
  const kind = securityEvents.get(id);
  if (kind !== undefined) fillPairs(event, text, kind);
  return kind !== undefined;
}

/** What stands for nobody. */
const nobody: ReadonlySet<string> = new Set(['Unknown', 'No Authentication Required']);

function fillPairs(event: ParsedEvent, text: string, kind: EventKind): void {
  const pairs = parseSeparated(text, { separator: ', ', sign: ': ' });
  const { User: user = '' } = pairs;
  // What was done with an intrusion or a file counts, not the rule that let the connection through.
  const verdict = pairs[kind.verdict] || pairs[connection.verdict] || '';
  event.event_type = kind.event_type;
  event.message = pairs[kind.message] ?? pairs[connection.message] ?? text;
  event.user = nobody.has(user) ? '' : user;
  event.src_ip = addressOf(pairs.SrcIP);
  event.dst_ip = addressOf(pairs.DstIP);
  event.action = snakeCase(verdict);
  // `Block with reset` and `Allow` begin with the word that counts.
  event.outcome = outcomeOf(verdict.split(' ', 1)[0]);
  takeFields(event, pairs);
}
