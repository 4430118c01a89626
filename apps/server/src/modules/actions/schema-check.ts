import type { JsonObject } from '@airdeck/contracts/fields';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

export type SchemaProblem = { path: string; message: string };

/** Every problem of a value; empty when it fits. */
export type SchemaCheck = (value: unknown) => SchemaProblem[];

/**
 * Compiles a JSON Schema (2020-12) once. Paths begin with `root`. References are never fetched: a schema that needs
 * another one does not compile, which throws.
 */
export function compileSchemaCheck(schema: JsonObject, root: string): SchemaCheck {
  // An instance of its own: ajv keeps every schema it has compiled for as long as the instance lives.
  const validate = new Ajv2020({ allErrors: true, strict: false, validateFormats: false }).compile(schema);
  return (value) =>
    validate(value)
      ? []
      : (validate.errors ?? []).map((error) => ({ path: pathOf(error, root), message: text(error) }));
}

/** Names the property that is missing or too much, not only the object it belongs to. */
function pathOf({ instancePath, params }: ErrorObject, root: string): string {
  const property: unknown = params.missingProperty ?? params.additionalProperty;
  const segments = instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  return [root, ...segments, ...(typeof property === 'string' ? [property] : [])].join('.');
}

function text({ keyword, message }: ErrorObject): string {
  if (keyword === 'required') return 'is missing';
  if (keyword === 'additionalProperties') return 'is not known here';
  return message ?? 'does not fit';
}
