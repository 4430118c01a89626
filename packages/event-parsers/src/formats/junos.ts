import { isJsonObject } from '@airdeck/contracts/json-object';
import { takeFields } from '../blank-event.ts';
import { addressOf, outcomeOf, snakeCase, textOf } from '../column-values.ts';
import type { MessageFormat } from '../format.ts';

/** Logs by the process that writes them. */
const eventTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    RT_FLOW: 'traffic',
    RT_IDP: 'threat',
    RT_UTM: 'utm',
    RT_SECINTEL: 'threat',
    RT_AAMW: 'threat',
    RT_IDS: 'threat',
  }),
);

/** What the name of a message says about a session. */
const verdicts: readonly (readonly [part: string, action: string, outcome: string])[] = [
  ['SESSION_CREATE', 'built', 'success'],
  ['SESSION_CLOSE', 'teardown', 'success'],
  ['SESSION_DENY', 'deny', 'failure'],
];

/** Juniper Junos in structured form: the columns are parameters of an element named `junos@2636…`. */
export const junosFormat: MessageFormat = {
  name: 'junos',
  parse(event, { app, msgId, structuredData }) {
    if (structuredData === undefined) return undefined;
    const name = Object.keys(structuredData).find((id) => id.startsWith('junos@2636.'));
    const data = name === undefined ? undefined : structuredData[name];
    if (!isJsonObject(data)) return undefined;
    const verdict = verdicts.find(([part]) => msgId.includes(part));
    event.integration = 'juniper_junos';
    event.event_type = eventTypes.get(app) ?? 'log';
    event.action = verdict?.[1] ?? snakeCase(textOf(data.action));
    event.outcome = verdict?.[2] ?? outcomeOf(textOf(data.action));
    event.message ||= textOf(data['attack-name']) || msgId;
    event.user = data.username === 'N/A' ? '' : textOf(data.username);
    event.src_ip = addressOf(data['source-address']);
    event.dst_ip = addressOf(data['destination-address']);
    takeFields(event, Object.assign(Object.create(null), data));
    return event;
  },
};
