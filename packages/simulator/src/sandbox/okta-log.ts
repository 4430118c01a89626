import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OktaLogEntry, OktaMemory } from './okta-data.ts';
import { oktaError } from './okta-failures.ts';
import { firstText, integerOf, objectOf } from './request-values.ts';

export type LogContext = { readonly memory: OktaMemory; readonly now: Date; readonly url: string };

const LIMIT_MAX = 1000;
const WEEK_MS = 7 * 86_400_000;

/**
 * `GET /api/v1/logs`. Without `until` it is a polling request: ordered as the log took events in, and with a `next` link on
 * every page, the empty one too.
 */
export function listLog({ memory, now, url }: LogContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const query = objectOf(request.query);
  const limit = integerOf(query.limit, 100);
  if (limit < 0 || limit > LIMIT_MAX) return oktaError(reply, 400, 'E0000001', 'Api validation failed: limit');
  const until = firstText(query.until) === '' ? undefined : Date.parse(firstText(query.until));
  const since = firstText(query.since) === '' ? (until ?? now.getTime()) - WEEK_MS : Date.parse(firstText(query.since));
  const conditions = conditionsOf(firstText(query.filter));
  if (Number.isNaN(since) || Number.isNaN(until) || conditions === undefined) {
    return oktaError(reply, 400, 'E0000031', 'Invalid search criteria.');
  }
  const descending = firstText(query.sortOrder) === 'DESCENDING';
  const ordered = descending
    ? memory.log.map((entry, index) => ({ entry, index })).toReversed()
    : memory.log.map((entry, index) => ({ entry, index }));
  const words = firstText(query.q).toLowerCase().split(/\s+/).filter(Boolean);
  const after = decodeAfter(firstText(query.after));
  const matching = ordered.filter(
    ({ entry, index }) =>
      (after === undefined || (descending ? index < after : index > after)) &&
      entry.persistedMs >= since &&
      (until === undefined || entry.persistedMs < until) &&
      matches(entry, conditions, words),
  );
  const page = matching.slice(0, limit);
  const last = page.at(-1)?.index ?? after;
  const polling = until === undefined && !descending;
  if (last !== undefined && (polling || matching.length > page.length))
    reply.header('link', pageLinks(new URL(request.url, url), last));
  else if (polling) reply.header('link', pageLinks(new URL(request.url, url), -1));
  return reply.send(page.map(({ entry }) => entry.event));
}

function pageLinks(self: URL, index: number): string[] {
  const next = new URL(self);
  next.searchParams.set('after', Buffer.from(`n:${index}`).toString('base64url'));
  return [`<${self.href}>; rel="self"`, `<${next.href}>; rel="next"`];
}

function decodeAfter(token: string): number | undefined {
  const match = /^n:(-?\d{1,9})$/.exec(Buffer.from(token, 'base64url').toString('utf8'));
  return match === null ? undefined : Number(match[1]);
}

type Condition = { readonly path: readonly string[]; readonly value: string };

/** `eventType eq "a" and outcome.result eq "b"`; undefined for what the stand-in does not read. */
function conditionsOf(filter: string): readonly Condition[] | undefined {
  if (filter === '') return [];
  const parts = filter.split(/ and /).map((part) => /^\s*([\w.]{1,60}) eq "([^"]{0,200})"\s*$/.exec(part));
  const found = parts.flatMap((part) =>
    part === null ? [] : [{ path: (part[1] ?? '').split('.'), value: part[2] ?? '' }],
  );
  return found.length === parts.length ? found : undefined;
}

function matches({ event }: OktaLogEntry, conditions: readonly Condition[], words: readonly string[]): boolean {
  const holds = conditions.every(
    ({ path, value }) => path.reduce<unknown>((at, name) => objectOf(at)[name], event) === value,
  );
  if (!holds || words.length === 0) return holds;
  const text = JSON.stringify(event).toLowerCase();
  return words.every((word) => text.includes(word));
}
