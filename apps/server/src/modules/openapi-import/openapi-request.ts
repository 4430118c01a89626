import type { HttpRequestTemplate } from '@airdeck/connector-kit/http-action-request';
import { isSettableHeader } from '@airdeck/connector-kit/settable-header';
import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { isElsewhere } from './openapi-address.ts';
import type { OpenapiDocument } from './openapi-document.ts';
import { objectAt, textAt } from './openapi-document.ts';
import { OpenapiError } from './openapi-error.ts';
import type { Operation } from './openapi-operations.ts';
import { resolved } from './openapi-reference.ts';
import { convertSchema } from './openapi-schema.ts';
import type { SecurityScheme } from './openapi-security.ts';
import { securitySchemes } from './openapi-security.ts';

/** How the input of an action becomes a request. */
export type RequestPlan = {
  readonly request: HttpRequestTemplate;
  readonly properties: JsonObject;
  readonly required: readonly string[];
};

type Part = { readonly name: string; readonly schema: JsonObject; readonly isRequired: boolean };

/** Characters of a path that need no encoding; braces stand for parameters. */
const PATH = /^\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2}|\{[^{}/]{1,100}\})*$/;
const INPUT_NAME = /^[\p{L}\p{N}_.$:@[\]-]{1,100}$/u;
const ANY_TYPE = '*/*';
const CREDENTIAL_NAME = /^(?:token|access[_-]?token|api[_-]?key)$/i;

/** Null when the operation can be imported, else a sentence why not. */
export function unsupportedReason(document: OpenapiDocument, operation: Operation): string | null {
  try {
    planRequest(document, operation);
    return null;
  } catch (error) {
    if (error instanceof OpenapiError) return error.message;
    throw error;
  }
}

