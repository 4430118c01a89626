import type { ActionContext, ActionDefinition } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { inputAddress } from '../ip-address.ts';
import { addressInput, groupInputSchema, groupOf, objectName, outputSchema } from './block-list.ts';
import { callFortigate, FORTI_IN_USE, FORTI_NOT_FOUND, fortiPath } from './fortigate-client.ts';

export const unblockAddress: ActionDefinition = {
  action_id: 'fortigate.unblock_address',
  definition_id: 'fortigate',
  friendly_name: 'Unblock address',
  description:
    'Takes an address that was blocked here out of the group and removes its object where nothing else uses it.',
  vendor: 'Fortinet',
  product: 'FortiGate',
  input_schema: {
    type: 'object',
    required: ['address'],
    additionalProperties: false,
    properties: { address: addressInput, group: groupInputSchema },
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
    const groupPath = fortiPath('cmdb', 'firewall', 'addrgrp', group);
    const removed = await callFortigate(context, {
      method: 'DELETE',
      path: `${groupPath}/${fortiPath('member', name)}`,
      tolerate: [FORTI_NOT_FOUND],
    });
    // A group that does not exist is answered alike, while the one that was meant goes on blocking the address.
    if (removed.status !== 'success' && !(await exists(context, groupPath))) {
      throw new VendorError('VENDOR_NOT_FOUND', `The firewall has no address group "${group}".`);
    }
    const deleted = await callFortigate(context, {
      method: 'DELETE',
      path: fortiPath('cmdb', 'firewall', 'address', name),
      // Other groups and rules may use it too: the address is unblocked all the same.
      tolerate: [FORTI_NOT_FOUND, FORTI_IN_USE],
    });
    return { address, object: name, group, changed: removed.status === 'success' || deleted.status === 'success' };
  },
};

async function exists(context: ActionContext, path: string): Promise<boolean> {
  const answer = await callFortigate(context, { method: 'GET', path, tolerate: [FORTI_NOT_FOUND] });
  return answer.status === 'success';
}
