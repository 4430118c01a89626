import { changeFacts, changeOutput, oktaAction } from './okta-action.ts';
import { getUser, inputUser, oktaClient, userInput, userPath } from './okta-client.ts';

export const suspendUser = oktaAction({
  verb: 'suspend_user',
  friendly_name: 'Suspend user',
  description:
    'Stops a person from signing in; groups and applications are kept. Sessions end only with Clear sessions.',
  effect: 'changes',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: changeOutput,

  // Okta refuses to suspend who is suspended; looking first makes the second call of the same step a success.
  async run(context) {
    const user = await getUser(context, inputUser(context));
    if (user.status === 'SUSPENDED') return changeFacts(user, false);
    await oktaClient.call(context, { method: 'POST', path: userPath(user.id, 'lifecycle', 'suspend') });
    return changeFacts(user, true);
  },
});
