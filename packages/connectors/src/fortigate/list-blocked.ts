import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { objectsOf, textOf } from '../answer-fields.ts';
import { addressOf, groupInputSchema, groupOf } from './block-list.ts';
import { callFortigate, fortiPath } from './fortigate-client.ts';

const MAX_LISTED = 5000;

export const listBlocked: ActionDefinition = {
  action_id: 'fortigate.list_blocked',
  definition_id: 'fortigate',
  friendly_name: 'List blocked addresses',
  description: 'Lists what is in the group that the deny rule uses.',
  vendor: 'Fortinet',
  product: 'FortiGate',
  input_schema: { type: 'object', additionalProperties: false, properties: { group: groupInputSchema } },
  output_schema: {
    type: 'object',
    required: ['group', 'members', 'is_cut'],
    properties: {
      group: { type: 'string' },
      members: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            object: { type: 'string' },
            address: { type: ['string', 'null'], description: 'Null for objects that were not made here.' },
          },
        },
      },
      is_cut: { type: 'boolean' },
    },
  },
  effect: 'reads',
  requires_connector: true,
  timeout_s: 30,
  idempotent: true,

  async run(context) {
    const group = groupOf(context);
    const answer = await callFortigate(context, {
      method: 'GET',
      path: fortiPath('cmdb', 'firewall', 'addrgrp', group),
    });
    const found = objectsOf(answer.results)[0];
    if (found === undefined) {
      throw new VendorError('VENDOR_ANSWER_UNREADABLE', 'FortiGate answered without the group.');
    }
    const names = objectsOf(found.member).flatMap((member) => textOf(member, 'name') ?? []);
    return {
      group,
      members: names.slice(0, MAX_LISTED).map((object) => ({ object, address: addressOf(object) })),
      is_cut: names.length > MAX_LISTED,
    };
  },
};
