import { changeFacts, changeOutput, oktaAction } from './okta-action.ts';
import { getUser, inputUser, oktaClient, userInput, userPath } from './okta-client.ts';

export const unlockUser = oktaAction({
  verb: 'unlock_user',
  friendly_name: 'Unlock user',
  description: 'Unlocks a person who was locked out after too many wrong passwords.',
  effect: 'changes',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: changeOutput,

  async run(context) {
    const user = await getUser(context, inputUser(context));
    if (user.status !== 'LOCKED_OUT') return changeFacts(user, false);
    await oktaClient.call(context, { method: 'POST', path: userPath(user.id, 'lifecycle', 'unlock') });
    return changeFacts(user, true);
  },
});
