import { setAccountEnabled } from './account-state.ts';
import { changeOutput, graphAction } from './graph-action.ts';
import { userInput } from './graph-client.ts';

export const disableUser = graphAction({
  verb: 'disable_user',
  friendly_name: 'Disable user',
  description:
    'Stops a person from signing in. Tokens that were given out stay good until they expire: revoke sessions too.',
  effect: 'changes',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: changeOutput,
  run: (context) => setAccountEnabled(context, false),
});
