import { type ErrorCode, errorCodes } from '@airdeck/contracts/error-codes';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Route } from '@airdeck/contracts/route';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import { z } from 'zod';
import { isCounted } from './call-quotas.ts';

type JsonSchema = JsonObject;
type Schemas = Record<string, JsonSchema>;

/** Of refusals that are over after a while. */
const waits: ReadonlySet<number> = new Set([429, 503]);
const retryAfter = { 'Retry-After': { description: 'In how many seconds to try again.', schema: { type: 'integer' } } };

const plainSchema: JsonSchema = { type: ['string', 'number'] };
/** What a sentence fills in; words of it that are translated themselves come as a list. */
const valuesSchema: JsonSchema = {
  type: 'object',
  additionalProperties: {
    anyOf: [
      plainSchema,
      {
        type: 'array',
        items: {
          type: 'object',
          required: ['message'],
          properties: {
            message: { type: 'string' },
            reason: { type: 'string' },
            values: { type: 'object', additionalProperties: plainSchema },
          },
        },
      },
    ],
  },
};

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['message', 'code', 'request_id'],
  properties: {
    message: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errorCodes) },
    request_id: { type: 'string' },
    reason: { type: 'string' },
    values: valuesSchema,
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string' },
          message: { type: 'string' },
          reason: { type: 'string' },
          values: valuesSchema,
          start: { type: 'integer' },
          end: { type: 'integer' },
          suggestion: { type: 'string' },
          fix: { type: 'string' },
        },
      },
    },
    confirm: {
      type: 'object',
      required: ['title', 'text', 'action_label'],
      properties: {
        title: { type: 'string' },
        text: { type: 'string' },
        action_label: { type: 'string' },
        passphrase_hint: { type: 'string' },
        told: { type: 'object', description: 'The same by reason, of which other languages are made.' },
      },
    },
  },
};

/** The route table as an OpenAPI 3.1 document. */
export function openApiDocument(info: { title: string; version: string; serverUrl: string }): JsonObject {
  const paths: Record<string, Record<string, unknown>> = {};
  const shared: Schemas = {};
  for (const id of Object.keys(routeTable) as RouteId[]) {
    const route: Route = routeTable[id];
    const path = paths[route.path] ?? {};
    path[route.method.toLowerCase()] = operation(id, route, shared);
    paths[route.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: { title: info.title, version: info.version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: info.serverUrl }],
    paths,
    components: {
      schemas: { Error: errorSchema, ...shared },
      securitySchemes: {
        user: { type: 'http', scheme: 'bearer', description: 'Access token of a signed-in user, or an API key aird_…' },
        source: { type: 'http', scheme: 'bearer', description: "The event source's own token src_…" },
      },
    },
  };
}

/** Codes a route can answer with: its own and those of its access kind. */
export function codesOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors ?? []);
  const { access } = route;
  if (route.params ?? route.query ?? route.body) codes.add('VALIDATION_FAILED');
  if (route.body !== undefined && route.body !== 'raw') {
    for (const code of ['BODY_NOT_DECODABLE', 'BODY_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED'] as const) codes.add(code);
  }
  if (isCounted(route)) codes.add('RATE_LIMITED');
  if (route.confirm) codes.add('CONFIRMATION_REQUIRED');
  if (route.acts) codes.add('RESTORE_FENCE_UP');
  if (access.kind !== 'public') for (const code of ['TOKEN_MISSING', 'TOKEN_INVALID'] as const) codes.add(code);
  if (access.kind === 'identity') codes.add('USER_DISABLED');
  if (access.kind === 'signed_in' || access.kind === 'tenant') {
    for (const code of ['USER_DISABLED', 'MFA_REQUIRED', 'ACCOUNT_NOT_FOUND'] as const) codes.add(code);
  }
  if (access.kind === 'tenant') {
    for (const code of ['TENANT_FORBIDDEN', 'ROLE_TOO_LOW'] as const) codes.add(code);
    if (access.plan !== undefined) codes.add('PLAN_NOT_ENABLED');
  }
  for (const code of ['INTERNAL', 'DRAINING', 'STORE_UNAVAILABLE'] as const) codes.add(code);
  return [...codes];
}

