/** Requests for every row of the route table: some fit its schemas, most are spoiled in one place. */
import { parse as parseQuery } from 'node:querystring';
import type { Route } from '@airdeck/contracts/route';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import { storableJson } from '@airdeck/domain/storable-json';
import fc from 'fast-check';
import { z } from 'zod';
import { parseStrictJson } from './json-body.ts';

export type FuzzRequest = {
  id: RouteId;
  method: Route['method'];
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer;
  /** Whether a schema of the row refuses some of it. */
  isRefused: boolean;
  /** Whether only those schemas stand in its way: the tenant is the caller's, the body is JSON and said to be. */
  isPlain: boolean;
};

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Schema = { readonly [key: string]: unknown };

const oddIds = [
  '{01a1fb94-b561-76ac-8033-bf029575ae58}',
  '01a1fb94-b561-76ac-8033-bf029575ae580',
  '01a1fb94-b561-06ac-8033-bf029575ae58',
  '01a1fb94b56176ac8033bf029575ae58',
  '٠١a1fb94-b561-76ac-8033-bf029575ae58',
];

/** What a body or a parameter is not expected to be. */
const odd = fc.constantFrom<Json>(
  ...([
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    -1e308,
    2 ** 53,
    2 ** 63,
    1_000_000_000,
    '',
    ' ',
    '\0',
    '\u202e',
    '\ud800',
    '💥'.repeat(40),
  ] as const),
  ...["' or 1=1 --", '{{ inputs.x }}', `\${7*7}`, '../../etc/passwd', '%00', '<script>', '\r\nx: y', 'a'.repeat(5_000)],
  ...['9'.repeat(400), '1e999', 'NaN', 'constructor', '__proto__', '0x10', '+1', '2026-02-30T25:61:00Z', '-'],
  ...['1;drop', ...oddIds],
  ...([[], {}, [[]], [null], { '': '' }, { constructor: { prototype: {} } }, { $ne: null }] as Json[]),
);
/** Texts that every schema of a text takes and that not every store, header, pattern or page does. */
const oddTexts = fc.constantFrom(
  ...['a\0b', 'half \ud800', '\udc00', 'a\u2028b', '\u202eevil', '%00', '%s', '\\', "'", '"', '`', '\r\nx: y'],
  ...['=1+1', '<b>', '{{ x }}', '{', '$1', '\u{1f4a5}', 'İ', '\uffff', '__proto__', 'constructor', '*', '(', '~', '/'],
);
const words = fc.oneof(
  fc.constantFrom('case', 'admin', 'user@example.com', '203.0.113.7', 'host', 'en-US', 'UTC', 'https://example.com/x'),
  fc.constantFrom('example.com', '192.0.2.0/24'),
  fc.string({ maxLength: 12 }),
  oddTexts,
);

/** A value of the schema, as JSON Schema has it; refinements behind it may still refuse it. */
function fitting(schema: Schema, ids: fc.Arbitrary<string>, depth = 0): fc.Arbitrary<Json> {
  const inner = (part: unknown) => fitting((part ?? {}) as Schema, ids, depth + 1);
  const { enum: values, anyOf, oneOf, allOf } = schema as { [key: string]: unknown[] | undefined };
  if ('const' in schema) return fc.constant(schema.const as Json);
  if (values !== undefined) return fc.constantFrom(...(values as Json[]));
  const choices = anyOf ?? oneOf ?? allOf;
  if (choices !== undefined) return fc.oneof(...choices.map(inner));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object': {
      if (depth > 5) return fc.constant({});
      const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
      const required = new Set(schema.required as string[] | undefined);
      const parts = properties.map(([name, part]) => [name, inner(part)] as const);
      const names = properties.map(([name]) => name).filter((name) => required.has(name));
      return fc.record(Object.fromEntries(parts), { requiredKeys: names }) as fc.Arbitrary<Json>;
    }
    case 'array':
      if (depth > 5) return fc.constant([]);
      return fc.array(inner(schema.items), { minLength: Math.min(Number(schema.minItems ?? 0), 3), maxLength: 3 });
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.max(Number(schema.minimum ?? 0), -1000),
        max: Math.min(Number(schema.maximum ?? 1000), 100_000),
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      if (schema.format === 'uuid') return ids;
      if (schema.format === 'date-time')
        return fc.constantFrom('2026-11-01T00:00:00.000Z', '2026-11-20T12:30:00+02:00');
      if (schema.format === 'email') return fc.constant('user@example.com');
      if (schema.format === 'uri') return fc.constant('https://example.com/hook');
      if (schema.pattern === '^T\\d{4}$') return fc.constant('T1110');
      return fc.oneof(words, ids);
    default:
      return fc.oneof(words, fc.integer({ min: 0, max: 50 }), fc.boolean());
  }
}

