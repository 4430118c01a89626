import type { ActionContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { numberOf, objectsOf, textAt, textOf, textsOf } from '../answer-fields.ts';
import { inputTime, reversedTimes } from '../time-input.ts';
import { inputCount, limitSchema } from '../vendor-action.ts';
import { graylogAction, nullableText, priorityOutput } from './graylog-action.ts';
import { GRAYLOG, graylogClient } from './graylog-client.ts';
import { prioritiesInGraylog, priorityFromGraylog } from './priority.ts';

const LIMIT = { fallback: 100, max: 5000 };
const PAGE_SIZE = 500;
const WEEK_MS = 7 * 86_400_000;

const alertOutput: JsonObject = {
  id: { type: 'string' },
  title: { ...nullableText, description: 'Of the event definition; null when that was deleted or may not be read.' },
  event_definition_id: nullableText,
  priority: priorityOutput,
  message: nullableText,
  source: nullableText,
  key: nullableText,
  timestamp: nullableText,
  timerange_start: nullableText,
  timerange_end: nullableText,
  fields: { type: 'object' },
  source_streams: { type: 'array', items: { type: 'string' } },
  searched_streams: {
    type: 'array',
    items: { type: 'string' },
    description: 'Ids of the streams that were searched. Empty: all, or a server that does not say.',
  },
  techniques: { type: 'array', items: { type: 'string' } },
  query: { ...nullableText, description: 'The search that raised it, on servers that say.' },
};

/** Specification §3, triggered alerts response. */
const alertsOutput: JsonObject = {
  events: { type: 'array', items: { type: 'object', properties: alertOutput } },
  total_events: { type: 'integer', description: 'How many there are in this time, whatever the limit.' },
  duration: { type: 'integer', description: 'Milliseconds the search took.' },
  used_indices: { type: 'array', items: { type: 'string' } },
  context: {
    type: 'object',
    description: 'Titles and descriptions by id; what was deleted or may not be read is missing.',
    properties: { event_definitions: { type: 'object' }, streams: { type: 'object' } },
  },
  parameters: {
    type: 'object',
    description:
      'What was asked for. "sort_unmapped_type" and the "range" of the time, in seconds, where the server says one.',
  },
};

type Wanted = { readonly limit: number; readonly from: Date; readonly to: Date; readonly query: string };

export const getTriggeredAlerts = graylogAction({
  verb: 'get_triggered_alerts',
  friendly_name: 'Get triggered alerts',
  description: 'Lists alerts that event definitions have raised, newest first.',
  effect: 'reads',
  idempotent: true,
  inputProblems: reversedTimes,
  input: {
    limit: limitSchema(LIMIT.fallback, LIMIT.max),
    start_time: { type: 'string', title: 'From', description: 'Default: seven days before the end.', maxLength: 40 },
    end_time: { type: 'string', title: 'Until', description: 'Default: now.', maxLength: 40 },
    priority: {
      type: 'integer',
      title: 'Priority',
      description: '1 high, 2 medium, 3 low. Empty: all.',
      enum: [1, 2, 3],
    },
  },
  output: { alerts: { type: 'object', required: Object.keys(alertsOutput), properties: alertsOutput } },
  timeout_s: 60,

  async run(context) {
    const wanted = wantedOf(context);
    const events: JsonObject[] = [];
    const about = { definitions: new Map<string, JsonObject>(), streams: new Map<string, JsonObject>() };
    const indices = new Set<string>();
    let [total, duration] = [0, 0];
    let said: JsonObject = {};
    for (let page = 1; events.length < wanted.limit; page += 1) {
      const found = await searchPage(context, wanted, page);
      events.push(...found.alerts);
      for (const [id, one] of found.definitions) about.definitions.set(id, one);
      for (const [id, one] of found.streams) about.streams.set(id, one);
      for (const index of found.indices) indices.add(index);
      total = found.total;
      said = found.parameters;
      duration += found.duration;
      if (found.alerts.length < pageSizeOf(wanted) || events.length >= total) break;
    }
    const alerts = {
      events: events.slice(0, wanted.limit),
      total_events: total,
      duration,
      used_indices: [...indices],
      context: {
        event_definitions: Object.fromEntries(about.definitions),
        streams: Object.fromEntries(about.streams),
      },
      parameters: parametersOf(wanted, said),
    };
    return { alerts };
  },
});

function wantedOf(context: ActionContext): Wanted {
  const to = inputTime(context, 'end_time') ?? context.now();
  const from = inputTime(context, 'start_time') ?? new Date(to.getTime() - WEEK_MS);
  if (from > to) throw new VendorError('VENDOR_REJECTED', '"start_time" must not be after "end_time".');
  return { limit: inputCount(context, 'limit', LIMIT), from, to, query: queryOf(context.input.priority) };
}

/** As a query, not as a filter: servers before 6.2 know no filter by priority. */
function queryOf(priority: unknown): string {
  if (priority === undefined || priority === null) return '';
  if (priority !== 1 && priority !== 2 && priority !== 3) {
    throw new VendorError('VENDOR_REJECTED', '"priority" must be 1, 2 or 3.');
  }
  return prioritiesInGraylog(priority)
    .map((one) => `priority:${one}`)
    .join(' OR ');
}

/** The same for every page: pages are counted in it. */
function pageSizeOf({ limit }: Wanted): number {
  return Math.min(limit, PAGE_SIZE);
}

type FoundPage = {
  alerts: JsonObject[];
  total: number;
  duration: number;
  indices: readonly string[];
  definitions: ReadonlyMap<string, JsonObject>;
  streams: ReadonlyMap<string, JsonObject>;
  parameters: JsonObject;
};

/** Only what the oldest supported servers know: they refuse every property that came later. */
async function searchPage(context: ActionContext, wanted: Wanted, page: number): Promise<FoundPage> {
  const { query, sort_by, sort_direction, timerange } = searchOf(wanted);
  const body = await graylogClient.object(context, {
    method: 'POST',
    path: '/events/search',
    reads: true,
    json: {
      ...{ query, page, per_page: pageSizeOf(wanted), sort_by, sort_direction, timerange },
      filter: { alerts: 'only', event_definitions: [] },
    },
  });
  if (!Array.isArray(body.events)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${GRAYLOG} answered without a list of events.`);
  }
  const about = objectOf(body.context);
  const definitions = titledById(about.event_definitions);
  const alerts = objectsOf(body.events).map((hit) => alertFacts(objectOf(hit.event), definitions));
  return {
    alerts,
    total: numberOf(body, 'total_events') ?? alerts.length,
    duration: numberOf(body, 'duration') ?? 0,
    indices: textsOf(body.used_indices),
    definitions,
    streams: titledById(about.streams),
    parameters: objectOf(body.parameters),
  };
}

function searchOf({ query, from, to }: Wanted) {
  const timerange = { type: 'absolute', from: from.toISOString(), to: to.toISOString() };
  return { query, sort_by: 'timestamp', sort_direction: 'desc', timerange };
}

/** Pages are put together here, so to whoever asked it was one. What was not asked for is as the server says it took it. */
function parametersOf(wanted: Wanted, said: JsonObject): JsonObject {
  const { timerange, ...search } = searchOf(wanted);
  return {
    ...{ page: 1, per_page: wanted.limit },
    ...search,
    sort_unmapped_type: textOf(said, 'sort_unmapped_type'),
    timerange: { ...timerange, range: numberOf(objectOf(said.timerange), 'range') },
  };
}

function titledById(value: unknown): ReadonlyMap<string, JsonObject> {
  const entries = Object.entries(objectOf(value)).map(([id, found]) => {
    const one = objectOf(found);
    return [id, { id, title: textOf(one, 'title'), description: textOf(one, 'description') }] as const;
  });
  return new Map(entries);
}

/** The title is not in the event but beside it, by the id of its definition. */
function alertFacts(event: JsonObject, definitions: ReadonlyMap<string, JsonObject>): JsonObject {
  const definitionId = textOf(event, 'event_definition_id');
  return {
    id: textOf(event, 'id') ?? '',
    title: definitionId === null ? null : (definitions.get(definitionId)?.title ?? null),
    event_definition_id: definitionId,
    priority: priorityFromGraylog(event.priority) ?? null,
    message: textOf(event, 'message'),
    source: textOf(event, 'source'),
    key: textOf(event, 'key'),
    timestamp: isoTime(event, 'timestamp'),
    timerange_start: isoTime(event, 'timerange_start'),
    timerange_end: isoTime(event, 'timerange_end'),
    fields: objectOf(event.fields),
    source_streams: textsOf(event.source_streams),
    searched_streams: textsOf(objectOf(event.replay_info).streams),
    techniques: textsOf(event.tactics_techniques),
    query: textAt(event, 'replay_info', 'query'),
  };
}

/** Two forms come: ISO 8601, and the index's own without a zone, which is UTC. */
export function isoTime(event: JsonObject, field: string): string | null {
  const text = textOf(event, field);
  const plain = text === null ? null : /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)$/.exec(text);
  return plain === null ? text : `${plain[1]}T${plain[2]}Z`;
}
