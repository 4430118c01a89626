import type { FastifyInstance } from 'fastify';
import { apiError, requestError, unknownProperty } from './graylog-answers.ts';
import { type GraylogDeps, type GraylogMemory, type GraylogRecord, isAtLeast } from './graylog-data.ts';
import { readTimeRange } from './graylog-time.ts';
import { integerOf, listOf, objectOf, textOf } from './request-values.ts';

const RESULT_WINDOW = 10_000;
const known = ['query', 'page', 'per_page', 'sort_by', 'sort_direction', 'timerange', 'filter'];
const priorityNames: Readonly<Record<string, number>> = { critical: 4, high: 3, normal: 2, low: 1, info: 0 };

export function registerEvents(app: FastifyInstance, { current, now }: GraylogDeps): void {
  app.post<{ Body: unknown }>('/events/search', async (request, reply) => {
    const memory = current();
    const body = objectOf(request.body);
    const filter = objectOf(body.filter);
    const isNewer = isAtLeast(memory, 6, 2);
    const properties = isAtLeast(memory, 6, 0) ? [...known, 'sort_unmapped_type'] : known;
    const filterKnown = [
      'alerts',
      'event_definitions',
      ...(isNewer ? ['priority', 'aggregation_timerange', 'key', 'id', 'extra_filters'] : []),
    ];
    const unknown = unknownProperty(body, properties);
    if (unknown !== undefined) return requestError(reply, memory, { property: unknown, known: properties });
    const unknownFilter = unknownProperty(filter, filterKnown);
    if (unknownFilter !== undefined)
      return requestError(reply, memory, { property: unknownFilter, known: filterKnown });

    const page = integerOf(body.page, 1);
    const perPage = integerOf(body.per_page, 10);
    if (page * perPage > RESULT_WINDOW) {
      return reply.code(400).send({ type: 'SearchError', message: 'Result window is too large', details: [] });
    }
    const range = readTimeRange(body.timerange ?? { type: 'relative', range: 3600 }, now());
    if (typeof range === 'string') return apiError(reply, 400, range);
    const priorities = listOf(filter.priority).map((one) => priorityNames[textOf(one)] ?? Number(one));
    // An unknown priority is not the caller's fault, as this server sees it.
    if (priorities.some(Number.isNaN))
      return apiError(reply, 500, `Invalid priority: ${String(listOf(filter.priority)[0])}`);

    const wanted = textOf(filter.alerts) || 'include';
    const definitions = listOf(filter.event_definitions);
    const accepts = parseQuery(textOf(body.query));
    if (accepts === undefined) return apiError(reply, 400, 'Cannot parse the query');
    const found = memory.events.filter((event) => {
      const timeMs = Date.parse(String(event.timestamp));
      if (timeMs < range.fromMs || timeMs > range.toMs || !accepts(event)) return false;
      if (wanted === 'only' ? event.alert !== true : wanted === 'exclude' && event.alert === true) return false;
      if (definitions.length > 0 && !definitions.includes(event.event_definition_id)) return false;
      return priorities.length === 0 || priorities.includes(Number(event.priority));
    });
    const sign = body.sort_direction === 'asc' ? 1 : -1;
    const sorted = found.toSorted((a, b) => sign * (Date.parse(String(a.timestamp)) - Date.parse(String(b.timestamp))));
    const events = sorted.slice((page - 1) * perPage, page * perPage);
    return {
      events: events.map((event) => ({
        event: shown(event, isNewer),
        index_name: 'gl-events_7',
        index_type: 'message',
      })),
      used_indices: ['gl-events_7'],
      parameters: { ...body, page, per_page: perPage },
      total_events: found.length,
      duration: 12,
      context: contextOf(memory, events),
    };
  });
}

/** Nothing, or `field:value` joined by OR. */
function parseQuery(text: string): ((event: GraylogRecord) => boolean) | undefined {
  if (text === '' || text === '*') return () => true;
  const terms = text.split(' OR ').map((term) => /^(\w{1,60}):([\w.-]{1,100})$/.exec(term));
  if (terms.includes(null)) return undefined;
  return (event) => terms.some((term) => String(event[term?.[1] ?? '']) === term?.[2]);
}

/** Older servers leave some fields out. */
function shown(event: GraylogRecord, isNewer: boolean): GraylogRecord {
  if (isNewer) return event;
  const {
    scores: _s,
    associated_assets: _a,
    tags: _t,
    tactics_techniques: _q,
    aggregation_conditions: _c,
    group_by_fields: _g,
    replay_info: _r,
    ...older
  } = event;
  return older;
}

/** Titles, but only of definitions that still exist. */
function contextOf(memory: GraylogMemory, events: readonly GraylogRecord[]): GraylogRecord {
  const definitions = events.flatMap((event) => {
    const id = String(event.event_definition_id);
    const definition = memory.definitions.get(id);
    if (definition === undefined) return [];
    return [
      [id, { id, title: definition.title, description: definition.description, remediation_steps: null }] as const,
    ];
  });
  const streams = memory.streams.map(
    ({ id, title, description }) => [String(id), { id, title, description, remediation_steps: null }] as const,
  );
  return { event_definitions: Object.fromEntries(definitions), streams: Object.fromEntries(streams) };
}