/** Every place of a value, the outermost first. */
function placesOf(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (value === null || typeof value !== 'object') return [path];
  return [path, ...Object.entries(value).flatMap(([key, part]) => placesOf(part, [...path, key]))];
}

/** One place of the value is something else, missing, or has a surplus key. */
function spoiled(value: Json, pick: number, by: Json): Json {
  const places = placesOf(value);
  const path = places[pick % places.length] ?? [];
  const last = path.at(-1);
  if (last === undefined) return by;
  const root = structuredClone(value);
  let holder = root as { [key: string]: Json };
  for (const key of path.slice(0, -1)) holder = holder[key] as { [key: string]: Json };
  if (pick % 3 === 0) holder[last] = by;
  else if (pick % 3 === 1) delete holder[last];
  else holder[`${last}_`] = by;
  return root;
}

/** What JSON text can do that no value shows. */
const textSpoilers: readonly ((text: string) => string | Buffer)[] = [
  (text) => text,
  (text) => text.replace('{', '{"__proto__":{"polluted":true},'),
  (text) => text.replace(/"(\w+)":/, '"$1":0,"$1":'),
  (text) => text.slice(0, Math.floor(text.length / 2)),
  (text) => `\uFEFF${text}`,
  (text) => text.replace(/:\d+/, ':1e999'),
  () => '['.repeat(10_000),
  () => `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
  () => '',
  (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0x00])]),
];
const contentTypes = fc.oneof(
  { weight: 30, arbitrary: fc.constant('application/json') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        'Application/JSON; charset=UTF-8',
        'application/json; charset=utf-16',
        'application/json;;',
        'text/plain',
        '',
      ],
      ...[
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/cloudevents+json',
        '*/*',
      ],
    ),
  },
);

function inputSchemaOf(schema: z.ZodType | undefined): Schema {
  return schema === undefined ? {} : (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema);
}

function queryText(query: Record<string, Json>, twist: number): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    // A lone surrogate has no spelling in an address.
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'))}`;
    if (twist === 0) return [pair, pair];
    return [twist === 1 ? pair.replace('=', '[]=') : pair];
  });
  if (twist === 2) pairs.push('%ff=%zz&=&&limit=%00');
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/**
 * Requests of one row. `ids` are those of things that are there, so that some of what fits does something; `tenant` is the
 * caller's.
 */
