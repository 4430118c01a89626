import type { Route } from '@airdeck/contracts/route';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import { z } from 'zod';

/**
 * What a route can answer or be asked, by place (`items[].status`): what may stand there, with bars between. `text`, `number`,
 * `boolean`, `list`, `object`, `null`, `nothing` where it may be left out, or the values of a closed list, as JSON.
 */
export type Facts = Readonly<Record<string, string>>;

type Schema = { readonly [key: string]: unknown };
type Places = Map<string, Set<string>>;

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Of every route that answers with JSON. */
export function factsOfAnswers(): Record<string, Facts> {
  const facts: Record<string, Facts> = {};
  for (const id of Object.keys(routeTable).sort() as RouteId[]) {
    const { response }: Route = routeTable[id];
    if (typeof response !== 'string') facts[id] = factsOf(response);
  }
  return facts;
}

/** Of every route that takes a query or JSON: `query` and `body`. */
export function factsOfRequests(): Record<string, Facts> {
  const facts: Record<string, Facts> = {};
  for (const id of Object.keys(routeTable).sort() as RouteId[]) {
    const { query, body }: Route = routeTable[id];
    const taken = { ...(query && { query }), ...(typeof body === 'object' && { body }) };
    if (Object.keys(taken).length > 0) facts[id] = factsOf(z.object(taken), 'input');
  }
  return facts;
}

export function factsOf(schema: z.ZodType, io: 'input' | 'output' = 'output'): Facts {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema;
  const places: Places = new Map();
  note(root, '', { root, places, within: [] });
  const sorted = [...places].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([at, found]) => [at, [...found].sort().join(' | ')]));
}

type Walk = { readonly root: Schema; readonly places: Places; readonly within: readonly string[] };

function note(schema: Schema, at: string, walk: Walk): void {
  const { $ref } = schema;
  if (typeof $ref === 'string') {
    // What contains itself says the same again below.
    if (!walk.within.includes($ref)) note(target($ref, walk.root), at, { ...walk, within: [...walk.within, $ref] });
    return;
  }
  const variants = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  if (variants !== undefined) {
    noteVariants(variants, at, walk);
    return;
  }
  const found = walk.places.get(at) ?? new Set();
  walk.places.set(at, found);
  if (schema.const !== undefined) found.add(JSON.stringify(schema.const));
  else if (Array.isArray(schema.enum)) for (const value of schema.enum) found.add(JSON.stringify(value));
  else if (schema.type === 'array') {
    found.add('list');
    for (const item of [schema.items, ...((schema.prefixItems as Schema[] | undefined) ?? [])]) {
      if (isSchema(item)) note(item, `${at}[]`, walk);
    }
  } else if (schema.type === 'object') {
    found.add('object');
    noteObject(schema, at, walk);
  } else for (const type of [schema.type].flat()) found.add(kinds[String(type)] ?? 'anything');
}

function noteObject(schema: Schema, at: string, walk: Walk): void {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  for (const [name, property] of Object.entries((schema.properties as Record<string, Schema> | undefined) ?? {})) {
    const place = at === '' ? name : `${at}.${name}`;
    note(property, place, walk);
    if (!required.has(name)) walk.places.get(place)?.add('nothing');
  }
  if (isSchema(schema.additionalProperties)) note(schema.additionalProperties, `${at}.*`, walk);
}

/** Together they allow what any of them allows; a field that one object of them lacks may be missing. */
function noteVariants(variants: readonly Schema[], at: string, walk: Walk): void {
  const each = variants.map((variant) => {
    const places: Places = new Map();
    note(variant, at, { ...walk, places });
    return places;
  });
  const objects = each.filter((places) => places.get(at)?.has('object'));
  for (const places of each) {
    for (const [place, found] of places) {
      const all = walk.places.get(place) ?? new Set();
      for (const value of found) all.add(value);
      if (
        place !== at &&
        objects.includes(places) &&
        isFieldOf(place, at) &&
        objects.some((other) => !other.has(place))
      ) {
        all.add('nothing');
      }
      walk.places.set(place, all);
    }
  }
}

function isFieldOf(place: string, at: string): boolean {
  const field = at === '' ? place : place.slice(at.length + 1);
  return !/[.[]/.test(field);
}

function target($ref: string, root: Schema): Schema {
  if ($ref === '#') return root;
  const name = $ref.slice('#/$defs/'.length);
  const found = (root.$defs as Record<string, Schema> | undefined)?.[name];
  if (found === undefined) throw new Error(`No schema ${$ref}.`);
  return found;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}
