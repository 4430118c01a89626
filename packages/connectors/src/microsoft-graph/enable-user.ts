import { setAccountEnabled } from './account-state.ts';
import { changeOutput, graphAction } from './graph-action.ts';
import { userInput } from './graph-client.ts';

export const enableUser = graphAction({
  verb: 'enable_user',
  friendly_name: 'Enable user',
  description: 'Lets a disabled person sign in again.',
  effect: 'changes',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: changeOutput,
  run: (context) => setAccountEnabled(context, true),
});
