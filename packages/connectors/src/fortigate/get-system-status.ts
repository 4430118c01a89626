import type { ActionDefinition, ConnectorContext } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { numberOf, textOf } from '../answer-fields.ts';
import { callFortigate, fortiPath } from './fortigate-client.ts';

const nullableText = { type: ['string', 'null'] };

export async function systemStatus(context: ConnectorContext): Promise<JsonObject> {
  const answer = await callFortigate(context, { method: 'GET', path: fortiPath('monitor', 'system', 'status') });
  const results = objectOf(answer.results);
  return {
    hostname: textOf(results, 'hostname'),
    model: textOf(results, 'model'),
    model_name: textOf(results, 'model_name'),
    serial: textOf(answer, 'serial'),
    version: textOf(answer, 'version'),
    build: numberOf(answer, 'build'),
  };
}

export const getSystemStatus: ActionDefinition = {
  action_id: 'fortigate.get_system_status',
  definition_id: 'fortigate',
  friendly_name: 'Get system status',
  description: 'Reads name, model, serial number and version of the firewall.',
  vendor: 'Fortinet',
  product: 'FortiGate',
  input_schema: { type: 'object', additionalProperties: false, properties: {} },
  output_schema: {
    type: 'object',
    required: ['hostname', 'model', 'model_name', 'serial', 'version', 'build'],
    properties: {
      hostname: nullableText,
      model: nullableText,
      model_name: nullableText,
      serial: nullableText,
      version: nullableText,
      build: { type: ['number', 'null'] },
    },
  },
  effect: 'reads',
  requires_connector: true,
  timeout_s: 30,
  idempotent: true,
  run: systemStatus,
};
