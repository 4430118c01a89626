import type { JsonObject } from '@airdeck/contracts/fields';
import { linearPattern } from '@airdeck/expression/linear-pattern';
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';

export type SchemaProblem = { path: string; message: string };

/** Every problem of a value; empty when it fits. */
export type SchemaCheck = (value: unknown) => SchemaProblem[];

/**
 * Compiles a JSON Schema (2020-12) once. Paths begin with `root`, where it is not empty. References are never fetched: a
 * schema that needs another one does not compile, which throws.
 */
export function compileSchemaCheck(schema: JsonObject, root: string): SchemaCheck {
  return checkWith(compileSchema(schema), root);
}

/** The same for a schema that users write: its patterns run on the linear engine, and those that engine lacks throw. */
export function compileUserSchemaCheck(schema: JsonObject, root: string): SchemaCheck {
  return checkWith(compileUserSchema(schema), root);
}

/** For who looks at the errors themselves. */
export function compileSchema(schema: JsonObject): ValidateFunction {
  return compileWith({}, schema);
}

export function compileUserSchema(schema: JsonObject): ValidateFunction {
  return compileWith({ code: { regExp } }, schema);
}

const options: Options = { allErrors: true, strict: false, validateFormats: false };
/** Checks that schemas are schemas. It keeps none, and compiling the schema of schemas is most of the work. */
const schemaOfSchemas = new Ajv2020(options);

/** An instance for each: ajv keeps every schema it has compiled for as long as the instance lives. */
function compileWith(more: Options, schema: JsonObject): ValidateFunction {
  if (schemaOfSchemas.validateSchema(schema) !== true) {
    throw new Error(`schema is invalid: ${schemaOfSchemas.errorsText()}`);
  }
  return new Ajv2020({ ...options, ...more, meta: false, validateSchema: false }).compile(schema);
}

/** `code` would be its source in a generated file; there is none. */
const regExp = Object.assign(linearPattern, { code: 'linearPattern' });

function checkWith(validate: ValidateFunction, root: string): SchemaCheck {
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map((error) => schemaProblem(error, root)));
}

export function schemaProblem(error: ErrorObject, root: string): SchemaProblem {
  return { path: pathOf(error, root), message: text(error) };
}

/** Names the property that is missing or too much, not only the object it belongs to. */
function pathOf({ instancePath, params }: ErrorObject, root: string): string {
  const property: unknown = params.missingProperty ?? params.additionalProperty;
  const segments = instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  return [...(root === '' ? [] : [root]), ...segments, ...(typeof property === 'string' ? [property] : [])].join('.');
}

function text({ keyword, message }: ErrorObject): string {
  if (keyword === 'required') return 'is missing';
  if (keyword === 'additionalProperties') return 'is not known here';
  return message ?? 'does not fit';
}
