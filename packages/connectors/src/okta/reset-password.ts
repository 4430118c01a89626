import { changeFacts, changeOutput, oktaAction } from './okta-action.ts';
import { getUser, inputUser, oktaClient, userInput, userPath } from './okta-client.ts';

export const resetPassword = oktaAction({
  verb: 'reset_password',
  friendly_name: 'Reset password',
  description: 'Takes the password away and sends the person an e-mail to choose a new one.',
  effect: 'changes',
  // Every call sends another e-mail and makes the link in the one before useless.
  idempotent: false,
  input: { user: userInput },
  required: ['user'],
  output: changeOutput,

  // Always by e-mail: otherwise Okta answers with the link itself, which is a credential and must not end up in a run.
  async run(context) {
    const user = await getUser(context, inputUser(context));
    const path = userPath(user.id, 'lifecycle', 'reset_password');
    await oktaClient.call(context, { method: 'POST', path, query: { sendEmail: true } });
    return changeFacts(user, true);
  },
});
