import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { apiError } from './graylog-answers.ts';
import { type GraylogDeps, type GraylogMessage, isAtLeast } from './graylog-data.ts';
import { readAbsolute, readIndexTime, readTimeRange, type TimeRange } from './graylog-time.ts';
import { firstText, integerOf, listOf, objectOf, textOf } from './request-values.ts';

const RESULT_WINDOW = 10_000;

export function registerMessages(app: FastifyInstance, { current, now }: GraylogDeps): void {
  app.post<{ Body: unknown }>('/search/messages', async (request, reply) => {
    if (!isAtLeast(current(), 5, 0)) return apiError(reply, 404, 'HTTP 404 Not Found');
    const body = objectOf(request.body);
    const range = readTimeRange(body.timerange, now());
    const accepts = parseQuery(textOf(body.query) || '*');
    if (typeof range === 'string') return apiError(reply, 400, range);
    if (accepts === undefined) return apiError(reply, 400, 'Unable to parse query');
    const fields = listOf(body.fields).length === 0 ? ['source', 'timestamp'] : listOf(body.fields).map(textOf);
    const streams = listOf(body.streams).map(textOf);
    const found = select(current().messages, { range, accepts, streams, descending: body.sort_order !== 'Ascending' });
    const from = integerOf(body.from, 0);
    const rows = found.slice(from, from + integerOf(body.size, 10));
    return {
      schema: fields.map((field) => ({ column_type: 'field', type: 'string', field, name: `field: ${field}` })),
      datarows: rows.map((message) => fields.map((field) => message[field] ?? null)),
      metadata: { effective_timerange: effective(range) },
    };
  });

  app.get('/search/universal/absolute', async (request, reply) => {
    const query = objectOf(request.query);
    return sendMessages(request, reply, {
      range: readAbsolute(firstText(query.from), firstText(query.to)),
      messages: current().messages,
    });
  });
  app.get('/search/universal/relative', async (request, reply) => {
    const range = readTimeRange({ type: 'relative', range: integerOf(objectOf(request.query).range, 300) }, now());
    return sendMessages(request, reply, { range, messages: current().messages });
  });
}

function sendMessages(
  request: FastifyRequest,
  reply: FastifyReply,
  { range, messages }: { range: TimeRange | string; messages: readonly GraylogMessage[] },
): unknown {
  const query = objectOf(request.query);
  if (typeof range === 'string') return apiError(reply, 400, range);
  const text = firstText(query.query);
  const accepts = parseQuery(text);
  if (text === '') return apiError(reply, 400, 'query parameter must not be empty');
  if (accepts === undefined) {
    return reply
      .code(400)
      .send({ type: 'QueryParseError', message: 'Cannot parse the query', details: [text], line: 1, column: 7 });
  }
  const limit = integerOf(query.limit, 150);
  const offset = integerOf(query.offset, 0);
  if (limit + offset > RESULT_WINDOW) {
    return reply.code(400).send({ type: 'SearchError', message: 'Result window is too large', details: [] });
  }
  const stream = /^streams:([0-9a-f]{24})$/.exec(firstText(query.filter))?.[1];
  const found = select(messages, {
    range,
    accepts,
    streams: stream === undefined ? [] : [stream],
    descending: firstText(query.sort) !== 'timestamp:asc',
  });
  // Whoever does not ask for JSON may get a table.
  if (!String(request.headers.accept).includes('json')) return reply.type('text/csv').send('"timestamp","source"\n');
  return {
    query: text,
    built_query: '{}',
    used_indices: [],
    messages: found.slice(offset, offset + limit).map((message) => ({
      highlight_ranges: {},
      message,
      index: 'graylog_42',
      decoration_stats: null,
    })),
    fields: ['source', 'message'],
    time: 4,
    total_results: found.length,
    ...effective(range),
    decoration_stats: null,
  };
}

type Selection = {
  readonly range: TimeRange;
  readonly accepts: (message: GraylogMessage) => boolean;
  readonly streams: readonly string[];
  readonly descending: boolean;
};

function select(
  messages: readonly GraylogMessage[],
  { range, accepts, streams, descending }: Selection,
): GraylogMessage[] {
  const found = messages.filter((message) => {
    const timeMs = Date.parse(message.timestamp);
    const isInside = timeMs >= range.fromMs && timeMs <= range.toMs;
    return isInside && accepts(message) && (streams.length === 0 || streams.some((id) => message.streams.includes(id)));
  });
  const sign = descending ? -1 : 1;
  return found.toSorted((a, b) => sign * (Date.parse(a.timestamp) - Date.parse(b.timestamp)));
}

type Accepts = (message: GraylogMessage) => boolean;

/**
 * `*`, `field:value` and ranges of `timestamp` joined by AND, and plain words; undefined when quotes are not in pairs, or a
 * time is not written as the index wants it.
 */
function parseQuery(text: string): Accepts | undefined {
  if ((text.match(/"/g)?.length ?? 0) % 2 === 1) return undefined;
  const terms = text.split(/ AND /).map((term) => parseTerm(term.trim()));
  const read = terms.filter((term) => term !== undefined);
  return read.length < terms.length ? undefined : (message) => read.every((accepts) => accepts(message));
}

function parseTerm(term: string): Accepts | undefined {
  if (term === '*') return () => true;
  if (term.startsWith('timestamp:')) return parseTimes(term.slice('timestamp:'.length));
  const [, field, value] = /^(\w{1,60}):"?([^"]*)"?$/.exec(term) ?? [];
  if (field !== undefined) return (message) => String(message[field]) === value;
  return ({ message }) => message.toLowerCase().includes(term.toLowerCase());
}

function parseTimes(range: string): Accepts | undefined {
  const [, open, from = '', to = '', close] = /^([[{])(\*|"[^"]*") TO (\*|"[^"]*")([\]}])$/.exec(range) ?? [];
  const [fromMs, toMs] = [boundOf(from, Number.NEGATIVE_INFINITY), boundOf(to, Number.POSITIVE_INFINITY)];
  if (Number.isNaN(fromMs) || Number.isNaN(toMs)) return undefined;
  return ({ timestamp }) => {
    const ms = Date.parse(timestamp);
    return (open === '[' ? ms >= fromMs : ms > fromMs) && (close === ']' ? ms <= toMs : ms < toMs);
  };
}

function boundOf(text: string, open: number): number {
  return text === '*' ? open : readIndexTime(text.slice(1, -1));
}

function effective({ fromMs, toMs }: TimeRange) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), type: 'absolute' };
}
