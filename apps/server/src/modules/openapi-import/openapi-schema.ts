import { isCount } from '@airdeck/connector-kit/json-schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject } from '@airdeck/contracts/json-object';
import type { OpenapiDocument } from './openapi-document.ts';
import { textAt } from './openapi-document.ts';
import { resolved } from './openapi-reference.ts';

/** Nodes one schema may have after resolving; what is beyond is left open. */
const MAX_NODES = 400;
const MAX_DEPTH = 8;

const types: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
/** Copied when they have the form the keyword wants. */
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems'] as const;
const numbers = ['minimum', 'maximum'] as const;

/**
 * A schema of the document in the subset our forms and checks use: references resolved, circles cut, `allOf` merged. What
 * the subset cannot say is left open, never guessed: `oneOf` and `anyOf` take any value. Patterns are left out: a regular
 * expression of a stranger does not run on the host's backtracking engine.
 */
export function convertSchema(document: OpenapiDocument, schema: unknown, without: Omitted = {}): JsonObject {
  return convert(schema, { document, without, budget: { left: MAX_NODES }, path: [] });
}

/** What a schema may say that does not hold where it is used. */
type Omitted = {
  /** Properties marked `readOnly`, and that they are required: both are meant for answers only. */
  readonly readOnly?: boolean;
  readonly defaults?: boolean;
};

type Walk = {
  readonly document: OpenapiDocument;
  readonly without: Omitted;
  readonly budget: { left: number };
  readonly path: readonly JsonObject[];
};

function convert(node: unknown, walk: Walk): JsonObject {
  return converted(opened(node, walk));
}

type Opened = { readonly merged: JsonObject; readonly inside: Walk };

/** Undefined for what is cut and stays open. */
function opened(node: unknown, walk: Walk): Opened | undefined {
  const schema = resolved(walk.document, node);
  walk.budget.left -= 1;
  const isCut = walk.budget.left < 0 || walk.path.length >= MAX_DEPTH;
  if (schema === undefined || isCut || walk.path.includes(schema)) return undefined;
  const inside: Walk = { ...walk, path: [...walk.path, schema] };
  return { merged: mergedParts(schema, inside), inside };
}

function converted(found: Opened | undefined): JsonObject {
  if (found === undefined) return {};
  const { merged, inside } = found;
  return {
    ...typeOf(merged),
    ...words(merged),
    ...limits(merged, inside.without),
    ...(isJsonObject(merged.properties) ? objectParts(merged, inside) : {}),
    ...(merged.items === undefined ? {} : { items: convert(merged.items, inside) }),
  };
}

/** The schema with the properties of its `allOf` parts; its own keywords win. */
function mergedParts(schema: JsonObject, walk: Walk): JsonObject {
  if (!Array.isArray(schema.allOf)) return schema;
  const parts = schema.allOf.slice(0, 20).flatMap((part): JsonObject[] => {
    const found = resolved(walk.document, part);
    return found === undefined || walk.path.includes(found)
      ? []
      : [mergedParts(found, { ...walk, path: [...walk.path, found] })];
  });
  const all = [...parts, schema];
  const properties = Object.fromEntries(
    all.flatMap((part) => Object.entries(isJsonObject(part.properties) ? part.properties : {})),
  );
  const required = all.flatMap((part) => (Array.isArray(part.required) ? part.required : []));
  const hasProperties = Object.keys(properties).length > 0;
  return {
    ...Object.assign({}, ...parts),
    ...schema,
    ...(hasProperties ? { type: 'object', properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

function typeOf(schema: JsonObject): JsonObject {
  const stated = [schema.type].flat().filter((type): type is string => types.has(type));
  const implied = stated.length === 0 && isJsonObject(schema.properties) ? ['object'] : stated;
  const all = schema.nullable === true && implied.length > 0 ? [...new Set([...implied, 'null'])] : implied;
  if (all.length === 0) return {};
  return { type: all.length === 1 ? all[0] : all };
}

function words(schema: JsonObject): JsonObject {
  const title = textAt(schema, 'title', 100);
  const description = textAt(schema, 'description', 300);
  const format = textAt(schema, 'format', 50);
  return {
    ...(title === '' ? {} : { title }),
    ...(description === '' ? {} : { description }),
    ...(format === '' ? {} : { format }),
  };
}

function limits(schema: JsonObject, without: Omitted): JsonObject {
  const given: [string, unknown][] = [
    ...counts.map((keyword): [string, unknown] => [keyword, isCount(schema[keyword]) ? schema[keyword] : undefined]),
    ...numbers.map((keyword): [string, unknown] => [keyword, isNumber(schema[keyword]) ? schema[keyword] : undefined]),
    ['enum', enumOf(schema)],
    ['default', without.defaults !== true && isScalar(schema.default) ? (schema.default ?? undefined) : undefined],
  ];
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** A nullable enumeration must name null, or null would be refused. */
function enumOf({ enum: values, nullable }: JsonObject): unknown[] | undefined {
  if (!Array.isArray(values) || values.length === 0 || values.length > 500 || !values.every(isScalar)) return undefined;
  return nullable === true && !values.includes(null) ? [...values, null] : values;
}

function objectParts(schema: JsonObject, walk: Walk): JsonObject {
  const entries = Object.entries(schema.properties as JsonObject).slice(0, 200);
  const properties = Object.fromEntries(
    entries.flatMap(([name, property]): [string, JsonObject][] => {
      const found = opened(property, walk);
      return walk.without.readOnly === true && isReadOnly(property, found) ? [] : [[name, converted(found)]];
    }),
  );
  const stated = Array.isArray(schema.required) ? schema.required : [];
  const required = [...new Set(stated)].filter((name) => typeof name === 'string' && Object.hasOwn(properties, name));
  return { properties, ...(required.length > 0 ? { required } : {}) };
}

/** Beside a `$ref` the word counts since OpenAPI 3.1, and nobody ever wrote it there to mean nothing. */
function isReadOnly(property: unknown, found: Opened | undefined): boolean {
  return found?.merged.readOnly === true || (isJsonObject(property) && property.readOnly === true);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function isScalar(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'boolean' ||
    isNumber(value) ||
    (typeof value === 'string' && value.length <= 1000)
  );
}
