import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { blankEvent, setTime } from '../blank-event.ts';
import { cleanJson } from '../clean-record.ts';
import { addressOf, snakeCase, textOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { JsonObject, ObjectFormat, Reception } from '../format.ts';

/** CloudTrail's names for what our policies call by one word; other names are kept, in snake case. */
const actions: ReadonlyMap<string, string> = new Map([
  ['ConsoleLogin', 'login'],
  ['CreateUser', 'create_user'],
  ['DeleteUser', 'delete_user'],
  ['AddUserToGroup', 'add_to_group'],
]);

/** CloudTrail records, alone or in the envelopes of EventBridge and `LookupEvents`, and GuardDuty findings. */
export const awsFormat: ObjectFormat = {
  name: 'aws',
  parse(object, reception) {
    if (typeof object.eventSource === 'string' && typeof object.eventName === 'string') {
      return fillTrail(blankEvent(reception), { record: object, fields: object, reception });
    }
    if (isJsonObject(object.detail) && typeof object['detail-type'] === 'string') return inEnvelope(object, reception);
    if (typeof object.CloudTrailEvent === 'string') return inLookup(object, object.CloudTrailEvent, reception);
    return isFinding(object) ? fillFinding(object, object, reception) : undefined;
  },
};

/** EventBridge: the record is `detail`. */
function inEnvelope(object: JsonObject, reception: Reception): ParsedEvent | undefined {
  const { detail } = object;
  if (!isJsonObject(detail)) return undefined;
  if (typeof detail.eventSource === 'string' && typeof detail.eventName === 'string') {
    return fillTrail(blankEvent(reception), { record: detail, fields: object, reception });
  }
  return isFinding(detail) ? fillFinding(detail, object, reception) : undefined;
}

/** `LookupEvents`: the record is text inside the record. */
function inLookup(object: JsonObject, text: string, reception: Reception): ParsedEvent | undefined {
  const record = cleanJson(text);
  if (!isJsonObject(record) || typeof record.eventName !== 'string') return undefined;
  return fillTrail(blankEvent(reception), { record, fields: { ...object, ...record }, reception });
}

type Trail = { record: JsonObject; fields: JsonObject; reception: Reception };

function fillTrail(event: ParsedEvent, { record, fields, reception }: Trail): ParsedEvent {
  const name = textOf(record.eventName);
  const error = textOf(record.errorCode);
  const answer = record.responseElements;
  const signIn = isJsonObject(answer) ? textOf(answer.ConsoleLogin) : '';
  setTime(event, readTime(record.eventTime ?? record['@timestamp'] ?? fields.time), reception);
  event.integration = 'aws';
  event.event_type = 'cloudtrail';
  event.action = actions.get(name) ?? snakeCase(name);
  event.outcome = error !== '' || signIn === 'Failure' ? 'failure' : 'success';
  event.message = `${name} ${textOf(record.eventSource)}${error === '' ? '' : `: ${error} ${textOf(record.errorMessage)}`}`;
  event.host = textOf(record.eventSource);
  event.user = userOf(record.userIdentity);
  event.src_ip = addressOf(record.sourceIPAddress);
  event.fields = fields as Record<string, unknown>;
  return event;
}

/** The person where there is one, else the role or service. */
function userOf(identity: unknown): string {
  if (!isJsonObject(identity)) return '';
  const name = textOf(identity.userName);
  if (name !== '') return name;
  const session = isJsonObject(identity.sessionContext) ? identity.sessionContext.sessionIssuer : undefined;
  const arn = textOf(identity.arn);
  // The last part of an assumed role's name is the session, which often is the person.
  const last = arn.slice(arn.lastIndexOf('/') + 1);
  if (identity.type === 'Root') return 'root';
  return (
    last ||
    (isJsonObject(session) ? textOf(session.userName) : '') ||
    textOf(identity.invokedBy ?? identity.principalId)
  );
}

function isFinding(object: JsonObject): boolean {
  const { service, resource, schemaVersion, detectorId } = object;
  return (
    typeof object.type === 'string' &&
    isJsonObject(service) &&
    isJsonObject(resource) &&
    (schemaVersion !== undefined || detectorId !== undefined || service.detectorId !== undefined)
  );
}

function fillFinding(finding: JsonObject, fields: JsonObject, reception: Reception): ParsedEvent {
  const event = blankEvent(reception);
  const service = isJsonObject(finding.service) ? finding.service : {};
  const resource = isJsonObject(finding.resource) ? finding.resource : {};
  const key = isJsonObject(resource.accessKeyDetails) ? resource.accessKeyDetails : {};
  const instance = isJsonObject(resource.instanceDetails) ? resource.instanceDetails : {};
  setTime(event, readTime(finding.updatedAt ?? service.eventLastSeen ?? finding.createdAt), reception);
  event.integration = 'aws';
  event.event_type = 'guardduty';
  event.severity = findingSeverity(finding.severity);
  event.message = textOf(finding.title) || textOf(finding.type);
  event.host = textOf(instance.instanceId);
  event.user = textOf(key.userName);
  const remote = remoteAddress(service.action);
  if (isOutbound(service.action)) {
    event.src_ip = privateAddress(instance.networkInterfaces);
    event.dst_ip = remote;
  } else event.src_ip = remote;
  event.action = 'alert';
  event.fields = fields as Record<string, unknown>;
  return event;
}

/** Whether the instance opened the connection. */
function isOutbound(action: unknown): boolean {
  const connection = isJsonObject(action) ? action.networkConnectionAction : undefined;
  return isJsonObject(connection) && connection.connectionDirection === 'OUTBOUND';
}

function privateAddress(interfaces: unknown): string {
  const first: unknown = Array.isArray(interfaces) ? interfaces[0] : undefined;
  return isJsonObject(first) ? addressOf(first.privateIpAddress) : '';
}

/** GuardDuty counts from 1 to 10: 9 and more is critical, 7 high, 4 medium. */
function findingSeverity(value: unknown): string {
  const number = Number(value);
  if (!(number > 0)) return '';
  if (number >= 9) return 'critical';
  if (number >= 7) return 'high';
  return number >= 4 ? 'medium' : 'low';
}

/** `service.action` holds one object per kind of action; each that has a far end calls it `remoteIpDetails`; a port's probes are a list. */
function remoteAddress(action: unknown): string {
  if (!isJsonObject(action)) return '';
  for (const detail of Object.values(action)) {
    if (!isJsonObject(detail)) continue;
    const probes: readonly unknown[] = Array.isArray(detail.portProbeDetails) ? detail.portProbeDetails : [];
    for (const end of [detail, ...probes]) {
      if (isJsonObject(end) && isJsonObject(end.remoteIpDetails)) return addressOf(end.remoteIpDetails.ipAddressV4);
    }
  }
  return '';
}
