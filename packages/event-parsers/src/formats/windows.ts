import { isJsonObject } from '@airdeck/contracts/json-object';
import { blankEvent, setTime } from '../blank-event.ts';
import { addressOf, outcomeOf, severityOf, textOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { JsonObject, ObjectFormat } from '../format.ts';
import { kindOfWindowsEvent, outcomeOfStatus } from './windows-events.ts';

/** Shippers write Windows events flat or with the nesting of the original; reads from all those places. */
type OpenRecord = { readonly read: (names: readonly string[]) => unknown };

const names = {
  id: ['EventID', 'EventId', 'event_id', 'EventCode'],
  channel: ['Channel', 'channel', 'LogName'],
  provider: ['SourceName', 'ProviderName', 'provider_name', 'Provider'],
  // `EventTime` is local to the machine and has no zone: only where nothing better is there.
  time: ['TimeCreated', 'UtcTime', '@timestamp', 'SystemTime', 'TimeGenerated', 'timestamp', 'EventTime'],
  host: ['Hostname', 'Computer', 'computer_name', 'ComputerName', 'host'],
  targetUser: ['TargetUserName', 'User', 'SubjectUserName', 'AccountName'],
  actingUser: ['SubjectUserName', 'User', 'TargetUserName', 'AccountName'],
  source: ['IpAddress', 'SourceIp', 'SourceAddress', 'ClientAddress'],
  destination: ['DestinationIp', 'DestAddress'],
  message: ['Message', 'message', 'RenderedDescription'],
  auditType: ['EventType'],
  keywords: ['Keywords', 'keywords'],
  status: ['Status'],
  severity: ['LevelDisplayName', 'Severity', 'level'],
} as const;

/** Windows event log as JSON: NXLog, Winlogbeat, WEF exports; Sysmon is an integration of its own. */
export const windowsFormat: ObjectFormat = {
  name: 'windows',
  parse(object, reception) {
    const record = openRecord(object);
    const id = Number(scalar(record.read(names.id)));
    const channel = textOf(record.read(names.channel));
    const provider = textOf(record.read(names.provider));
    if (!Number.isInteger(id) || id <= 0 || (channel === '' && !provider.startsWith('Microsoft-Windows')))
      return undefined;
    const isSysmon = `${channel} ${provider}`.includes('Sysmon');
    const kind = kindOfWindowsEvent(isSysmon ? 'sysmon' : 'windows', id, { channel, provider });
    const event = blankEvent(reception);
    setTime(event, timeOf(record), reception);
    event.integration = isSysmon ? 'sysmon' : 'windows';
    event.event_type = kind.event_type;
    event.action = kind.action;
    // An id that names a refusal says so by itself; of others some are audited as failures too.
    event.outcome =
      kind.outcome === 'failure'
        ? 'failure'
        : auditedOutcome(object, record) ||
          kind.outcome ||
          outcomeOfStatus(kind, id, textOf(record.read(names.status)));
    event.severity = severityOf(record.read(names.severity));
    event.message = textOf(record.read(names.message));
    event.host = textOf(record.read(names.host));
    event.user = textOf(record.read(kind.event_type === 'authentication' ? names.targetUser : names.actingUser));
    if (event.user === '') event.user = whoCleared(object);
    event.src_ip = addressOf(record.read(names.source));
    event.dst_ip = addressOf(record.read(names.destination));
    event.fields = object as Record<string, unknown>;
    return event;
  },
};

function openRecord(object: JsonObject): OpenRecord {
  const places: JsonObject[] = [object];
  for (const [outer, inner] of [
    ['Event', 'System'],
    ['Event', 'EventData'],
    ['winlog', 'event_data'],
  ] as const) {
    const level = object[outer];
    if (!isJsonObject(level)) continue;
    places.push(level);
    const data = level[inner];
    if (isJsonObject(data)) places.push(data);
  }
  const data = object.EventData;
  if (isJsonObject(data)) places.push(data);
  return {
    read(candidates) {
      for (const name of candidates) {
        for (const place of places) {
          const value = Object.hasOwn(place, name) ? place[name] : undefined;
          if (value !== undefined && value !== null && value !== '' && value !== '-') return value;
        }
      }
      return undefined;
    },
  };
}

/** The first that is a time. */
function timeOf(record: OpenRecord): number | undefined {
  for (const name of names.time) {
    const time = readTime(scalar(record.read([name])));
    if (time !== undefined) return time;
  }
  return undefined;
}

/** `Keywords` of an audit, also as the negative number the same bits are. */
const auditKeywords: ReadonlyMap<number, string> = new Map([
  [0x8010000000000000, 'failure'],
  [0x8010000000000000 - 2 ** 64, 'failure'],
  [0x8020000000000000, 'success'],
  [0x8020000000000000 - 2 ** 64, 'success'],
]);

/** What the audit itself said: NXLog's type of event, the outcome of ECS, nested or flat, and the keywords of Windows. */
function auditedOutcome(object: JsonObject, record: OpenRecord): string {
  const audited = /^AUDIT_(SUCCESS|FAILURE)$/.exec(textOf(record.read(names.auditType)))?.[1];
  const { event } = object;
  const said = outcomeOf(audited ?? (isJsonObject(event) ? event.outcome : object['event.outcome']));
  return said || (auditKeywords.get(Number(textOf(record.read(names.keywords)))) ?? '');
}

/**
 * Who cleared a log stands apart from the data of other events. Nothing else is read there: its `Channel` is the log that was
 * cleared.
 */
function whoCleared({ Event: event, winlog }: JsonObject): string {
  const flat = isJsonObject(winlog) ? winlog.user_data : undefined;
  const data = isJsonObject(event) && isJsonObject(event.UserData) ? event.UserData.LogFileCleared : flat;
  return isJsonObject(data) ? textOf(data.SubjectUserName) : '';
}

/** XML turned into JSON keeps attributes in an inner object: `{ "#text": 4625 }`, `{ "@SystemTime": "…" }`, evtx dumps in `#attributes`. */
function scalar(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const attributes = value['#attributes'];
  return (
    value['#text'] ??
    value.SystemTime ??
    value['@SystemTime'] ??
    (isJsonObject(attributes) ? attributes.SystemTime : undefined)
  );
}
