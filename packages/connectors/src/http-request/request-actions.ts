import type { ActionContext, ActionDefinition } from '@airdeck/connector-kit/definition';
import type { VendorCall } from '@airdeck/connector-kit/vendor-client';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { sendRequest } from './http-request-client.ts';

const shared = {
  path: {
    type: 'string',
    title: 'Path',
    description: 'Below the base address, beginning with /. Special characters are written as %20 and so on.',
    pattern: '^/',
    maxLength: 2000,
  },
  query: {
    type: 'object',
    title: 'Query',
    description: 'Names and values; they are encoded for you.',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  },
  headers: {
    type: 'object',
    title: 'Headers',
    description: 'Beside that of the credential.',
    additionalProperties: { type: 'string', maxLength: 8000 },
  },
};

const body = {
  json: { title: 'Body as JSON', description: 'An object, a list or a single value.' },
  text: {
    type: 'string',
    title: 'Body as text',
    description: 'When the service does not take JSON.',
    maxLength: 1_000_000,
  },
};

const outputSchema: JsonObject = {
  type: 'object',
  required: ['status', 'headers', 'body', 'text'],
  properties: {
    status: { type: 'integer' },
    headers: { type: 'object', description: 'Names in lower case; without cookies.' },
    body: { description: 'The answer as JSON; null when it is empty or something else.' },
    text: { type: 'string', description: 'The answer as it came.' },
  },
};

type Parts = Pick<ActionDefinition, 'friendly_name' | 'description' | 'effect' | 'idempotent'> & {
  readonly verb: string;
  readonly methods: readonly NonNullable<VendorCall['method']>[];
  readonly input: JsonObject;
};

function requestAction({ verb, methods, input, ...parts }: Parts): ActionDefinition {
  const [only] = methods;
  const method = { type: 'string', title: 'Method', enum: [...methods], default: only };
  return {
    ...parts,
    action_id: `http_request.${verb}`,
    definition_id: 'http_request',
    vendor: 'HTTP',
    product: 'HTTP request',
    input_schema: {
      type: 'object',
      required: ['path'],
      additionalProperties: false,
      properties: methods.length === 1 ? input : { method, ...input },
    },
    output_schema: outputSchema,
    requires_connector: true,
    timeout_s: 30,
    run: async (context) => sendRequest(context, callOf(context, methods)),
  };
}

export const requestActions: readonly ActionDefinition[] = [
  requestAction({
    verb: 'get',
    friendly_name: 'Get',
    description: 'Reads from an address of the service.',
    effect: 'reads',
    idempotent: true,
    methods: ['GET'],
    input: shared,
  }),
  requestAction({
    verb: 'send',
    friendly_name: 'Send',
    description: 'Sends data to an address of the service.',
    effect: 'changes',
    // What the service does with it is not known here.
    idempotent: false,
    methods: ['POST', 'PUT', 'PATCH'],
    input: { ...shared, ...body },
  }),
  requestAction({
    verb: 'delete',
    friendly_name: 'Delete',
    description: 'Deletes what an address of the service names.',
    effect: 'destroys',
    idempotent: false,
    methods: ['DELETE'],
    input: shared,
  }),
];

function callOf({ input, idempotencyKey }: ActionContext, methods: Parts['methods']): VendorCall {
  const method = input.method === undefined ? methods[0] : methods.find((one) => one === input.method);
  const { path, json, text } = input;
  if (method === undefined) throw refused('"method" is not one of those this action has.');
  if (typeof path !== 'string' || path.length > 2000) throw refused('"path" must be a text.');
  if (json !== undefined && text !== undefined) throw refused('Give "json" or "text", not both.');
  const headers = scalars(input.headers, 'headers');
  return {
    method,
    path,
    query: scalars(input.query, 'query'),
    headers: method === 'GET' ? headers : { 'idempotency-key': idempotencyKey, ...headers },
    ...(json === undefined ? {} : { json }),
    ...(typeof text === 'string' ? { text } : {}),
  };
}

function scalars(value: unknown, field: string): Record<string, string> {
  if (value === undefined || value === null) return {};
  const entries = typeof value === 'object' ? Object.entries(value) : undefined;
  if (entries === undefined || entries.some(([, one]) => typeof one === 'object')) {
    throw refused(`"${field}" must have names and plain values.`);
  }
  return Object.fromEntries(entries.map(([name, one]) => [name, String(one)]));
}

function refused(message: string): VendorError {
  return new VendorError('VENDOR_REJECTED', message);
}
