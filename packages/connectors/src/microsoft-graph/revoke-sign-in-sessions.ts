import { segment } from '@airdeck/connector-kit/vendor-address';
import { changeFacts, changeOutput, graphAction } from './graph-action.ts';
import { getUser, graphClient, inputUser, userInput } from './graph-client.ts';

export const revokeSignInSessions = graphAction({
  verb: 'revoke_sign_in_sessions',
  friendly_name: 'Revoke sign-in sessions',
  description:
    'Makes all refresh tokens and session cookies of a person invalid. It takes some minutes until all notice.',
  effect: 'changes',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: changeOutput,

  async run(context) {
    const user = await getUser(context, inputUser(context));
    const path = `/v1.0/users/${segment(user.id)}/revokeSignInSessions`;
    const { value } = await graphClient.object(context, { method: 'POST', path, idempotent: true });
    return changeFacts(user, value !== false);
  },
});
