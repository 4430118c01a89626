import type { ActionContext } from '@airdeck/connector-kit/definition';
import { segment } from '@airdeck/connector-kit/vendor-address';
import type { JsonObject } from '@airdeck/contracts/fields';
import { changeFacts } from './graph-action.ts';
import { getUser, graphClient, inputUser } from './graph-client.ts';

/** Sets whether a person may sign in; nothing is sent when it is so already. */
export async function setAccountEnabled(context: ActionContext, accountEnabled: boolean): Promise<JsonObject> {
  const user = await getUser(context, inputUser(context));
  if (user.accountEnabled === accountEnabled) return changeFacts(user, false);
  const path = `/v1.0/users/${segment(user.id)}`;
  await graphClient.call(context, { method: 'PATCH', path, json: { accountEnabled }, idempotent: true });
  return changeFacts(user, true);
}
