import type { HttpActionSpec } from '@airdeck/connector-kit/http-action';
import { httpActionProblems } from '@airdeck/connector-kit/http-action-check';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Expressions } from '@airdeck/expression';
import { createExpressions } from '@airdeck/expression';
import type { OpenapiDocument } from './openapi-document.ts';
import { isObject, leadAt, objectAt, objectsAt, textAt } from './openapi-document.ts';
import { OpenapiError } from './openapi-error.ts';
import type { Operation } from './openapi-operations.ts';
import { effects, nameOf, operationsOf } from './openapi-operations.ts';
import { resolved } from './openapi-reference.ts';
import { planRequest } from './openapi-request.ts';
import { convertSchema } from './openapi-schema.ts';
import type { CredentialPlan } from './openapi-security.ts';
import { planCredentials } from './openapi-security.ts';

/** A tenant-private integration as data: everything in it is JSON and can be stored. */
export type OpenapiIntegration = {
  /** Title of the document. */
  readonly name: string;
  readonly description: string;
  /** The document's own version. */
  readonly api_version: string;
  /** Where the document says that the API is, to begin the form with; null when it does not. */
  readonly base_url: string | null;
  readonly credentials: CredentialPlan;
  readonly actions: readonly HttpActionSpec[];
};

export const MAX_CHOSEN = 100;
const MAX_SERVERS = 20;

/** Methods that RFC 9110 calls idempotent. */
const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

/** Actions and credentials of the chosen operations. Throws `OpenapiError` when one is unknown or cannot be imported. */
export function makeIntegration(document: OpenapiDocument, chosen: readonly string[]): OpenapiIntegration {
  const wanted = new Set(chosen);
  if (wanted.size === 0 || wanted.size > MAX_CHOSEN) {
    throw new OpenapiError('OPERATION_UNKNOWN', `Choose between 1 and ${MAX_CHOSEN} operations.`);
  }
  const operations = operationsOf(document).filter(({ key }) => wanted.delete(key));
  const [missing] = wanted;
  if (missing !== undefined) {
    throw new OpenapiError('OPERATION_UNKNOWN', `The document has no operation "${missing.slice(0, 200)}".`);
  }
  const info = objectAt(document.root, 'info');
  const verbs = new Set<string>();
  const expressions = createExpressions();
  return {
    name: textAt(info, 'title', 80) || 'Imported API',
    description: leadAt(info, 'description', 300) || 'Imported from a description in OpenAPI.',
    api_version: textAt(info, 'version', 40),
    base_url: baseUrlOf(document),
    credentials: planCredentials(document, operations),
    actions: operations.map((operation) => checked(actionOf(document, operation, verbs), expressions)),
  };
}

/** What the request's plan let through and the check of actions does not is the document's fault all the same. */
function checked(spec: HttpActionSpec, expressions: Expressions): HttpActionSpec {
  const [problem] = httpActionProblems(spec, expressions);
  if (problem === undefined) return spec;
  throw new OpenapiError(
    'OPERATION_UNSUPPORTED',
    `The operation "${spec.friendly_name}" cannot be imported (${problem}).`,
  );
}

function actionOf(document: OpenapiDocument, operation: Operation, verbs: Set<string>): HttpActionSpec {
  const { request, properties, required } = planRequest(document, operation);
  const { schema, isText } = answerOf(document, operation);
  return {
    verb: verbOf(operation, verbs),
    friendly_name: nameOf(operation),
    description: textAt(operation.node, 'description', 500) || nameOf(operation),
    input_schema: {
      type: 'object',
      additionalProperties: false,
      properties,
      ...(required.length > 0 ? { required } : {}),
    },
    output_schema: {
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'integer' }, ...(isText ? { text: { type: 'string' } } : { body: schema }) },
    },
    effect: effects[operation.method],
    idempotent: idempotentMethods.has(operation.method),
    request: { ...request, ...(isText ? { answers: 'text' as const } : {}) },
    output: { status: '{{ status }}', ...(isText ? { text: '{{ text }}' } : { body: '{{ body }}' }) },
  };
}

