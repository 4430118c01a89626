import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { blankEvent, setTime } from '../blank-event.ts';
import { cleanJson } from '../clean-record.ts';
import { addressOf, outcomeOf, severityOf, snakeCase, textOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { JsonObject, ObjectFormat, Reception } from '../format.ts';

/** Azure activity log, and the tables of Log Analytics with alerts and connections. */
export const azureFormat: ObjectFormat = {
  name: 'azure',
  parse(object, reception) {
    if (typeof object.AlertName === 'string' && object.SystemAlertId !== undefined) return fillAlert(object, reception);
    if (object.Type === 'VMConnection') return fillConnection(object, reception);
    const resource = object.resourceId ?? object.ResourceId;
    const operation = object.operationName ?? object.OperationNameValue;
    if (typeof resource !== 'string' || !(typeof operation === 'string' || isJsonObject(operation))) return undefined;
    return fillActivity(object, textOf(isJsonObject(operation) ? operation.value : operation), reception);
  },
};

function start(object: JsonObject, eventType: string, reception: Reception): ParsedEvent {
  const event = blankEvent(reception);
  event.integration = 'azure';
  event.event_type = eventType;
  event.fields = object as Record<string, unknown>;
  return event;
}

function fillAlert(object: JsonObject, reception: Reception): ParsedEvent {
  const event = start(object, 'alert', reception);
  setTime(event, readTime(object.TimeGenerated ?? object.StartTimeUtc ?? object.StartTime), reception);
  event.action = 'alert';
  event.severity = severityOf(object.Severity ?? object.AlertSeverity);
  event.message = textOf(object.AlertDisplayName) || textOf(object.AlertName) || textOf(object.Description);
  event.host = textOf(object.CompromisedEntity);
  const entities = entitiesOf(object.Entities);
  for (const item of entities) if (isJsonObject(item)) takeEntity(event, item);
  return event;
}

function takeEntity(event: ParsedEvent, item: JsonObject): void {
  const type = textOf(item.Type);
  if (type === 'ip') event.src_ip ||= addressOf(item.Address);
  else if (type === 'host') event.host ||= textOf(item.HostName);
  else if (type === 'account') event.user ||= textOf(item.Name);
}

function entitiesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string' || !value.startsWith('[')) return [];
  const list = cleanJson(value);
  return Array.isArray(list) ? list : [];
}

function fillConnection(object: JsonObject, reception: Reception): ParsedEvent {
  const event = start(object, 'connection', reception);
  setTime(event, readTime(object.TimeGenerated), reception);
  event.action = 'connect';
  event.host = textOf(object.Computer);
  event.message = `${textOf(object.ProcessName)} ${textOf(object.Direction)}`.trim();
  event.src_ip = addressOf(object.SourceIp);
  event.dst_ip = addressOf(object.DestinationIp);
  return event;
}

function fillActivity(object: JsonObject, operation: string, reception: Reception): ParsedEvent {
  const event = start(object, 'activity', reception);
  setTime(event, readTime(object.time ?? object.eventTimestamp ?? object.TimeGenerated), reception);
  event.action = snakeCase(operation);
  event.severity = severityOf(object.level ?? object.Level);
  event.outcome = activityOutcome(object);
  event.message = operation;
  event.user = textOf(object.caller ?? object.Caller) || claimedName(object.identity);
  event.src_ip = addressOf(object.callerIpAddress ?? object.CallerIpAddress);
  event.host = textOf(object.resourceId ?? object.ResourceId);
  return event;
}

function activityOutcome(object: JsonObject): string {
  const status = isJsonObject(object.status) ? object.status.value : object.status;
  return outcomeOf(object.resultType ?? object.ActivityStatusValue ?? status);
}

function claimedName(identity: unknown): string {
  const claims = isJsonObject(identity) ? identity.claims : undefined;
  if (!isJsonObject(claims)) return '';
  return textOf(claims['http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn']) || textOf(claims.name);
}
