import { collectPages } from '@airdeck/connector-kit/paging';
import type { VendorCall } from '@airdeck/connector-kit/vendor-client';
import { inputCount, limitSchema, optionalText } from '../vendor-action.ts';
import { oktaAction, userFacts, userOutput } from './okta-action.ts';
import { fetchLinkedPage, OKTA } from './okta-client.ts';

const LIMIT = { fallback: 200, max: 1000 };
const PAGE_MAX = 200;

export const listUsers = oktaAction({
  verb: 'list_users',
  friendly_name: 'List users',
  description: 'Lists people, all or those that fit a search expression.',
  effect: 'reads',
  idempotent: true,
  input: {
    search: {
      type: 'string',
      title: 'Search',
      description: 'An expression of Okta\'s search, such as profile.login eq "ada@example.com".',
      maxLength: 1000,
    },
    limit: limitSchema(LIMIT.fallback, LIMIT.max),
  },
  output: {
    users: { type: 'array', items: { type: 'object', properties: userOutput } },
    is_cut: { type: 'boolean', description: 'There are more than were asked for.' },
  },
  timeout_s: 60,

  async run(context) {
    const maxItems = inputCount(context, 'limit', LIMIT);
    const search = optionalText(context, 'search', { max: 1000 });
    const first: VendorCall = { path: '/api/v1/users', query: { search, limit: Math.min(maxItems, PAGE_MAX) } };
    const { items, isCut } = await collectPages({
      vendor: OKTA,
      first,
      maxItems,
      fetch: (call) => fetchLinkedPage(context, call),
    });
    return { users: items.map(userFacts), is_cut: isCut };
  },
});
