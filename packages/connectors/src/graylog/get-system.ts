import { textOf } from '../answer-fields.ts';
import { graylogAction, nullableText } from './graylog-action.ts';
import { getSystem } from './graylog-client.ts';

export const getSystemAction = graylogAction({
  verb: 'get_system',
  friendly_name: 'Get system',
  description: 'Reads the version and state of the Graylog server.',
  effect: 'reads',
  idempotent: true,
  input: {},
  output: {
    version: nullableText,
    hostname: nullableText,
    cluster_id: nullableText,
    node_id: nullableText,
    lifecycle: nullableText,
    lb_status: nullableText,
    is_processing: { type: 'boolean' },
    started_at: nullableText,
    timezone: nullableText,
  },

  async run(context) {
    const system = await getSystem(context);
    return {
      version: textOf(system, 'version'),
      hostname: textOf(system, 'hostname'),
      cluster_id: textOf(system, 'cluster_id'),
      node_id: textOf(system, 'node_id'),
      lifecycle: textOf(system, 'lifecycle'),
      lb_status: textOf(system, 'lb_status'),
      is_processing: system.is_processing === true,
      started_at: textOf(system, 'started_at'),
      timezone: textOf(system, 'timezone'),
    };
  },
});
