import type { HttpActionSpec } from '@airdeck/connector-kit/http-action';
import { httpActionProblems } from '@airdeck/connector-kit/http-action-check';
import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject } from '@airdeck/contracts/json-object';
import type { Expressions } from '@airdeck/expression';
import { createExpressions } from '@airdeck/expression';
import { baseUrlOf } from './openapi-address.ts';
import type { OpenapiDocument } from './openapi-document.ts';
import { leadAt, objectAt, textAt } from './openapi-document.ts';
import { OpenapiError } from './openapi-error.ts';
import type { Operation } from './openapi-operations.ts';
import { effects, nameOf, operationsOf } from './openapi-operations.ts';
import { resolved } from './openapi-reference.ts';
import { isJsonType, planRequest, swaggerTypes } from './openapi-request.ts';
import { convertSchema } from './openapi-schema.ts';
import type { CredentialPlan } from './openapi-security.ts';
import { planCredentials } from './openapi-security.ts';
import { type GivenVerb, verbsOf } from './openapi-verbs.ts';

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

/** Methods that RFC 9110 calls idempotent. */
const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

/**
 * Actions and credentials of the chosen operations. Throws `OpenapiError` when one is unknown or cannot be imported.
 *
 * @param given verbs by the imports before, the newest first
 */
export function makeIntegration(
  document: OpenapiDocument,
  chosen: readonly string[],
  given: readonly GivenVerb[] = [],
): OpenapiIntegration {
  const wanted = new Set(chosen);
  if (wanted.size === 0 || wanted.size > MAX_CHOSEN) {
    throw new OpenapiError('OPERATION_UNKNOWN', `Choose between 1 and ${MAX_CHOSEN} operations.`);
  }
  const all = operationsOf(document);
  const operations = all.filter(({ key }) => wanted.delete(key));
  const [missing] = wanted;
  if (missing !== undefined) {
    throw new OpenapiError('OPERATION_UNKNOWN', `The document has no operation "${missing.slice(0, 200)}".`);
  }
  const info = objectAt(document.root, 'info');
  const verbs = verbsOf(operations, all, given);
  const expressions = createExpressions();
  return {
    name: textAt(info, 'title', 80) || 'Imported API',
    description: leadAt(info, 'description', 300) || 'Imported from a description in OpenAPI.',
    api_version: textAt(info, 'version', 40),
    base_url: baseUrlOf(document),
    credentials: planCredentials(document, operations),
    actions: operations.map((operation) =>
      checked({ verb: verbs.get(operation.key) ?? '', ...actionOf(document, operation) }, expressions),
    ),
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

function actionOf(document: OpenapiDocument, operation: Operation): Omit<HttpActionSpec, 'verb'> {
  const { request, properties, required } = planRequest(document, operation);
  const answer = answerOf(document, operation);
  return {
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
      properties: { status: { type: 'integer' }, ...answer.properties },
    },
    effect: effects[operation.method],
    idempotent: idempotentMethods.has(operation.method),
    request: { ...request, ...(answer.isJson ? {} : { answers: 'text' as const }) },
    output: { status: '{{ status }}', ...answer.output },
  };
}

type AnswerPlan = {
  /** Everything else is unreadable then: a page of a proxy is no answer. */
  readonly isJson: boolean;
  readonly properties: JsonObject;
  readonly output: JsonObject;
};

/**
 * The first success the document describes. Text where it names types and none of them is JSON; JSON where it says so, or
 * describes what only JSON can be. Anything else may be either: plain words for a change that was made must not make it
 * look failed, and JSON is worth reading.
 */
function answerOf(document: OpenapiDocument, operation: Operation): AnswerPlan {
  const responses = objectAt(operation.node, 'responses');
  const status = Object.keys(responses).find((one) => /^2(?:\d\d|XX)$/i.test(one)) ?? 'default';
  const answer = resolved(document, Object.hasOwn(responses, status) ? responses[status] : undefined) ?? {};
  const contents = Object.entries(answerContents(document, operation, answer));
  const json = contents.find(([type]) => isJsonType(type));
  const any = json ?? contents.find(([type]) => type.includes('*/*'));
  if (contents.length > 0 && any === undefined) {
    return { isJson: false, properties: { text: { type: 'string' } }, output: { text: '{{ text }}' } };
  }
  const body = open(convertSchema(document, any?.[1]));
  const isStructured = [body.type].flat().some((type) => type === 'object' || type === 'array');
  if (json !== undefined || isStructured) {
    return { isJson: true, properties: { body }, output: { body: '{{ body }}' } };
  }
  return {
    isJson: false,
    properties: { body, text: { type: ['string', 'null'], description: 'The answer where it is not JSON.' } },
    output: { body: '{{ body }}', text: '{{ body == null ? text : null }}' },
  };
}

/** Schemas by media type; empty when nothing is said of what the answer holds. */
function answerContents(document: OpenapiDocument, operation: Operation, answer: JsonObject): Record<string, unknown> {
  if (document.version !== '2.0') {
    const contents = Object.entries(objectAt(answer, 'content'));
    return Object.fromEntries(contents.map(([type, media]) => [type, isJsonObject(media) ? media.schema : undefined]));
  }
  const types = swaggerTypes(document, operation, 'produces');
  // Without a schema nothing is returned by the standard; that the service speaks JSON elsewhere says nothing about it.
  if (answer.schema === undefined && types.some(isJsonType)) return {};
  return Object.fromEntries(types.map((type) => [type, answer.schema]));
}

/** Answers often lack what their description promises, and hold null: nothing is required of them. */
function open(schema: JsonObject): JsonObject {
  const { required: _required, enum: _enum, ...rest } = schema;
  return Object.fromEntries(
    Object.entries(rest).map(([keyword, value]): [string, unknown] => {
      if (keyword === 'type') return ['type', [...new Set([value, 'null'].flat())]];
      if (keyword === 'properties' && isJsonObject(value)) {
        return [
          'properties',
          Object.fromEntries(Object.entries(value).map(([name, one]) => [name, open(one as JsonObject)])),
        ];
      }
      return [keyword, keyword === 'items' && isJsonObject(value) ? open(value) : value];
    }),
  );
}
