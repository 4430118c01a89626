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
  // Its own name for a search that the index refuses is one for a fault of the server.
  if (accepts === undefined) {
    const reason = `Cannot parse '${text}': Encountered "<EOF>" at line 1, column 7.`;
    return apiError(
      reply,
      500,
      `Failed to obtain results: [Search type returned error: \n\nparse_exception: ${reason}]`,
    );
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
 * `*`, `field:value`, ranges of `timestamp`, `streams:(id OR id)` and parentheses joined by AND, and plain words; undefined
 * when quotes or parentheses are not in pairs, or a time is not written as the index wants it.
 */
function parseQuery(text: string): Accepts | undefined {
  const parts = partsOf(text);
  const read = (parts ?? []).map((part) => parseTerm(part.trim())).filter((term) => term !== undefined);
  return parts === undefined || read.length < parts.length
    ? undefined
    : (message) => read.every((accepts) => accepts(message));
}

/** What AND joins outside of quotes and parentheses; undefined when one of these is left open. */
function partsOf(text: string): string[] | undefined {
  const parts = [''];
  let depth = 0;
  let isQuoted = false;
  for (const token of text.match(/ AND |./gs) ?? []) {
    if (token === ' AND ' && depth === 0 && !isQuoted) parts.push('');
    else parts.push(`${parts.pop()}${token}`);
    if (token === '"') isQuoted = !isQuoted;
    if (!isQuoted && token === '(') depth += 1;
    if (!isQuoted && token === ')') depth -= 1;
    if (depth < 0) return undefined;
  }
  return isQuoted || depth > 0 ? undefined : parts;
}

function parseTerm(term: string): Accepts | undefined {
  if (term === '*') return () => true;
  if (term.startsWith('timestamp:')) return parseTimes(term.slice('timestamp:'.length));
  const streams = /^streams:\(([^()]*)\)$/.exec(term)?.[1]?.split(' OR ');
  if (streams !== undefined) return (message) => streams.some((id) => message.streams.includes(id));
  if (term.startsWith('(') && term.endsWith(')')) return parseQuery(term.slice(1, -1));
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
