import { changeContainment, containmentOutput } from './containment.ts';
import { falconAction } from './falcon-action.ts';
import { hostInput } from './hosts.ts';

export const liftContainment = falconAction({
  verb: 'lift_containment',
  friendly_name: 'Lift containment',
  description: 'Lets a contained host back onto the network.',
  effect: 'changes',
  idempotent: true,
  input: { host: hostInput },
  required: ['host'],
  output: containmentOutput,
  timeout_s: 60,
  run: (context) =>
    changeContainment(context, {
      action: 'lift_containment',
      done: ['normal', 'lift_containment_pending'],
      pending: 'lift_containment_pending',
    }),
});
