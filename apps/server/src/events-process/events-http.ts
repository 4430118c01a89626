/**
 * The part of ClickHouse's HTTP interface that `@clickhouse/client` uses, so that the server speaks to the embedded
 * engine exactly as it speaks to a ClickHouse cluster.
 *
 * `GET /ping`; `GET` or `POST /` with the statement in `query`, in the body, or split between both; settings, `database`,
 * `default_format` and `param_*` in the URL; gzip bodies. Errors carry the engine's text and `X-ClickHouse-Exception-Code`.
 * A client that goes away stops its query. Too many waiting requests are answered with 503.
 */
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type EngineAnswer, type EventsEngine, NoSpaceError, RequestRefusedError } from './events-engine.ts';
import { LaneFullError } from './lane.ts';
import { hasSecondStatement, isReading } from './sql-text.ts';

const MAX_BODY_BYTES = 256 * 1024 * 1024;
const COMPRESS_FROM_BYTES = 4_096;

/** URL parameters of the HTTP layer itself; every other one is a setting of the query. */
const transportParameters = new Set([
  ...['query', 'query_id', 'database', 'default_format', 'user', 'password', 'session_id', 'session_timeout', 'role'],
  ...[
    'wait_end_of_query',
    'send_progress_in_http_headers',
    'http_headers_progress_interval_ms',
    'compress',
    'decompress',
  ],
  ...['enable_http_compression', 'buffer_size', 'client_protocol_version', 'http_response_buffer_size'],
]);

const statusByCode: Readonly<Record<number, number>> = {
  60: 404,
  62: 400,
  81: 404,
  159: 408,
  164: 403,
  241: 507,
  497: 403,
  516: 403,
};

/** Values of a query travel in its address, up to six bytes for a letter beyond ASCII. Only this program calls here. */
const MAX_HEADER_BYTES = 1_048_576;

export type Credentials = { user: string; password: string };

export function createEventsHttp(engine: EventsEngine, credentials: Credentials): Server {
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    serve(request, response, { engine, credentials }).catch((error: unknown) => refuse(response, error));
  });
  server.requestTimeout = 0;
  server.keepAliveTimeout = 30_000;
  return server;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  deps: { engine: EventsEngine; credentials: Credentials },
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/ping') {
    response.end('Ok.\n');
    return;
  }
  if (url.pathname !== '/') {
    response.writeHead(404).end('There is no such address.\n');
    return;
  }
  if (!isAllowed(request, url, deps.credentials)) {
    sendError(
      response,
      516,
      `${deps.credentials.user}: Authentication failed: password is incorrect. (AUTHENTICATION_FAILED)`,
    );
    return;
  }
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new Error('the client went away'));
  });
  const body = await readBody(request);
  const { sql, data } = statementOf(url.searchParams.get('query'), body);
  if (hasSecondStatement(sql)) {
    sendError(response, 62, 'Syntax error (Multi-statements are not allowed). (SYNTAX_ERROR)');
    return;
  }
  const result = await deps.engine.run({ sql, data, ...optionsOf(url), signal: gone.signal });
  await sendResult(request, response, { url, result });
}

function optionsOf(url: URL) {
  const settings = new Map<string, string>();
  const parameters = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (name.startsWith('param_')) parameters.set(name.slice('param_'.length), value);
    else if (!transportParameters.has(name)) settings.set(name, value);
  }
  const database = url.searchParams.get('database') ?? undefined;
  return { database, format: url.searchParams.get('default_format') ?? 'TabSeparated', settings, parameters };
}

/** With a statement in the URL the body is its data, or, for anything but an INSERT, its continuation. */
function statementOf(query: string | null, body: Buffer): { sql: string; data: Buffer | undefined } {
  if (query === null || query === '') return splitInsert(body);
  if (body.length === 0) return { sql: query, data: undefined };
  if (isReading(query)) return { sql: `${query}\n${body.toString('utf8')}`, data: undefined };
  return { sql: query, data: body };
}