export function requestsOf(id: RouteId, known: { tenant: string; ids: readonly string[] }): fc.Arbitrary<FuzzRequest> {
  const route: Route = routeTable[id];
  const ids = fc.oneof(fc.constantFrom(...known.ids), fc.uuid());
  const inSafeText = fc.constantFrom(
    'x',
    '..%2f..',
    '%00',
    '%E2%80%AE',
    '0',
    'a'.repeat(3_000),
    '%ff',
    ...oddIds.map(encodeURIComponent),
  );
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = fc.tuple(
    ...names.map((name) =>
      name === 'tenant'
        ? fc.oneof({ weight: 40, arbitrary: fc.constant(known.tenant) }, inSafeText)
        : fc.oneof({ weight: 12, arbitrary: ids }, inSafeText),
    ),
  );
  const spoil = fc.oneof({ weight: 1, arbitrary: fc.constant(-1) }, { weight: 1, arbitrary: fc.nat(10_000) });
  const raw = route.body === 'raw';
  const body =
    raw || route.body === undefined ? fc.constant(undefined) : fitting(inputSchemaOf(route.body as z.ZodType), ids);
  const query = fitting({ type: 'object', ...inputSchemaOf(route.query) }, ids) as fc.Arbitrary<Record<string, Json>>;
  return fc
    .record({
      ...{ params, query, body, odd, spoil, contentType: contentTypes },
      textSpoiler: fc.oneof({ weight: 20, arbitrary: fc.constant(0) }, fc.nat(textSpoilers.length - 1)),
      twist: fc.nat(12),
      confirms: fc.boolean(),
    })
    .map((parts) => {
      const values = [...parts.params];
      const path = route.path.replace(/\{\w+\}/g, () => String(values.shift()));
      const asked = parts.twist === 3 ? (spoiled(parts.query, parts.spoil + 1, parts.odd) ?? {}) : parts.query;
      const url = `${path}${queryText(typeof asked === 'object' ? (asked as Record<string, Json>) : { limit: asked }, parts.twist)}`;
      const headers: Record<string, string> = parts.confirms ? { 'x-air-confirm': 'true' } : {};
      const sent = { route, url, params: names.map((name, at) => [name, parts.params[at] ?? ''] as const) };
      const isPlain = parts.params.every((param) => isReadable(param)) && isOwnTenant(sent.params, known.tenant);
      if (route.method === 'GET') {
        return { id, method: route.method, url, headers, isRefused: misfitsAddress(sent), isPlain };
      }
      headers['content-type'] = parts.contentType;
      const value = parts.spoil < 0 ? (parts.body ?? null) : spoiled(parts.body ?? {}, parts.spoil, parts.odd);
      const payload = (textSpoilers[parts.textSpoiler] ?? String)(JSON.stringify(value));
      const isSaidJson = parts.contentType === 'application/json';
      // Of a body nobody reads no more than an empty one has room in is taken.
      const isJson = isSaidJson && parts.textSpoiler === 0 && (route.body !== undefined || payload.length < 1_000);
      return {
        ...{ id, method: route.method, url, headers, payload },
        isRefused: misfitsAddress(sent) || (!raw && isJson && misfitsBody(route, String(payload))),
        isPlain: isPlain && (raw ? isSaidJson : isJson),
      };
    });
}

/** Whether the router hands it on: it knows no longer ones, and none that are no UTF-8. */
function isReadable(param: string): boolean {
  return param.length <= 100 && param !== '%ff';
}

function isOwnTenant(params: Sent['params'], tenant: string): boolean {
  return params.every(([name, value]) => name !== 'tenant' || value === tenant);
}

type Sent = { route: Route; url: string; params: readonly (readonly [name: string, value: string])[] };

function misfitsAddress({ route, url, params }: Sent): boolean {
  const read = params
    .filter(([, value]) => isReadable(value))
    .map(([name, value]) => [name, decodeURIComponent(value)]);
  if (read.length === params.length && refuses(route.params, Object.fromEntries(read))) return true;
  const query = parseQuery(url.split('?')[1] ?? '');
  // What is empty counts as not there where it need not be.
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  return refuses(route.query, query) && refuses(route.query, given);
}

function misfitsBody({ body }: Route, text: string): boolean {
  try {
    const value = parseStrictJson(text) ?? {};
    return body === undefined ? Object.keys(value).length > 0 : refuses(body as z.ZodType, value);
  } catch {
    return true;
  }
}

function refuses(schema: z.ZodType | undefined, value: unknown): boolean {
  return schema?.safeParse(JSON.parse(storableJson(value))).success === false;
}