export function accessText(route: Route): string {
  const { access } = route;
  switch (access.kind) {
    case 'public':
      return 'Open to everybody.';
    case 'identity':
      return 'Any verified sign-in, also one without an account here yet.';
    case 'signed_in':
      return 'Any signed-in user.';
    case 'source':
      return "The event source's own token.";
    case 'tenant':
      return access.plan === undefined
        ? `Members of the tenant with role ${access.role} or higher.`
        : `Members of the tenant with role ${access.role} or higher, when its plan has ${access.plan}.`;
  }
}

function operation(id: RouteId, route: Route, shared: Schemas): JsonObject {
  const description = accessText(route);
  return {
    operationId: id,
    summary: route.summary,
    description,
    tags: [id.split('.', 1)[0]],
    security: route.access.kind === 'public' ? [] : [{ [route.access.kind === 'source' ? 'source' : 'user']: [] }],
    parameters: [
      ...parameters('path', route.params, shared),
      ...parameters('query', route.query, shared),
      ...headers(route),
    ],
    ...(route.body === undefined ? {} : { requestBody: requestBody(route.body, route.takes, shared) }),
    responses: { ...success(route, shared), ...failures(route) },
  };
}

/** What a call may be sent with besides. */
function headers(route: Route): JsonObject[] {
  const header = (name: string, description: string, schema: JsonObject) => {
    return { name, in: 'header', required: false, description, schema };
  };
  const isKeyed = route.errors?.includes('IDEMPOTENCY_KEY_REUSED') === true;
  const asks = route.confirm === true || route.errors?.includes('CONFIRMATION_REQUIRED') === true;
  return [
    ...(isKeyed
      ? [
          header('Idempotency-Key', 'The same request under the same key acts once.', {
            type: 'string',
            maxLength: 200,
          }),
        ]
      : []),
    ...(asks
      ? [
          header('X-AIR-confirm', '`true` answers the question of a 449.', { type: 'string', enum: ['true'] }),
          header('X-AIR-confirm-passphrase', 'The words the question asks for, where it does.', { type: 'string' }),
        ]
      : []),
  ];
}

function parameters(where: 'path' | 'query', schema: z.ZodType | undefined, shared: Schemas): JsonObject[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input', shared) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}

function requestBody(body: NonNullable<Route['body']>, takes: readonly string[] = [], shared: Schemas): JsonObject {
  if (body !== 'raw') {
    return { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input', shared) } } };
  }
  return { required: true, content: contentOf(takes) };
}

function success(route: Route, shared: Schemas): JsonObject {
  const status = String(route.status ?? (route.response === 'empty' ? 204 : 200));
  if (route.response === 'empty') return { [status]: { description: 'Done.' } };
  if (route.response === 'stream') {
    const { sends, summary } = route;
    return { [status]: { description: summary, content: contentOf(sends ?? ['text/event-stream']) } };
  }
  const content = { 'application/json': { schema: jsonSchema(route.response, 'output', shared) } };
  return { [status]: { description: route.summary, content } };
}

/** Of what is not decoded: text, or bytes, which have no schema. */
function contentOf(types: readonly string[]): JsonObject {
  const isText = (type: string) => type.startsWith('text/') || /\b(json|yaml)$/.test(type);
  return Object.fromEntries(types.map((type) => [type, isText(type) ? { schema: { type: 'string' } } : {}]));
}

function failures(route: Route): JsonObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(route)) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        { description: codes.join(', '), ...(waits.has(status) ? { headers: retryAfter } : {}), content },
      ]),
  );
}

/** What is described once, in the document's components, is put into `shared`. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', shared: Schemas): JsonSchema {
  const { $schema: _dialect, $defs = {}, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  // What is sent may leave out what is answered: both have a name of their own.
  const nameOf = (name: string) => (io === 'input' ? `${name}Input` : name);
  const placed = (value: object) =>
    JSON.parse(
      JSON.stringify(value).replaceAll(/"#\/\$defs\/([^"]+)"/g, (_, name) => `"#/components/schemas/${nameOf(name)}"`),
    );
  for (const [name, definition] of Object.entries($defs)) shared[nameOf(name)] = placed(definition);
  return placed(rest);
}
