import type { ActionContext, ActionDefinition } from '@airdeck/connector-kit/definition';
import { collectPages, nextOffset } from '@airdeck/connector-kit/paging';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { numberOf, objectsOf, textOf } from '../answer-fields.ts';
import { inputCount, limitSchema } from '../vendor-action.ts';
import { callFortigate, fortiPath } from './fortigate-client.ts';

const PAGE_SIZE = 100;
const LIST = { fallback: 200, max: 2000 };

const nullableText = { type: ['string', 'null'] };
const names = { type: 'array', items: { type: 'string' } };

export const listPolicies: ActionDefinition = {
  action_id: 'fortigate.list_policies',
  definition_id: 'fortigate',
  friendly_name: 'List policies',
  description:
    'Lists the firewall policies in their order: to see whether one of them denies the group of blocked addresses.',
  vendor: 'Fortinet',
  product: 'FortiGate',
  input_schema: {
    type: 'object',
    additionalProperties: false,
    properties: { limit: limitSchema(LIST.fallback, LIST.max) },
  },
  output_schema: {
    type: 'object',
    required: ['policies', 'is_cut'],
    properties: {
      policies: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: ['number', 'null'] },
            name: nullableText,
            action: nullableText,
            status: nullableText,
            sources: names,
            destinations: names,
            services: names,
          },
        },
      },
      is_cut: { type: 'boolean' },
    },
  },
  effect: 'reads',
  requires_connector: true,
  timeout_s: 60,
  idempotent: true,

  async run(context) {
    const { items, isCut } = await collectPages<JsonObject, number>({
      vendor: 'FortiGate',
      first: 0,
      maxItems: inputCount(context, 'limit', LIST),
      fetch: async (start) => {
        const policies = await policiesFrom(context, start);
        return { items: policies, next: nextOffset({ offset: start, limit: PAGE_SIZE, count: policies.length }) };
      },
    });
    return { policies: items.map(policyFacts), is_cut: isCut };
  },
};

async function policiesFrom(context: ActionContext, start: number): Promise<JsonObject[]> {
  const { results } = await callFortigate(context, {
    method: 'GET',
    path: fortiPath('cmdb', 'firewall', 'policy'),
    query: { start: String(start), count: String(PAGE_SIZE) },
  });
  if (Array.isArray(results)) return objectsOf(results);
  throw new VendorError('VENDOR_ANSWER_UNREADABLE', 'FortiGate answered without a list of policies.');
}

function policyFacts(policy: JsonObject): JsonObject {
  return {
    id: numberOf(policy, 'policyid'),
    name: textOf(policy, 'name'),
    action: textOf(policy, 'action'),
    status: textOf(policy, 'status'),
    sources: namesIn(policy.srcaddr),
    destinations: namesIn(policy.dstaddr),
    services: namesIn(policy.service),
  };
}

function namesIn(value: unknown): string[] {
  return objectsOf(value).flatMap((one) => textOf(one, 'name') ?? []);
}
