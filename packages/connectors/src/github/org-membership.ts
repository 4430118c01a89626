/**
 * Changes to who may be in the organization. GitHub hides what a token may not see behind 404, so "not there" is only
 * believed, and reported as done, when the token's own account administers the organization.
 */

import type { ActionContext } from '@airdeck/connector-kit/definition';
import { segment } from '@airdeck/connector-kit/vendor-address';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { textOf } from '../answer-fields.ts';
import { configText } from '../config-values.ts';
import { inputText } from '../vendor-action.ts';
import { usernameSchema } from './get-user.ts';
import { githubAction } from './github-action.ts';
import { githubClient, orgPath, usernameRule } from './github-client.ts';

const changeOutput = {
  username: { type: 'string' },
  organization: { type: 'string' },
  changed: { type: 'boolean', description: 'False when it was so already.' },
};

export const blockUser = githubAction({
  verb: 'block_user',
  friendly_name: 'Block user',
  description: 'Blocks an account from the organization: it can no longer comment, open issues or fork there.',
  input: { username: usernameSchema },
  required: ['username'],
  output: changeOutput,
  effect: 'changes',
  idempotent: true,

  async run(context) {
    const username = inputText(context, 'username', usernameRule);
    const path = orgPath(context, 'blocks', username);
    if (await exists(context, path)) return outcome(context, username, false);
    await githubClient.call(context, { method: 'PUT', path, idempotent: true });
    return outcome(context, username, true);
  },
});

export const unblockUser = githubAction({
  verb: 'unblock_user',
  friendly_name: 'Unblock user',
  description: 'Takes back the block of an account.',
  input: { username: usernameSchema },
  required: ['username'],
  output: changeOutput,
  effect: 'changes',
  idempotent: true,

  async run(context) {
    const username = inputText(context, 'username', usernameRule);
    return removed(context, { username, path: orgPath(context, 'blocks', username), what: 'blocked' });
  },
});

export const removeOrgMember = githubAction({
  verb: 'remove_org_member',
  friendly_name: 'Remove organization member',
  description:
    'Takes an account out of the organization and of all its teams, and cancels an open invitation. Its forks of private repositories are deleted.',
  input: { username: usernameSchema },
  required: ['username'],
  output: changeOutput,
  effect: 'destroys',
  idempotent: true,

  async run(context) {
    const username = inputText(context, 'username', usernameRule);
    return removed(context, { username, path: orgPath(context, 'memberships', username), what: 'a member' });
  },
});

async function removed(
  context: ActionContext,
  { username, path, what }: { username: string; path: string; what: string },
): Promise<JsonObject> {
  if (await exists(context, path)) {
    const { status } = await githubClient.call(context, { method: 'DELETE', path, idempotent: true, accept: [404] });
    if (status !== 404) return outcome(context, username, true);
  }
  if (await administersOrganization(context)) return outcome(context, username, false);
  throw new VendorError(
    'VENDOR_NOT_FOUND',
    `GitHub does not show ${username} as ${what}. Either that is so, or the token may not see it: it must belong to an owner of the organization.`,
  );
}

async function exists(context: ActionContext, path: string): Promise<boolean> {
  const { status } = await githubClient.call(context, { path, accept: [404] });
  return status !== 404;
}

async function administersOrganization(context: ActionContext): Promise<boolean> {
  const organization = segment(configText(context.config, 'organization'));
  const path = `/user/memberships/orgs/${organization}`;
  const { status, body } = await githubClient.call(context, { path, accept: [403, 404] });
  const membership = objectOf(body);
  return status === 200 && textOf(membership, 'role') === 'admin' && textOf(membership, 'state') === 'active';
}

function outcome({ config }: ActionContext, username: string, changed: boolean): JsonObject {
  return { username, organization: configText(config, 'organization'), changed };
}
