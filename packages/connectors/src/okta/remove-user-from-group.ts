import { oktaAction } from './okta-action.ts';
import { getUser, inputUser, oktaClient, userInput } from './okta-client.ts';
import { groupInput, inputGroup, membershipOutput, membershipPath } from './okta-groups.ts';

export const removeUserFromGroup = oktaAction({
  verb: 'remove_user_from_group',
  friendly_name: 'Remove user from group',
  description: 'Takes a person out of a group, such as one that grants administration.',
  effect: 'changes',
  idempotent: true,
  input: { user: userInput, group: groupInput },
  required: ['user', 'group'],
  output: membershipOutput,

  async run(context) {
    const user = inputUser(context);
    const group = await inputGroup(context);
    const { id } = await getUser(context, user);
    await oktaClient.call(context, { method: 'DELETE', path: membershipPath(group, id), idempotent: true });
    return { user_id: id, group_id: group.id, group_name: group.name };
  },
});
