import type { ActionDefinition } from '@airdeck/contracts/actions/schema';

/** An action of a test; `fortigate.block_address` belongs to the integration `fortigate`. */
export function action(id: string, fields: Partial<ActionDefinition> = {}): ActionDefinition {
  return {
    action_id: id,
    definition_id: id.split('.')[0] ?? id,
    friendly_name: id,
    description: 'Does it.',
    vendor: 'Fortinet',
    product: 'FortiGate',
    input_schema: {
      type: 'object',
      required: ['address'],
      additionalProperties: false,
      properties: { address: { type: 'string', title: 'Address', minLength: 3 } },
    },
    output_schema: { type: 'object', properties: { changed: { type: 'boolean', description: 'Whether it was new.' } } },
    effect: 'changes',
    requires_connector: true,
    timeout_s: 60,
    ...fields,
  };
}
