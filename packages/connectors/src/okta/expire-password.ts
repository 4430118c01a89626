import { oktaAction, userFacts, userOutput } from './okta-action.ts';
import { getUser, inputUser, oktaClient, userInput, userPath } from './okta-client.ts';

export const expirePassword = oktaAction({
  verb: 'expire_password',
  friendly_name: 'Expire password',
  description: 'Makes a person choose a new password at the next sign-in.',
  effect: 'changes',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: userOutput,

  async run(context) {
    const { id } = await getUser(context, inputUser(context));
    const path = userPath(id, 'lifecycle', 'expire_password');
    return userFacts(await oktaClient.object(context, { method: 'POST', path, idempotent: true }));
  },
});
