import { changeFacts, changeOutput, graphAction } from './graph-action.ts';
import { getUser, graphClient, inputUser, userInput } from './graph-client.ts';

export const confirmCompromised = graphAction({
  verb: 'confirm_compromised',
  friendly_name: 'Confirm compromised',
  description:
    'Sets the risk of a person to high, so that the policies for risky users apply. Dismiss it in Entra ID afterwards.',
  effect: 'changes',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: changeOutput,

  async run(context) {
    const user = await getUser(context, inputUser(context));
    await graphClient.call(context, {
      method: 'POST',
      path: '/v1.0/identityProtection/riskyUsers/confirmCompromised',
      json: { userIds: [user.id] },
      idempotent: true,
    });
    return changeFacts(user, true);
  },
});
