import { segment } from '@airdeck/connector-kit/vendor-address';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { objectOf } from '@airdeck/contracts/json-object';
import { textOf } from '../answer-fields.ts';
import { changeFacts, changeOutput, graphAction } from './graph-action.ts';
import { getUser, graphClient, inputUser, userInput } from './graph-client.ts';

export const revokeSignInSessions = graphAction({
  verb: 'revoke_sign_in_sessions',
  friendly_name: 'Revoke sign-in sessions',
  description:
    'Makes all refresh tokens and session cookies of a person invalid. It takes some minutes until all notice. Not for guests, who sign in at another organization, where their sessions stay: disable them instead.',
  effect: 'changes',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: changeOutput,

  async run(context) {
    const user = await getUser(context, inputUser(context));
    // Graph says yes and revokes nothing: a guest's tokens come from the tenant the guest signs in at.
    if (/#ext#/i.test(textOf(user, 'userPrincipalName') ?? '')) {
      throw new VendorError(
        'VENDOR_REJECTED',
        'This person signs in at another organization, where sessions cannot be revoked from here. Disable the account instead.',
      );
    }
    const path = `/v1.0/users/${segment(user.id)}/revokeSignInSessions`;
    // Microsoft promises a success, not a body.
    const { body } = await graphClient.call(context, { method: 'POST', path, idempotent: true });
    return changeFacts(user, objectOf(body).value !== false);
  },
});