/** The first success the document describes; text where it names types and none of them is JSON. */
function answerOf(document: OpenapiDocument, { node }: Operation): { schema: JsonObject; isText: boolean } {
  const responses = objectAt(node, 'responses');
  const status = Object.keys(responses).find((one) => /^2(?:\d\d|XX)$/i.test(one)) ?? 'default';
  const answer = resolved(document, Object.hasOwn(responses, status) ? responses[status] : undefined) ?? {};
  if (document.version === '2.0') return { schema: open(convertSchema(document, answer.schema)), isText: false };
  const contents = Object.entries(objectAt(answer, 'content'));
  const json = contents.find(([type]) => /json|\*\/\*/i.test(type))?.[1];
  if (contents.length > 0 && json === undefined) return { schema: {}, isText: true };
  return { schema: open(convertSchema(document, isObject(json) ? json.schema : undefined)), isText: false };
}

/** Answers often lack what their description promises, and hold null: nothing is required of them. */
function open(schema: JsonObject): JsonObject {
  const { required: _required, enum: _enum, ...rest } = schema;
  return Object.fromEntries(
    Object.entries(rest).map(([keyword, value]): [string, unknown] => {
      if (keyword === 'type') return ['type', [...new Set([value, 'null'].flat())]];
      if (keyword === 'properties' && isObject(value)) {
        return [
          'properties',
          Object.fromEntries(Object.entries(value).map(([name, one]) => [name, open(one as JsonObject)])),
        ];
      }
      return [keyword, keyword === 'items' && isObject(value) ? open(value) : value];
    }),
  );
}

function verbOf({ node, key }: Operation, taken: Set<string>): string {
  const source = textAt(node, 'operationId', 200) || key;
  const plain = source
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');
  const trimmed =
    plain
      .replace(/^[^a-z]+|_+$/g, '')
      .slice(0, 56)
      .replace(/_+$/, '') || 'call';
  let verb = trimmed;
  for (let count = 2; taken.has(verb); count += 1) verb = `${trimmed}_${count}`;
  taken.add(verb);
  return verb;
}

/** The first server, where it names an address: not a relative one, not one with parts to fill in. */
export function baseUrlOf(document: OpenapiDocument): string | null {
  return plainAddress(document.version === '2.0' ? swaggerAddress(document.root) : serverAddress(document.root));
}

/** An address that can stand before a path, without slashes at its end; null for every other text. */
export function plainAddress(text: string): string | null {
  if (!URL.canParse(text) || /[{}]/.test(text)) return null;
  const url = new URL(text);
  const isPlain = ['https:', 'http:'].includes(url.protocol) && url.username === '' && url.password === '';
  return isPlain && url.search === '' && url.hash === '' ? url.href.replace(/\/+$/, '') : null;
}

/** Addresses as the document writes them, for people to look at. */
export function serversOf({ root, version }: OpenapiDocument): string[] {
  if (version === '2.0') return [swaggerAddress(root)].filter((text) => text !== '');
  const texts = objectsAt(root, 'servers')
    .slice(0, MAX_SERVERS)
    .map((server) => textAt(server, 'url', 500));
  return texts.filter((text) => text !== '');
}

function serverAddress(root: JsonObject): string {
  const [server] = objectsAt(root, 'servers');
  if (server === undefined) return '';
  const variables = objectAt(server, 'variables');
  return textAt(server, 'url', 500).replace(/\{([^{}]+)\}/g, (braces, name: string) => {
    const variable = objectAt(variables, name);
    // One of a list is an address of the service; a free one is an example, and credentials must not go to an example.
    return Array.isArray(variable.enum) ? textAt(variable, 'default', 200) || braces : braces;
  });
}

function swaggerAddress(root: JsonObject): string {
  const schemes = Array.isArray(root.schemes) ? root.schemes : [];
  const scheme = schemes.includes('http') && !schemes.includes('https') ? 'http' : 'https';
  const host = textAt(root, 'host', 300);
  return host === '' ? '' : `${scheme}://${host}${textAt(root, 'basePath', 300)}`;
}
