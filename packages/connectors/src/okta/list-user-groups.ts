import { collectPages } from '@airdeck/connector-kit/paging';
import type { VendorCall } from '@airdeck/connector-kit/vendor-client';
import { textAt, textOf } from '../answer-fields.ts';
import { oktaAction } from './okta-action.ts';
import { fetchLinkedPage, getUser, inputUser, OKTA, userInput, userPath } from './okta-client.ts';

export const listUserGroups = oktaAction({
  verb: 'list_user_groups',
  friendly_name: "List a user's groups",
  description: 'Lists the groups a person is in.',
  effect: 'reads',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: {
    groups: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, name: { type: ['string', 'null'] }, type: { type: ['string', 'null'] } },
      },
    },
    is_cut: { type: 'boolean' },
  },

  async run(context) {
    const { id } = await getUser(context, inputUser(context));
    const first: VendorCall = { path: userPath(id, 'groups') };
    const { items, isCut } = await collectPages({
      vendor: OKTA,
      first,
      fetch: (call) => fetchLinkedPage(context, call),
    });
    const groups = items.map((group) => ({
      id: textOf(group, 'id') ?? '',
      name: textAt(group, 'profile', 'name'),
      type: textOf(group, 'type'),
    }));
    return { groups, is_cut: isCut };
  },
});
