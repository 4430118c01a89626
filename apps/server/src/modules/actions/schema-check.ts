import type { JsonObject } from '@airdeck/contracts/fields';
import type { PlainValues, Told } from '@airdeck/contracts/filled-text';
import { type ValueReason, valueTexts } from '@airdeck/contracts/value-texts';
import { linearPattern } from '@airdeck/expression/linear-pattern';
import { Ajv2020, type CodeOptions, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { notAmong, typeProblem, type ValueFound } from '../../http/value-problems.ts';
import { requireOwnWords } from './schema-code.ts';

export type SchemaProblem = Told & { readonly path: string; readonly values?: PlainValues | undefined };

/** Every problem of a value; empty when it fits. */
export type SchemaCheck = (value: unknown) => SchemaProblem[];

/**
 * Compiles a JSON Schema (2020-12) once. Paths begin with `root`, where it is not empty. References are never fetched. To a
 * schema that does not compile no value fits, which is told like any other problem of it: whatever checks a value by a stored
 * schema, from a list to the opening of a case, must not fail by it.
 */
export function compileSchemaCheck(schema: JsonObject, root: string): SchemaCheck {
  return checkWith(compileSchema, schema, root);
}

/**
 * The same for a schema that users write: its patterns run on the linear engine, and those that engine lacks do not compile. Every
 * start of a run needs one, and compiling takes some two hundred times what checking does: the last ones are kept.
 */
export function compileUserSchemaCheck(schema: JsonObject, root: string): SchemaCheck {
  const text = JSON.stringify([root, schema]);
  const check = userChecks.get(text) ?? checkWith(compileUserSchema, schema, root);
  if (text.length > KEPT_TEXT_MAX) return check;
  // Last again, so that what is used stays.
  forget(text);
  userChecks.set(text, check);
  keptText += text.length;
  while (userChecks.size > KEPT_CHECKS_MAX || keptText > KEPT_TEXTS_MAX) forget(userChecks.keys().next().value ?? '');
  return check;
}

function forget(text: string): void {
  if (userChecks.delete(text)) keptText -= text.length;
}

/** By all there is to say of them, so that none is ever out of date, and whose playbook it is makes no difference. */
const userChecks = new Map<string, SchemaCheck>();
const KEPT_CHECKS_MAX = 200;
/** Characters, of one and of all: what is compiled takes some thirty times that in memory. Inputs have fewer (`inputs-schema.ts`). */
const KEPT_TEXT_MAX = 60_000;
const KEPT_TEXTS_MAX = 1_000_000;
let keptText = 0;

/** For who looks at the errors themselves. Throws where the schema does not compile. */
export function compileSchema(schema: JsonObject): ValidateFunction {
  return compileWith({}, schema);
}

export function compileUserSchema(schema: JsonObject): ValidateFunction {
  return compileWith({ regExp }, schema);
}

const options: Options = { allErrors: true, strict: false, validateFormats: false };
/** Checks that schemas are schemas. It keeps none, and compiling the schema of schemas is most of the work. */
const schemaOfSchemas = new Ajv2020(options);

/** An instance for each: ajv keeps every schema it has compiled for as long as the instance lives. */
function compileWith(code: Pick<CodeOptions, 'regExp'>, schema: JsonObject): ValidateFunction {
  if (schemaOfSchemas.validateSchema(schema) !== true) {
    throw new Error(`schema is invalid: ${schemaOfSchemas.errorsText()}`);
  }
  const ajv = new Ajv2020({
    ...options,
    meta: false,
    validateSchema: false,
    // It would write the source it could not compile to the log.
    logger: false,
    code: { ...code, process: requireOwnWords },
  });
  // Ajv keeps count of what was looked at for these keywords only, and the code for that fails in some schemas that fit.
  if (!/"unevaluated(?:Properties|Items)"/.test(JSON.stringify(schema))) ajv.opts.unevaluated = false;
  return ajv.compile(schema);
}

/** `code` would be its source in a generated file; there is none. */
const regExp = Object.assign(linearPattern, { code: 'linearPattern' });

function checkWith(compile: (schema: JsonObject) => ValidateFunction, schema: JsonObject, root: string): SchemaCheck {
  const validate = compiledIfSound(compile, schema);
  if (validate === undefined) return () => [uncheckable(root)];
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map((error) => schemaProblem(error, root)));
}

export function compiledIfSound(
  compile: (schema: JsonObject) => ValidateFunction,
  schema: JsonObject,
): ValidateFunction | undefined {
  try {
    return compile(schema);
  } catch {
    return undefined;
  }
}

/** Of any value, by a schema that does not compile. */
export function uncheckable(path: string): SchemaProblem {
  return { path, message: valueTexts.VALUE_UNCHECKABLE, reason: 'VALUE_UNCHECKABLE', values: {} };
}

export function schemaProblem(error: ErrorObject, root: string): SchemaProblem {
  return { path: pathOf(error, root), message: text(error), ...foundIn(error) };
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

/** The same by its reason, for other languages. */
function foundIn({ keyword, params }: ErrorObject): ValueFound {
  const limit = Number(params.limit);
  switch (keyword) {
    case 'required':
      return { reason: 'VALUE_MISSING', values: {} };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return { reason: 'VALUE_UNKNOWN', values: {} };
    case 'type':
      return typeProblem(String(params.type));
    case 'enum':
      return notAmong((params.allowedValues as unknown[]).map(String));
    case 'const':
      return notAmong([String(params.allowedValue)]);
    case 'multipleOf':
      return { reason: 'NUMBER_NOT_MULTIPLE', values: { step: Number(params.multipleOf) } };
    default: {
      const [reason, value] = limits[keyword] ?? [];
      return reason === undefined || value === undefined
        ? { reason: plain[keyword] ?? 'VALUE_INVALID', values: {} }
        : { reason, values: { [value]: limit } };
    }
  }
}

const limits: Readonly<Record<string, readonly [ValueReason, 'minimum' | 'maximum']>> = {
  minLength: ['TEXT_TOO_SHORT', 'minimum'],
  maxLength: ['TEXT_TOO_LONG', 'maximum'],
  minimum: ['NUMBER_TOO_SMALL', 'minimum'],
  maximum: ['NUMBER_TOO_LARGE', 'maximum'],
  exclusiveMinimum: ['NUMBER_NOT_ABOVE', 'minimum'],
  exclusiveMaximum: ['NUMBER_NOT_BELOW', 'maximum'],
  minItems: ['LIST_TOO_SHORT', 'minimum'],
  maxItems: ['LIST_TOO_LONG', 'maximum'],
  minProperties: ['FIELDS_TOO_FEW', 'minimum'],
  maxProperties: ['FIELDS_TOO_MANY', 'maximum'],
};

const plain: Readonly<Record<string, ValueReason>> = { pattern: 'TEXT_FORM', uniqueItems: 'LIST_NOT_UNIQUE' };
