import { throwForStatus } from '@airdeck/connector-kit/vendor-answer';
import { objectOf } from '@airdeck/contracts/json-object';
import { textOf } from '../answer-fields.ts';
import { changeFacts, changeOutput, oktaAction } from './okta-action.ts';
import { getUser, inputUser, OKTA, oktaClient, oktaFailure, userInput, userPath } from './okta-client.ts';

/** Nothing to unlock. */
const NOT_LOCKED = 'E0000032';

export const unlockUser = oktaAction({
  verb: 'unlock_user',
  friendly_name: 'Unlock user',
  description:
    'Unlocks a person who was locked out after too many wrong passwords, or is blocked from unknown devices.',
  effect: 'changes',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: changeOutput,

  async run(context) {
    const user = await getUser(context, inputUser(context));
    // Who is blocked from unknown devices stays ACTIVE: only Okta knows whether there is something to unlock.
    const isActive = user.status === 'ACTIVE';
    if (!isActive && user.status !== 'LOCKED_OUT') return changeFacts(user, false);
    const answer = await oktaClient.call(context, {
      method: 'POST',
      path: userPath(user.id, 'lifecycle', 'unlock'),
      ...(isActive ? { accept: [403] } : {}),
    });
    if (answer.status === 403 && textOf(objectOf(answer.body), 'errorCode') === NOT_LOCKED) {
      return changeFacts(user, false);
    }
    throwForStatus(OKTA, { ...answer, retryAfterS: undefined }, oktaFailure(answer)?.detail);
    return changeFacts(user, true);
  },
});
