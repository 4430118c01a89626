import { objectOf } from '@airdeck/contracts/json-object';
import { textAt, textOf } from '../answer-fields.ts';
import { inputText } from '../vendor-action.ts';
import { slackAction } from './slack-action.ts';
import { callSlack } from './slack-client.ts';

const EMAIL = {
  max: 254,
  pattern: /^[^\s@<>,;:"\p{C}]{1,64}@[^\s@<>,;:"\p{C}]{1,190}$/u,
  like: 'such as ana@example.com',
};

export const findUserByEmail = slackAction({
  verb: 'find_user_by_email',
  friendly_name: 'Find user by email',
  description: 'The member of the workspace with this email address.',
  input: { email: { type: 'string', title: 'Email address', minLength: 3, maxLength: EMAIL.max } },
  required: ['email'],
  output: {
    found: { type: 'boolean' },
    user_id: { type: ['string', 'null'] },
    name: { type: ['string', 'null'] },
    real_name: { type: ['string', 'null'] },
    time_zone: { type: ['string', 'null'] },
    is_deleted: { type: 'boolean' },
    is_admin: { type: 'boolean' },
  },
  effect: 'reads',
  idempotent: true,

  async run(context) {
    const email = inputText(context, 'email', EMAIL);
    const { data, error } = await callSlack(context, {
      method: 'users.lookupByEmail',
      query: { email },
      tolerate: ['users_not_found'],
    });
    const user = objectOf(data.user);
    return {
      found: error === null,
      user_id: textOf(user, 'id'),
      name: textOf(user, 'name'),
      real_name: textOf(user, 'real_name') ?? textAt(user, 'profile', 'real_name'),
      time_zone: textOf(user, 'tz'),
      is_deleted: user.deleted === true,
      is_admin: user.is_admin === true,
    };
  },
});
