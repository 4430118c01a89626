import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { firstText, integerOf, objectOf, textOf } from './request-values.ts';
import type { VendorApi } from './vendor-api.ts';

type Row = Record<string, string>;

/** The account of the sandbox: Basic `integration:<key>`. */
const ACCOUNT = 'integration';
const MAX_ROWS = 1000;
const references: ReadonlySet<string> = new Set(['caller_id', 'assignment_group', 'assigned_to']);

/** The Table API of ServiceNow with the tables `incident` and `sys_user`. */
export function createServicenowApi(): VendorApi {
  const tables: Readonly<Record<string, Row[]>> = {
    incident: [],
    sys_user: [{ sys_id: 'a'.repeat(32), user_name: ACCOUNT }],
  };
  const incidents = tables.incident ?? [];
  let last = 10_000;
  let hidden = '';
  return {
    id: 'servicenow',
    failures: {
      unauthorized: { status: 401, body: failure('User Not Authenticated', 'Required to provide Auth information') },
      forbidden: {
        status: 403,
        body: failure('Operation Failed', 'ACL Exception Insert Failed due to security constraints'),
      },
      rate_limited: {
        status: 429,
        headers: { 'retry-after': '42', 'x-ratelimit-limit': '1000' },
        body: failure('Rate limit exceeded', 'Rate limit rule of the sandbox'),
      },
      error_in_200: { status: 200, body: failure('Transaction cancelled', 'maximum execution time exceeded') },
      // A sleeping developer instance.
      html: {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<html><title>Instance Hibernating page</title></html>',
      },
    },
    state: () => ({ incidents }),
    reset() {
      incidents.splice(0);
      hidden = '';
    },

    register(app, { key, now }) {
      const expected = `Basic ${Buffer.from(`${ACCOUNT}:${key}`).toString('base64')}`;
      const stamp = () => now().toISOString().slice(0, 19).replace('T', ' ');
      // Not the vendor's: rows of this condition exist, but the account may not read them.
      app.post<{ Body: unknown }>('/sandbox/hide', async (request) => {
        hidden = textOf(objectOf(request.body).condition);
        return { hidden };
      });
      app.addHook('onRequest', async (request, reply) => {
        if (request.headers.authorization === expected || request.url.endsWith('/sandbox/hide')) return;
        await reply.code(401).send(failure('User Not Authenticated', 'Required to provide Auth information'));
      });
      app.get<{ Params: { table: string } }>('/api/now/table/:table', async (request, reply) => {
        const rows = Object.hasOwn(tables, request.params.table) ? tables[request.params.table] : undefined;
        if (rows === undefined) return invalidTable(reply, request.params.table);
        return list(rows, { request, hidden }, reply);
      });
      app.post('/api/now/table/incident', async (request, reply) => {
        last += 1;
        const at = stamp();
        const row: Row = {
          sys_id: randomBytes(16).toString('hex'),
          number: `INC00${last}`,
          state: '1',
          urgency: '3',
          impact: '3',
          priority: '5',
          ...textsOf(request.body),
          sys_created_on: at,
          sys_updated_on: at,
        };
        incidents.push(row);
        if (incidents.length > MAX_ROWS) incidents.shift();
        return reply
          .code(201)
          .header('location', `/api/now/table/incident/${row.sys_id}`)
          .send({ result: shown(row) });
      });
      app.patch<{ Params: { id: string } }>('/api/now/table/incident/:id', async (request, reply) => {
        const row = incidents.find((one) => one.sys_id === request.params.id);
        if (row === undefined)
          return reply
            .code(404)
            .send(failure('No Record found', "Record doesn't exist or ACL restricts the record retrieval"));
        const { work_notes: note, ...changes } = textsOf(request.body);
        Object.assign(row, changes, { sys_updated_on: stamp() });
        // A journal field: every write adds an entry.
        if (note !== undefined) row.work_notes = row.work_notes === undefined ? note : `${row.work_notes}\n\n${note}`;
        return { result: shown(row) };
      });
    },
  };
}

/** Limit, offset and total go by all rows found; which of them the account may read is looked at after that. */
function list(
  rows: readonly Row[],
  { request, hidden }: { request: FastifyRequest; hidden: string },
  reply: FastifyReply,
): FastifyReply {
  const query = objectOf(request.query);
  const conditions = firstText(query.sysparm_query).split('^').filter(Boolean);
  const found = rows.filter((row) => conditions.every((condition) => holds(row, condition)));
  const limit = Math.max(integerOf(query.sysparm_limit, 10_000), 0);
  const offset = Math.max(integerOf(query.sysparm_offset, 0), 0);
  const fields = firstText(query.sysparm_fields).split(',').filter(Boolean);
  const page = found
    .slice(offset, offset + limit)
    .filter((row) => hidden === '' || !holds(row, hidden))
    .map(shown);
  reply.header('x-total-count', String(found.length));
  if (offset + limit < found.length) {
    const next = new URL(request.url, 'https://example.service-now.com');
    next.searchParams.set('sysparm_offset', String(offset + limit));
    reply.header('link', `<${next.href}>;rel="next"`);
  }
  return reply.send({ result: fields.length === 0 ? page : page.map((row) => picked(row, fields)) });
}

/** `field=value` and `field!=value`; like the real one, what it does not understand filters nothing out. */
function holds(row: Row, condition: string): boolean {
  const [, field = '', operator = '', value = ''] = /^([a-z_]+)(!?=)(.*)$/.exec(condition) ?? [];
  if (field === '') return true;
  return ((row[field] ?? '') === value) === (operator === '=');
}

/** References as the API gives them. */
function shown(row: Row): Record<string, unknown> {
  const entries = Object.entries(row).map(([field, value]): [string, unknown] =>
    references.has(field) && value !== ''
      ? [field, { link: `https://example.service-now.com/${field}/${value}`, value }]
      : [field, value],
  );
  return Object.fromEntries(entries);
}

function picked(row: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter((field) => Object.hasOwn(row, field)).map((field) => [field, row[field]]));
}

function textsOf(body: unknown): Row {
  const entries = Object.entries(objectOf(body)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

function invalidTable(reply: FastifyReply, table: string): FastifyReply {
  return reply.code(400).send(failure(`Invalid table ${table}`, ''));
}

function failure(message: string, detail: string) {
  return { error: { message, detail }, status: 'failure' };
}
