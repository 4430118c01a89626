import { segment } from '@airdeck/connector-kit/vendor-address';
import { numberOf, textOf } from '../answer-fields.ts';
import { inputText } from '../vendor-action.ts';
import { githubAction } from './github-action.ts';
import { githubClient, usernameRule } from './github-client.ts';

export const usernameSchema = { type: 'string', title: 'User name', minLength: 1, maxLength: usernameRule.max };

export const getUser = githubAction({
  verb: 'get_user',
  friendly_name: 'Get user',
  description: 'Public profile of a GitHub account.',
  input: { username: usernameSchema },
  required: ['username'],
  output: {
    login: { type: 'string' },
    id: { type: ['integer', 'null'] },
    type: { type: ['string', 'null'], description: 'User, Bot or Organization.' },
    name: { type: ['string', 'null'] },
    email: { type: ['string', 'null'] },
    company: { type: ['string', 'null'] },
    created_at: { type: ['string', 'null'] },
    suspended_at: { type: ['string', 'null'], description: 'On GitHub Enterprise Server only.' },
    url: { type: ['string', 'null'] },
  },
  effect: 'reads',
  idempotent: true,

  async run(context) {
    const username = inputText(context, 'username', usernameRule);
    const user = await githubClient.object(context, { path: `/users/${segment(username)}` });
    return {
      login: textOf(user, 'login') ?? username,
      id: numberOf(user, 'id'),
      type: textOf(user, 'type'),
      name: textOf(user, 'name'),
      email: textOf(user, 'email'),
      company: textOf(user, 'company'),
      created_at: textOf(user, 'created_at'),
      suspended_at: textOf(user, 'suspended_at'),
      url: textOf(user, 'html_url'),
    };
  },
});
