import type { FastifyReply, FastifyRequest } from 'fastify';
import { githubError } from './github-failures.ts';
import { firstText, integerOf, objectOf, textOf } from './request-values.ts';

type Entry = Record<string, unknown>;

/** `GET /orgs/{org}/audit-log`: newest first unless asked otherwise, with cursors in the `Link` header. */
export function listAuditLog(
  { log, url }: { log: readonly Entry[]; url: string },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const query = objectOf(request.query);
  const conditions = conditionsOf(firstText(query.phrase));
  if (conditions === undefined) return githubError(reply, 422, 'Validation Failed');
  const sign = firstText(query.order) === 'asc' ? 1 : -1;
  const found = log
    .filter((entry) => conditions.every((holds) => holds(entry)))
    .toSorted((a, b) => sign * (timeOf(a) - timeOf(b)));
  return page({ found, url }, request, reply);
}

/** Alerts of one kind, by creation or update, newest first unless asked otherwise. */
export function listAlerts(
  { alerts, url }: { alerts: readonly Entry[]; url: string },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const query = objectOf(request.query);
  const state = firstText(query.state);
  const field = firstText(query.sort) === 'updated' ? 'updated_at' : 'created_at';
  const sign = firstText(query.direction) === 'asc' ? 1 : -1;
  const hidden = firstText(query.hide_secret) === 'true';
  const found = alerts
    .filter((alert) => state === '' || alert.state === state)
    .toSorted((a, b) => sign * (Date.parse(textOf(a[field])) - Date.parse(textOf(b[field]))))
    .map((alert) => (hidden ? withoutSecret(alert) : alert));
  return page({ found, url }, request, reply);
}

function withoutSecret({ secret: _secret, ...alert }: Entry): Entry {
  return alert;
}

function page(
  { found, url }: { found: readonly Entry[]; url: string },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const query = objectOf(request.query);
  const size = Math.min(Math.max(integerOf(query.per_page, 30), 1), 100);
  const after = firstText(query.after);
  const offset = after === '' ? 0 : offsetOf(after);
  if (offset === undefined) return githubError(reply, 422, 'The cursor is not valid.');
  if (found.length > offset + size) {
    const next = new URL(request.url, url);
    next.searchParams.set('after', Buffer.from(`after:${offset + size}`).toString('base64url'));
    reply.header('link', `<${next.href}>; rel="next"`);
  }
  return reply.send(found.slice(offset, offset + size));
}

function offsetOf(cursor: string): number | undefined {
  const match = /^after:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  return match === null ? undefined : Number(match[1]);
}

function timeOf(entry: Entry): number {
  const at = entry['@timestamp'];
  return typeof at === 'number' ? at : 0;
}

/** `actor:x action:y created:>=2026-11-20T00:00:00Z`; undefined for what cannot be read. */
function conditionsOf(phrase: string): ((entry: Entry) => boolean)[] | undefined {
  const conditions = phrase.split(/\s+/).filter(Boolean).map(conditionOf);
  return conditions.every((condition) => condition !== undefined) ? conditions : undefined;
}

function conditionOf(word: string): ((entry: Entry) => boolean) | undefined {
  const [, field = '', value = ''] = /^(actor|action|created):(.+)$/.exec(word) ?? [];
  if (field === '') return undefined;
  if (field !== 'created') return (entry) => entry[field] === value;
  // A search counts in seconds.
  const from = Date.parse(value.replace(/^>=/, ''));
  return value.startsWith('>=') && !Number.isNaN(from) ? (entry) => timeOf(entry) >= from : undefined;
}
