import { changeContainment, containmentOutput } from './containment.ts';
import { falconAction } from './falcon-action.ts';
import { hostInput } from './hosts.ts';

export const containHost = falconAction({
  verb: 'contain_host',
  friendly_name: 'Contain host',
  description: 'Cuts a host off from the network, except from Falcon itself, until containment is lifted.',
  effect: 'changes',
  idempotent: true,
  input: { host: hostInput },
  required: ['host'],
  output: containmentOutput,
  timeout_s: 60,
  run: (context) =>
    changeContainment(context, {
      action: 'contain',
      done: ['contained', 'containment_pending'],
      pending: 'containment_pending',
    }),
});
