/**
 * What Graylog's actions answer, as screens read it. The contract of `synchronous_action` leaves an output open, so every
 * field is looked at: what is missing on an older server is null or empty, an answer of another shape is a failure.
 */
import type { JsonObject } from '@airdeck/contracts/fields';

/** 1 high, 2 medium, 3 low (spec §9). */
export type AlertPriority = 1 | 2 | 3;

export type EventDefinition = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly priority: AlertPriority | null;
  readonly alert: boolean;
  /** Null on servers that do not say. */
  readonly enabled: boolean | null;
  readonly query: string | null;
  readonly search_within_ms: number | null;
  readonly execute_every_ms: number | null;
  /** `title` is null where Graylog did not give it. */
  readonly notifications: readonly { readonly id: string; readonly title: string | null }[];
  readonly updated_at: string | null;
  readonly matched_at: string | null;
};

export type GraylogAlert = {
  readonly id: string;
  /** Of its event definition; null when that is gone. */
  readonly title: string | null;
  readonly event_definition_id: string | null;
  readonly priority: AlertPriority | null;
  readonly message: string | null;
  readonly source: string | null;
  readonly key: string | null;
  readonly timestamp: string | null;
  readonly timerange_start: string | null;
  readonly timerange_end: string | null;
  /** The search that raised it; null on servers that do not say. */
  readonly query: string | null;
  readonly fields: JsonObject;
  /** By name, or by id where the name is not known. */
  readonly streams: readonly string[];
  /** Where its messages are: the streams it searched or, where the server does not say, those they came from. Empty: all. */
  readonly stream_ids: readonly string[];
  readonly techniques: readonly string[];
};

export type AlertList = {
  readonly alerts: readonly GraylogAlert[];
  /** In the time asked for, whatever the limit. */
  readonly total: number;
};

export function readDefinitions(output: unknown): EventDefinition[] {
  const definitions = listOf(recordOf(output).events);
  if (definitions === undefined) throw new TypeError('The answer of Graylog has no list of event definitions.');
  return definitions.map((given) => {
    const notifications = Array.isArray(given.notifications)
      ? given.notifications.map(recordOf).map(({ id, title }) => ({ id: text(id) ?? '', title: text(title) }))
      : texts(given.notification_ids).map((id) => ({ id, title: null }));
    return {
      id: text(given.id) ?? '',
      title: text(given.title) ?? '',
      description: text(given.description) ?? '',
      priority: priority(given.priority),
      alert: given.alert === true,
      enabled: typeof given.enabled === 'boolean' ? given.enabled : null,
      query: text(given.query),
      search_within_ms: number(given.search_within_ms),
      execute_every_ms: number(given.execute_every_ms),
      notifications,
      updated_at: text(given.updated_at),
      matched_at: text(given.matched_at),
    };
  });
}

export function readAlerts(output: unknown): AlertList {
  const given = recordOf(recordOf(output).alerts);
  const streams = recordOf(recordOf(given.context).streams);
  const streamName = (id: string) => (Object.hasOwn(streams, id) ? text(recordOf(streams[id]).title) : null) ?? id;
  const events = listOf(given.events);
  if (events === undefined) throw new TypeError('The answer of Graylog has no list of alerts.');
  const alerts = events.map((alert) => ({
    id: text(alert.id) ?? '',
    title: text(alert.title),
    event_definition_id: text(alert.event_definition_id),
    priority: priority(alert.priority),
    message: text(alert.message),
    source: text(alert.source),
    key: text(alert.key),
    timestamp: time(alert.timestamp),
    timerange_start: time(alert.timerange_start),
    timerange_end: time(alert.timerange_end),
    query: text(alert.query),
    fields: recordOf(alert.fields),
    streams: texts(alert.source_streams).map(streamName),
    stream_ids: streamIds(alert),
    techniques: texts(alert.techniques),
  }));
  return { alerts, total: number(given.total_events) ?? alerts.length };
}

function streamIds(alert: JsonObject): string[] {
  const searched = texts(alert.searched_streams);
  return searched.length === 0 ? texts(alert.source_streams) : searched;
}

function listOf(list: unknown): JsonObject[] | undefined {
  return Array.isArray(list) ? list.map(recordOf) : undefined;
}

function recordOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** What is no time would fail every place that shows it. */
function time(value: unknown): string | null {
  const given = text(value);
  return given === null || Number.isNaN(Date.parse(given)) ? null : given;
}

function priority(value: unknown): AlertPriority | null {
  return value === 1 || value === 2 || value === 3 ? value : null;
}
