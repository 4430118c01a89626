import { oktaAction } from './okta-action.ts';
import { getUser, inputUser, oktaClient, userInput } from './okta-client.ts';
import { groupInput, inputGroup, membershipOutput, membershipPath } from './okta-groups.ts';

export const addUserToGroup = oktaAction({
  verb: 'add_user_to_group',
  friendly_name: 'Add user to group',
  description: 'Puts a person into a group, such as one whose policy limits what they can sign in to.',
  effect: 'changes',
  idempotent: true,
  input: { user: userInput, group: groupInput },
  required: ['user', 'group'],
  output: membershipOutput,

  async run(context) {
    const user = inputUser(context);
    const group = await inputGroup(context);
    const { id } = await getUser(context, user);
    await oktaClient.call(context, { method: 'PUT', path: membershipPath(group, id), idempotent: true });
    return { user_id: id, group_id: group.id, group_name: group.name };
  },
});
