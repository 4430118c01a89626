import { changeFacts, changeOutput, oktaAction } from './okta-action.ts';
import { getUser, inputUser, oktaClient, userInput, userPath } from './okta-client.ts';

export const unsuspendUser = oktaAction({
  verb: 'unsuspend_user',
  friendly_name: 'Unsuspend user',
  description: 'Lets a suspended person sign in again.',
  effect: 'changes',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: changeOutput,

  async run(context) {
    const user = await getUser(context, inputUser(context));
    if (user.status === 'ACTIVE') return changeFacts(user, false);
    await oktaClient.call(context, { method: 'POST', path: userPath(user.id, 'lifecycle', 'unsuspend') });
    return changeFacts(user, true);
  },
});