/** Throws `OPERATION_UNSUPPORTED` for what an action made of data cannot send. */
export function planRequest(document: OpenapiDocument, operation: Operation): RequestPlan {
  const { path, method } = operation;
  if (!PATH.test(path) || path.length > 500) throw unsupported('Its path has parts that are not plain.');
  if (isElsewhere(document, operation)) throw unsupported('It has an address of its own.');
  const schemes = securitySchemes(document);
  const usable = operation.parameters.filter((parameter) => !isCredential(schemes, parameter));
  const at = (place: string) => usable.filter((parameter) => parameter.in === place);
  if (at('cookie').some((parameter) => parameter.required === true)) throw unsupported('It needs a cookie.');
  const inPath = at('path').map((parameter) => ({ ...partOf(document, parameter), isRequired: true }));
  const inQuery = at('query').map((parameter) => partOf(document, parameter));
  const inHeader = at('header').flatMap((parameter) => headerPart(document, parameter));
  const body = method === 'GET' ? noBody : planBody(document, operation, [...inPath, ...inQuery, ...inHeader]);
  const parts = [...inPath, ...inQuery, ...inHeader, ...body.parts];
  checkNames(parts, path, inPath);
  const headers = { ...templatesOf(inHeader), ...body.headers };
  return {
    request: {
      method,
      path: path.replace(/\{([^{}/]+)\}/g, (_braces, name: string) => templateOf(name)),
      ...(inQuery.length === 0 ? {} : { query: templatesOf(inQuery) }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...body.request,
    },
    properties: Object.fromEntries(parts.map(({ name, schema }) => [name, schema])),
    required: parts.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

function checkNames(parts: readonly Part[], path: string, inPath: readonly Part[]): void {
  const names = parts.map(({ name }) => name);
  if (names.some((name) => !INPUT_NAME.test(name))) throw unsupported('One of its parameters has an odd name.');
  if (new Set(names).size < names.length) throw unsupported('Two of its parameters have the same name.');
  const placed = [...path.matchAll(/\{([^{}/]+)\}/g)].map(([, name]) => name);
  if (placed.some((name) => !inPath.some((part) => part.name === name))) {
    throw unsupported('Its path has a parameter that is not described.');
  }
}

/** A parameter that repeats the credential is the connector's to send, never an input that ends up in a run's record. */
function isCredential(schemes: readonly SecurityScheme[], { in: place, name }: JsonObject): boolean {
  if (typeof name !== 'string' || (place !== 'header' && place !== 'query')) return false;
  const isKey = schemes.some((scheme) => scheme.kind === 'key' && scheme.place === place && scheme.name === name);
  return isKey || (schemes.length > 0 && CREDENTIAL_NAME.test(name));
}

function partOf(document: OpenapiDocument, parameter: JsonObject): Part {
  const { name, required, explode, style, collectionFormat } = parameter;
  // Since OpenAPI 3 the schema has its own place; in Swagger 2 the parameter is the schema.
  const converted = convertSchema(document, isJsonObject(parameter.schema) ? parameter.schema : parameter);
  const kinds = [converted.type].flat();
  const isRepeated =
    parameter.in === 'query' &&
    (collectionFormat === 'multi' || (collectionFormat === undefined && document.version !== '2.0'));
  const isJoined = kinds.includes('array') && !(isRepeated && explode !== false && (style ?? 'form') === 'form');
  const description = textAt(parameter, 'description', 300);
  const schema: JsonObject = {
    ...(isJoined || kinds.includes('object') ? { type: 'string' } : converted),
    ...(description === '' ? {} : { description }),
    ...(isJoined ? { description: `${description} Several values are separated by commas.`.trim() } : {}),
  };
  return { name: String(name), schema, isRequired: required === true };
}

/** `Accept`, `Content-Type` and `Authorization` are not parameters by the standard; others we never let an action set. */
function headerPart(document: OpenapiDocument, parameter: JsonObject): Part[] {
  const name = String(parameter.name).toLowerCase();
  if (['accept', 'content-type', 'authorization'].includes(name)) return [];
  if (isSettableHeader(name)) return [partOf(document, parameter)];
  if (parameter.required === true) throw unsupported('It needs a header that an action may not set.');
  return [];
}

type BodyPlan = {
  readonly parts: readonly Part[];
  readonly headers: Readonly<Record<string, string>>;
  /** Definitions are stored: `json` beside `json_inputs` is for the release before, which knows that alone. */
  readonly request: Pick<HttpRequestTemplate, 'json' | 'json_inputs' | 'form' | 'text'>;
};

const noBody: BodyPlan = { parts: [], headers: {}, request: {} };

/** One body, in the first of the forms we can send. */
function planBody(document: OpenapiDocument, operation: Operation, others: readonly Part[]): BodyPlan {
  const { contents, isRequired } = bodyOf(document, operation);
  const types = Object.keys(contents);
  if (types.length === 0) return noBody;
  const json = types.find((type) => /^application\/(?:[\w.+-]+\+)?json\b/i.test(type));
  const form = types.find((type) => type.startsWith('application/x-www-form-urlencoded'));
  const text = types.find((type) => /^(?:text\/[\w.+-]+|application\/(?:[\w.+-]+\+)?xml)\b/i.test(type));
  // A PATCH leaves alone what it does not name: a default that a form fills in would change what nobody meant to.
  const without = { readOnly: true, defaults: operation.method === 'PATCH' };
  const schemaOf = (type: string) => convertSchema(document, contents[type], without);
  if (json !== undefined) return jsonBody({ type: json, schema: schemaOf(json), isRequired, others });
  if (form !== undefined) return formBody({ schema: schemaOf(form), isRequired, others });
  if (text === undefined) throw unsupported('Its body is neither JSON nor a form nor text.');
  const part: Part = { name: 'body', schema: { type: 'string', title: 'Body' }, isRequired };
  return { parts: [part], headers: { 'content-type': text }, request: { text: templateOf('body') } };
}

type Contents = { contents: Readonly<Record<string, unknown>>; isRequired: boolean };

function bodyOf(document: OpenapiDocument, operation: Operation): Contents {
  if (document.version === '2.0') return swaggerBody(document, operation);
  const body = resolved(document, operation.node.requestBody) ?? {};
  const contents = Object.entries(objectAt(body, 'content')).slice(0, 20);
  return {
    contents: Object.fromEntries(
      contents.map(([type, media]) => [type, isJsonObject(media) ? media.schema : undefined]),
    ),
    isRequired: body.required === true,
  };
}

function swaggerBody(document: OpenapiDocument, operation: Operation): Contents {
  const { parameters } = operation;
  const consumes = swaggerTypes(document, operation, 'consumes');
  const body = parameters.find((parameter) => parameter.in === 'body');
  if (body !== undefined) {
    const types = consumes.map((type) => (type === ANY_TYPE ? 'application/json' : type));
    return {
      contents: Object.fromEntries(types.map((type) => [type, body.schema])),
      isRequired: body.required === true,
    };
  }
  const fields = parameters.filter((parameter) => parameter.in === 'formData');
  if (fields.length === 0) return { contents: {}, isRequired: false };
  if (fields.some(({ type }) => type === 'file')) return { contents: { 'multipart/form-data': {} }, isRequired: true };
  // Without a word on it a form is urlencoded; JSON takes the same fields as an object.
  const type =
    consumes.includes('application/x-www-form-urlencoded') || !consumes.includes('application/json')
      ? 'application/x-www-form-urlencoded'
      : 'application/json';
  const properties = Object.fromEntries(fields.map((field) => [String(field.name), withoutRequired(field)]));
  const required = fields.filter((field) => field.required === true).map((field) => String(field.name));
  return { contents: { [type]: { type: 'object', properties, required } }, isRequired: true };
}

/** The operation's media types or, where it names none of its own, the document's; any type where nobody names one. */
export function swaggerTypes(
  { root }: OpenapiDocument,
  { node }: Operation,
  field: 'consumes' | 'produces',
): readonly string[] {
  const stated = [node[field] ?? root[field]].flat().filter((type): type is string => typeof type === 'string');
  return stated.length === 0 ? [ANY_TYPE] : stated.slice(0, 20);
}

export function isJsonType(type: string): boolean {
  return /json/i.test(type);
}

/** In Swagger 2 a parameter's `required` is a flag, which a schema does not have. */
function withoutRequired({ required: _required, ...schema }: JsonObject): JsonObject {
  return schema;
}

type JsonBody = { type: string; schema: JsonObject; isRequired: boolean; others: readonly Part[] };

/** The fields of an object are inputs of their own; anything else is one input. */
function jsonBody({ type, schema, isRequired, others }: JsonBody): BodyPlan {
  const headers: Record<string, string> = type === 'application/json' ? {} : { 'content-type': type };
  const fields = fieldsOf(schema, isRequired);
  const collides = fields.some(({ name }) => !INPUT_NAME.test(name) || others.some((other) => other.name === name));
  if (fields.length > 0 && fields.length <= 60 && !collides) {
    const names = fields.map(({ name }) => name);
    return { parts: fields, headers, request: { json: templatesOf(fields), json_inputs: names } };
  }
  const name = others.some((other) => other.name === 'body') ? 'request_body' : 'body';
  return {
    parts: [{ name, schema: { title: 'Body', ...schema }, isRequired }],
    headers,
    request: { json: templateOf(name), json_inputs: name },
  };
}

function formBody({ schema, isRequired, others }: Omit<JsonBody, 'type'>): BodyPlan {
  const fields = fieldsOf(schema, true).map((field) => ({
    ...field,
    schema: asFormValue(field.schema),
  }));
  if (fields.length === 0 && !isRequired) return noBody;
  if (fields.length === 0) throw unsupported('Its form has no described fields.');
  if (fields.some(({ name }) => others.some((other) => other.name === name))) {
    throw unsupported('Two of its parameters have the same name.');
  }
  return { parts: fields, headers: {}, request: { form: templatesOf(fields) } };
}

/** Lists and objects have no agreed form in a form; the service's description says what it wants as text. */
function asFormValue(schema: JsonObject): JsonObject {
  const kinds = [schema.type].flat();
  if (!kinds.includes('array') && !kinds.includes('object')) return schema;
  return { type: 'string', ...(typeof schema.description === 'string' ? { description: schema.description } : {}) };
}

function fieldsOf(schema: JsonObject, isRequired: boolean): Part[] {
  const required = Array.isArray(schema.required) && isRequired ? schema.required : [];
  return Object.entries(isJsonObject(schema.properties) ? schema.properties : {}).map(([name, property]) => ({
    name,
    schema: property as JsonObject,
    isRequired: required.includes(name),
  }));
}

function templatesOf(parts: readonly Part[]): Record<string, string> {
  return Object.fromEntries(parts.map(({ name }) => [name, templateOf(name)]));
}

/** A JSON text is a CEL text too, so a name can never end the expression it stands in. */
function templateOf(name: string): string {
  return `{{ input[${JSON.stringify(name)}] }}`;
}

/** `GET /pets/{id}`: the operation that a request was planned of. */
export function operationKeyOf({ method = 'GET', path }: Pick<HttpRequestTemplate, 'method' | 'path'>): string {
  const plain = path.replace(/\{\{ input\[("(?:[^"\\]|\\.)*")\] \}\}/g, (_, name: string) => `{${JSON.parse(name)}}`);
  return `${method} ${plain}`;
}

function unsupported(reason: string): OpenapiError {
  return new OpenapiError('OPERATION_UNSUPPORTED', reason);
}
