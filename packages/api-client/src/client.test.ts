import { describe, expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { type ApiClientDeps, createApiClient } from './client.ts';

const tenant = '01920000-0000-7000-8000-000000000001';
type Answer = Response | Error | (() => Promise<Response>);

/** A client whose fetch gives the answers in order and records what was asked. */
function setUp(answers: Answer[], deps: Partial<ApiClientDeps> = {}) {
  const asked: { url: string; init: RequestInit; headers: Record<string, string> }[] = [];
  const seen = { unauthorized: 0, refreshes: 0, ids: 0 };
  const client = createApiClient({
    baseUrl: '/',
    getToken: async (options) => {
      if (options?.refresh === true) seen.refreshes += 1;
      return `token-${seen.refreshes}`;
    },
    fetch: async (url, init = {}) => {
      asked.push({ url: String(url), init, headers: { ...(init.headers as Record<string, string>) } });
      const answer = answers.shift();
      if (answer === undefined) throw new Error('one call too many');
      if (answer instanceof Error) throw answer;
      return answer instanceof Response ? answer : answer();
    },
    onUnauthorized: () => {
      seen.unauthorized += 1;
    },
    newId: () => `id-${++seen.ids}`,
    timeoutSignal: () => new AbortController().signal,
    ...deps,
  });
  return { client, asked, seen };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('expected an ApiError', { cause: error });
  return error;
}

describe('a call', () => {
  test('carries token, JSON body and an idempotency key when it changes something', async () => {
    const { client, asked } = setUp([json(200, {})]);
    await client.call('cases.update', { params: { tenant, id: tenant }, body: { comment: 'seen' } });
    expect(asked[0]?.init.method).toBe('POST');
    expect(asked[0]?.init.body).toBe('{"comment":"seen"}');
    expect(asked[0]?.headers).toMatchObject({
      authorization: 'Bearer token-0',
      'content-type': 'application/json',
      'idempotency-key': 'id-1',
    });
  });

  test('goes on after its page was left, if that is asked for', async () => {
    const { client, asked } = setUp([json(200, {}), json(200, {})]);
    await client.call('me.get', { keepalive: true });
    await client.call('me.get', {});
    expect(asked.map(({ init }) => init.keepalive)).toEqual([true, undefined]);
  });

  test('sends a file as it is, under its own type', async () => {
    const { client, asked } = setUp([json(201, {})]);
    const body = new Blob(['%PDF-1.7'], { type: 'application/pdf' });
    await client.call('contract.upload', { params: { tenant }, query: { name: 'Order form.pdf' }, body });
    expect(asked[0]?.init.body).toBe(body);
    expect(asked[0]?.headers['content-type']).toBe('application/pdf');
  });

  test('that only reads carries no idempotency key', async () => {
    const { client, asked } = setUp([json(200, {})]);
    await client.call('me.get', {});
    expect(asked[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  test('uses the caller’s idempotency key, so that a repeated mutation is the same one', async () => {
    const { client, asked } = setUp([json(200, {})]);
    await client.call('cases.update', { params: { tenant, id: tenant }, body: {}, idempotencyKey: 'mine' });
    expect(asked[0]?.headers['idempotency-key']).toBe('mine');
  });

  test('that is confirmed carries the confirmation headers', async () => {
    const { client, asked } = setUp([json(200, {})]);
    await client.call('me.get', { confirm: { passphrase: 'delete me' } });
    expect(asked[0]?.headers).toMatchObject({ 'x-air-confirm': 'true', 'x-air-confirm-passphrase': 'delete me' });
  });

  test('is answered by the server also where what was typed fits no header', async () => {
    const { client, asked } = setUp([json(200, {}), json(200, {})]);
    await client.call('me.get', { confirm: { passphrase: 'usuário' } });
    await client.call('me.get', { confirm: { passphrase: 'łódź…' } });
    expect(asked.map(({ headers }) => headers['x-air-confirm-passphrase'])).toEqual(['usuário', '']);
  });

  test.each([
    ['204', () => new Response(null, { status: 204 })],
    ['zero length', () => new Response('', { status: 200 })],
  ])('answered with %s gives an empty object', async (_, answer) => {
    const { client } = setUp([answer()]);
    expect(await client.call('me.get', {})).toEqual({});
  });

  test('may insist on an answer where the route has one: an empty object is no list of cases', async () => {
    const empty = () => new Response(null, { status: 204 });
    const { client } = setUp([empty(), new Response(''), empty()], { missesEmpty: true });
    expect(await failure(client.call('cases.list', { params: { tenant } }))).toMatchObject({
      code: 'UNEXPECTED_ANSWER',
    });
    expect(await failure(client.call('me.get', {}))).toMatchObject({ code: 'UNEXPECTED_ANSWER' });
    expect(await client.call('me.delete', {})).toEqual({});
  });

  test('without a token fails before anything is sent', async () => {
    const { client, asked } = setUp([], { getToken: async () => undefined });
    const error = await failure(client.call('me.get', {}));
    expect(error).toMatchObject({ message: 'No auth token found', category: 'auth', code: 'TOKEN_MISSING' });
    expect(asked).toHaveLength(0);
  });

  test('to a public route needs no token', async () => {
    const { client, asked } = setUp([json(200, [])], { getToken: async () => undefined });
    await client.call('system.demo-accounts', { anonymous: true });
    expect(asked[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('after a 401', () => {
  const refused = () => json(401, { message: 'expired', code: 'TOKEN_INVALID', request_id: 'r' });

  test('the call is repeated once with a fresh token and the same idempotency key', async () => {
    const { client, asked, seen } = setUp([refused(), json(200, {})]);
    await client.call('cases.update', { params: { tenant, id: tenant }, body: {} });
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-0', 'Bearer token-1']);
    expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(seen.unauthorized).toBe(0);
  });

  test('a second 401 ends the session, and nothing is tried a third time', async () => {
    const { client, seen, asked } = setUp([refused(), refused()]);
    expect(await failure(client.call('me.get', {}))).toMatchObject({ category: 'auth', code: 'TOKEN_INVALID' });
    expect(seen.unauthorized).toBe(1);
    expect(asked).toHaveLength(2);
  });

  test('a 403 is no reason to refresh', async () => {
    const { client, seen } = setUp([json(403, { message: 'no', code: 'ROLE_TOO_LOW', request_id: 'r' })]);
    expect(await failure(client.call('me.get', {}))).toMatchObject({ category: 'auth', code: 'ROLE_TOO_LOW' });
    expect(seen).toMatchObject({ refreshes: 0, unauthorized: 0 });
  });
});

describe('failures are one shape', () => {
  test.each([
    [400, 'client', 'warning', false],
    [404, 'client', 'low', false],
    [403, 'auth', 'warning', false],
    [429, 'client', 'warning', true],
    [449, 'client', 'warning', false],
    [500, 'server', 'error', true],
    [503, 'server', 'error', true],
    [302, 'unknown', 'error', false],
  ])('status %i is %s, %s, retryable %s', async (status, category, severity, retryable) => {
    const { client } = setUp([json(status, { message: 'words', code: 'CODE', request_id: 'req-1' })]);
    const error = await failure(client.call('tenants.get', { params: { tenant } }));
    expect(error).toMatchObject({ status, category, severity, retryable, code: 'CODE', requestId: 'req-1' });
    expect(error).toMatchObject({ endpoint: '/api/tenants/{tenant}', method: 'GET', message: 'words' });
  });

  test('the text is the message field, else a plain-text body, else status and status text', async () => {
    const plain = new Response('upstream is gone\n', { status: 502, headers: { 'content-type': 'text/plain' } });
    const html = new Response('<h1>no</h1>', {
      status: 502,
      statusText: 'Bad Gateway',
      headers: { 'content-type': 'text/html' },
    });
    const { client } = setUp([json(502, { message: 'said' }), plain, html]);
    const texts = [];
    for (let index = 0; index < 3; index += 1) texts.push((await failure(client.call('me.get', {}))).message);
    expect(texts).toEqual(['said', 'upstream is gone', '502 Bad Gateway']);
  });

  test('details, confirmation and the asked-for wait are carried', async () => {
    const confirm = { title: 'Delete?', text: 'Gone for good.', action_label: 'Delete', passphrase_hint: 'name' };
    const body = {
      message: 'm',
      code: 'C',
      request_id: 'r',
      details: [
        { path: 'q', message: 'too long' },
        7,
        { path: 'query', message: 'unclosed', start: 0, end: 1, suggestion: 'Close it.', fix: '(a)', other: 1 },
        { path: 'query', message: 'no place', start: '0', end: 1, fix: 7 },
      ],
      confirm,
    };
    const { client } = setUp([json(449, body, { 'retry-after': '12' })]);
    expect(await failure(client.call('me.get', {}))).toMatchObject({
      details: [
        { path: 'q', message: 'too long' },
        { path: 'query', message: 'unclosed', start: 0, end: 1, suggestion: 'Close it.', fix: '(a)' },
        { path: 'query', message: 'no place' },
      ],
      confirmation: confirm,
      retryAfterS: 12,
    });
  });

  test('a question is told in the words of whoever reads it, and as it came where it names no reason', async () => {
    const said = { title: 'Delete X?', text: 'Gone. Used by Y.', action_label: 'Delete', passphrase_hint: 'Type X' };
    const told = {
      title: { message: 'Delete X?', reason: 'ASK', values: { name: 'X' } },
      text: [{ message: 'Gone.', reason: 'GONE' }, { message: 'Used by Y.' }],
      action_label: { message: 'Delete' },
      passphrase_hint: 7,
    };
    const body = { message: 'm', code: 'C', request_id: 'r' };
    const answers = [json(449, { ...body, confirm: { ...said, told } }), json(449, { ...body, confirm: said })];
    const { client } = setUp(answers, { tell: ({ reason = '', values }) => `${reason} ${JSON.stringify(values)}` });
    expect((await failure(client.call('me.get', {}))).confirmation).toEqual({
      title: 'ASK {"name":"X"}',
      text: 'GONE {} Used by Y.',
      action_label: 'Delete',
      passphrase_hint: 'Type X',
    });
    expect((await failure(client.call('me.get', {}))).confirmation).toEqual(said);
  });

  test('details are told in the words of whoever reads them, with what they are made of', async () => {
    const details = [
      {
        path: 'body.name',
        message: 'At most 5 characters.',
        reason: 'TEXT_TOO_LONG',
        values: { maximum: 5, odd: true },
      },
      { path: 'body.id', message: 'Not an id.' },
    ];
    const { client } = setUp([json(400, { message: 'm', code: 'C', request_id: 'r', details })], {
      tell: ({ message, reason = 'none', values }) => `${reason} ${JSON.stringify(values)} for ${message}`,
    });
    expect((await failure(client.call('me.get', {}))).details.map(({ message }) => message)).toEqual([
      'TEXT_TOO_LONG {"maximum":5} for At most 5 characters.',
      'none undefined for Not an id.',
    ]);
  });

  test('words of a sentence keep their own reasons, and nothing odd is passed on', async () => {
    const parts = [
      { path: 'case', message: 'tags', reason: 'PART_TAGS', values: { count: 1, odd: {} } },
      'odd',
      { message: 'status' },
    ];
    const refused = { code: 'CONFLICT', message: 'Changed: tags, status.', reason: 'CHANGED', values: { parts } };
    const told: unknown[] = [];
    const { client } = setUp([json(409, refused)], {
      tell: ({ message, values }) => {
        told.push(values);
        return message;
      },
    });
    await failure(client.call('me.get', {}));
    expect(told).toEqual([
      {
        parts: [
          { path: 'case', message: 'tags', reason: 'PART_TAGS', values: { count: 1 } },
          { message: 'status', values: {} },
        ],
      },
    ]);
  });

  test('a refusal that names its reason is told too, one that does not stays as it came', async () => {
    const refused = { message: 'Another is called "A".', code: 'CONFLICT', request_id: 'r' };
    const answers = [json(409, { ...refused, reason: 'NAME_TAKEN', values: { name: 'A' } }), json(409, refused)];
    const { client } = setUp(answers, { tell: ({ reason, values }) => `${reason} ${JSON.stringify(values)}` });
    expect((await failure(client.call('me.get', {}))).message).toBe('NAME_TAKEN {"name":"A"}');
    expect((await failure(client.call('me.get', {}))).message).toBe('Another is called "A".');
  });

  test('an answer that is no JSON is a failure, not an empty object', async () => {
    const { client } = setUp([new Response('<html>', { status: 200 })]);
    expect(await failure(client.call('me.get', {}))).toMatchObject({ code: 'UNEXPECTED_ANSWER', category: 'unknown' });
  });

  test('no connection is a network failure that may be retried', async () => {
    const { client } = setUp([new TypeError('fetch failed')]);
    expect(await failure(client.call('me.get', {}))).toMatchObject({ category: 'network', retryable: true });
  });

  test('a caller who leaves is an abort, whatever fetch threw', async () => {
    const gone = new AbortController();
    gone.abort();
    const { client } = setUp([new DOMException('aborted', 'AbortError')]);
    expect(await failure(client.call('me.get', { signal: gone.signal }))).toMatchObject({ category: 'abort' });
  });

  test('a call that takes too long is a timeout, and not retryable', async () => {
    const late = new AbortController();
    late.abort();
    const { client } = setUp([new DOMException('aborted', 'AbortError')], { timeoutSignal: () => late.signal });
    expect(await failure(client.call('me.get', {}))).toMatchObject({ category: 'timeout', retryable: false });
  });

  test('an answer that breaks off half-way is a network failure', async () => {
    const body = new ReadableStream({
      start: (controller) => controller.error(new TypeError('terminated')),
    });
    const { client } = setUp([new Response(body, { status: 200 })]);
    expect(await failure(client.call('me.get', {}))).toMatchObject({ category: 'network' });
  });

  test('neither token nor query stand in the error', async () => {
    const { client } = setUp([json(500, { message: 'm' })]);
    const error = await failure(client.call('cases.list', { params: { tenant }, query: { q: 'hunter2' } }));
    const told = JSON.stringify({ ...error, message: error.message });
    expect(told).not.toContain('hunter2');
    expect(told).not.toContain('token-0');
  });
});

describe('a file', () => {
  const pdf = () =>
    new Response('%PDF-1.7', {
      headers: { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="AIR-7.pdf"' },
    });
  const query = { locale: 'en-US', time_zone: 'UTC' } as const;
  const parts = { params: { tenant, id: tenant }, query };
  const refused = () => json(401, { message: 'expired', code: 'TOKEN_INVALID', request_id: 'r' });

  test('comes with its name and type, and tells how far it is', async () => {
    const { client } = setUp([pdf()]);
    const read: number[] = [];
    const { file, name } = await client.download('cases.pdf', { ...parts, onProgress: (bytes) => read.push(bytes) });
    expect([await file.text(), file.type, name]).toEqual(['%PDF-1.7', 'application/pdf', 'AIR-7.pdf']);
    expect(read.at(-1)).toBe(8);
  });

  test('carries token and trace headers as every call, and asks for any type', async () => {
    const { client, asked } = setUp([pdf()], { traceHeaders: () => ({ traceparent: '00-1-2-01' }) });
    await client.download('cases.pdf', parts);
    expect(asked[0]?.headers).toEqual({ accept: '*/*', authorization: 'Bearer token-0', traceparent: '00-1-2-01' });
  });

  test('without a token nothing is sent, least of all an empty token', async () => {
    const { client, asked } = setUp([], { getToken: async () => undefined });
    const error = await failure(client.download('cases.pdf', parts));
    expect(error).toMatchObject({ message: 'No auth token found', code: 'TOKEN_MISSING' });
    expect(asked).toHaveLength(0);
  });

  test('a second 401 ends the session', async () => {
    const { client, seen } = setUp([refused(), refused()]);
    expect(await failure(client.download('cases.pdf', parts))).toMatchObject({ category: 'auth' });
    expect(seen).toMatchObject({ unauthorized: 1, refreshes: 1 });
  });

  test('that takes longer than asked for is a timeout, not something the person called off', async () => {
    const late = new AbortController();
    const asked: number[] = [];
    const timeoutSignal = (milliseconds: number) => {
      asked.push(milliseconds);
      late.abort(new DOMException('late', 'TimeoutError'));
      return late.signal;
    };
    const { client } = setUp([new DOMException('late', 'TimeoutError')], { timeoutSignal });
    const error = await failure(client.download('cases.pdf', { ...parts, timeoutMs: 60_000 }));
    expect(error).toMatchObject({ category: 'timeout', code: 'TIMED_OUT' });
    expect(asked).toEqual([60_000]);
  });

  test('without a limit of its own goes on until it is called off', async () => {
    const asked: number[] = [];
    const gone = new AbortController();
    const timeoutSignal = (milliseconds: number) => {
      asked.push(milliseconds);
      return AbortSignal.abort();
    };
    const { client } = setUp([pdf(), new DOMException('gone', 'AbortError')], { timeoutSignal });
    await client.download('cases.pdf', parts);
    gone.abort();
    const error = await failure(client.download('cases.pdf', { ...parts, signal: gone.signal }));
    expect(error).toMatchObject({ category: 'abort' });
    expect(asked).toEqual([]);
  });

  test('takes no path from the server as its name', async () => {
    const headers = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="../../x.sh"' };
    const { client } = setUp([new Response('x', { headers })]);
    expect((await client.download('cases.pdf', parts)).name).toBeUndefined();
  });

  test('that breaks off is a failure, not a shorter file', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('%PDF'));
        controller.error(new TypeError('terminated'));
      },
    });
    const headers = { 'content-type': 'application/pdf' };
    const { client } = setUp([new Response(body, { headers })]);
    expect(await failure(client.download('cases.pdf', parts))).toMatchObject({
      category: 'network',
      message: 'The download broke off. Nothing was saved; try again.',
    });
  });

  test('of no lines is a file all the same', async () => {
    const { client } = setUp([new Response('', { headers: { 'content-type': 'application/x-ndjson' } })]);
    const { file } = await client.download('audit.export', { params: { tenant }, query: { format: 'ndjson' } });
    expect([file.size, file.type]).toEqual([0, 'application/x-ndjson']);
  });

  test.each([
    ['a page of whatever stands between', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['nothing', new Response(null, { status: 204 })],
  ])('%s is not saved as if it were the file', async (_, answer) => {
    const { client } = setUp([answer]);
    expect(await failure(client.download('cases.pdf', parts))).toMatchObject({ code: 'UNEXPECTED_ANSWER' });
  });

  test('refused says why', async () => {
    const { client } = setUp([json(429, { message: 'Already under way.', code: 'RATE_LIMITED' })]);
    const error = await failure(client.download('cases.pdf', parts));
    expect(error).toMatchObject({ code: 'RATE_LIMITED', message: 'Already under way.' });
  });
});
