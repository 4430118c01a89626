import { inputCount, limitSchema } from '../vendor-action.ts';
import { falconAction } from './falcon-action.ts';
import { findHosts, hostFacts, hostInput, hostOutput } from './hosts.ts';

const LIMIT = { fallback: 20, max: 500 };

export const findHost = falconAction({
  verb: 'find_host',
  friendly_name: 'Find host',
  description: 'Looks hosts up by name, IP address or device id, with the state of their containment.',
  effect: 'reads',
  idempotent: true,
  input: { host: hostInput, limit: limitSchema(LIMIT.fallback, LIMIT.max) },
  required: ['host'],
  output: { hosts: { type: 'array', items: { type: 'object', properties: hostOutput } }, count: { type: 'integer' } },

  async run(context) {
    const limit = inputCount(context, 'limit', LIMIT);
    const hosts = (await findHosts(context)).slice(0, limit);
    return { hosts: hosts.map(hostFacts), count: hosts.length };
  },
});