const INSERT_WITH_DATA = /^\s*insert\s+into\s[^;'"`]*?\sformat\s+[A-Za-z]+[ \t]*\r?\n/i;

function splitInsert(body: Buffer): { sql: string; data: Buffer | undefined } {
  const head = INSERT_WITH_DATA.exec(body.subarray(0, 8_192).toString('latin1'))?.[0];
  if (head === undefined) return { sql: body.toString('utf8'), data: undefined };
  return { sql: body.subarray(0, head.length).toString('utf8'), data: body.subarray(head.length) };
}

function isAllowed(request: IncomingMessage, url: URL, expected: Credentials): boolean {
  const [scheme, encoded = ''] = (request.headers.authorization ?? '').split(' ');
  const basic = scheme === 'Basic' ? Buffer.from(encoded, 'base64').toString('utf8') : undefined;
  const user = request.headers['x-clickhouse-user'] ?? url.searchParams.get('user') ?? basic?.split(':', 1)[0] ?? '';
  const password =
    request.headers['x-clickhouse-key'] ??
    url.searchParams.get('password') ??
    basic?.slice(basic.indexOf(':') + 1) ??
    '';
  return isSame(String(user), expected.user) && isSame(String(password), expected.password);
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RequestRefusedError(`the body is larger than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip') throw new RequestRefusedError(`content encoding ${encoding} is not supported`);
  return await promisify(gunzip)(body, { maxOutputLength: MAX_BODY_BYTES });
}

async function sendResult(
  request: IncomingMessage,
  response: ServerResponse,
  done: { url: URL; result: EngineAnswer },
): Promise<void> {
  const { url, result } = done;
  const summary = {
    read_rows: String(result.readRows),
    read_bytes: String(result.readBytes),
    written_rows: String(result.writtenRows),
    written_bytes: '0',
    total_rows_to_read: '0',
    result_rows: '0',
    result_bytes: String(result.bytes.length),
    elapsed_ns: String(result.elapsedNs),
  };
  const headers = {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Query-Id': url.searchParams.get('query_id') ?? randomUUID(),
    'X-ClickHouse-Summary': JSON.stringify(summary),
    'X-ClickHouse-Timezone': 'UTC',
  };
  const zip =
    url.searchParams.get('enable_http_compression') === '1' &&
    request.headers['accept-encoding']?.includes('gzip') === true;
  if (zip && result.bytes.length >= COMPRESS_FROM_BYTES) {
    const packed = await promisify(gzip)(result.bytes, { level: 1 });
    response.writeHead(200, { ...headers, 'Content-Encoding': 'gzip' }).end(packed);
  } else response.writeHead(200, headers).end(result.bytes);
}

const ENGINE_ERROR = /Code: (\d+)\. DB::Exception: ([\s\S]*)$/;

function refuse(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const [, code, text] = ENGINE_ERROR.exec(message) ?? [];
  if (code !== undefined && text !== undefined) sendError(response, Number(code), text.trim());
  else if (error instanceof LaneFullError)
    sendError(response, 202, `Too many simultaneous queries: ${message}. (TOO_MANY_SIMULTANEOUS_QUERIES)`, 503);
  else if (error instanceof NoSpaceError) sendError(response, 243, `${message}. (NOT_ENOUGH_SPACE)`, 503);
  else if (error instanceof RequestRefusedError) sendError(response, 36, `${message}. (BAD_ARGUMENTS)`, 400);
  else sendError(response, 1002, `${message}. (UNKNOWN_EXCEPTION)`);
}

function sendError(response: ServerResponse, code: number, text: string, status = statusByCode[code] ?? 500): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const retry = status === 503 ? { 'Retry-After': '1' } : {};
  response
    .writeHead(status, {
      'Content-Type': 'text/plain; charset=UTF-8',
      'X-ClickHouse-Exception-Code': String(code),
      ...retry,
    })
    .end(`Code: ${code}. DB::Exception: ${text}\n`);
}
