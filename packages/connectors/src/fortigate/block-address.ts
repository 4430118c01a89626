import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import { inputAddress } from '../ip-address.ts';
import { addressInput, groupInputSchema, groupOf, objectName, outputSchema } from './block-list.ts';
import { callFortigate, FORTI_DUPLICATE, fortiPath } from './fortigate-client.ts';

const COMMENT_MAX = 255;

export const blockAddress: ActionDefinition = {
  action_id: 'fortigate.block_address',
  definition_id: 'fortigate',
  friendly_name: 'Block address',
  description: 'Creates an address object and puts it into the group that the deny rule uses.',
  vendor: 'Fortinet',
  product: 'FortiGate',
  input_schema: {
    type: 'object',
    required: ['address'],
    additionalProperties: false,
    properties: {
      address: addressInput,
      comment: { type: 'string', title: 'Comment', maxLength: COMMENT_MAX },
      group: groupInputSchema,
    },
  },
  output_schema: outputSchema,
  effect: 'changes',
  requires_connector: true,
  timeout_s: 60,
  idempotent: true,

  async run(context) {
    const address = inputAddress(context.input, 'address', 'ipv4');
    const group = groupOf(context);
    const name = objectName(address);
    const { comment } = context.input;
    const created = await callFortigate(context, {
      method: 'POST',
      path: fortiPath('cmdb', 'firewall', 'address'),
      body: {
        name,
        type: 'ipmask',
        subnet: `${address} 255.255.255.255`,
        comment: typeof comment === 'string' ? comment.slice(0, COMMENT_MAX) : '',
      },
      tolerate: [FORTI_DUPLICATE],
    });
    const added = await callFortigate(context, {
      method: 'POST',
      path: fortiPath('cmdb', 'firewall', 'addrgrp', group, 'member'),
      body: { name },
      tolerate: [FORTI_DUPLICATE],
    });
    return { address, object: name, group, changed: created.status === 'success' || added.status === 'success' };
  },
};
