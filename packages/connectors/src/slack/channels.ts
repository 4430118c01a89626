import type { ActionContext } from '@airdeck/connector-kit/definition';
import { collectPages } from '@airdeck/connector-kit/paging';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { numberOf, objectsOf, textAt, textOf, textsOf } from '../answer-fields.ts';
import { inputCount, inputText, limitSchema } from '../vendor-action.ts';
import { channelRule, channelSchema, slackAction, userRule } from './slack-action.ts';
import { callSlack } from './slack-client.ts';

const MAX_USERS = 20;
const PAGE_SIZE = 200;

const usersSchema = {
  type: 'array',
  title: 'Users',
  description: 'Ids of members, as "Find user by email" returns them.',
  items: { type: 'string', maxLength: userRule.max },
  minItems: 1,
  maxItems: MAX_USERS,
};

export const listChannels = slackAction({
  verb: 'list_channels',
  friendly_name: 'List channels',
  description: 'Public channels, and private ones the app is in. Archived ones are left out.',
  input: { limit: limitSchema(200, 1000) },
  output: {
    channels: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: ['string', 'null'] },
          name: { type: ['string', 'null'] },
          is_private: { type: 'boolean' },
          is_member: { type: 'boolean' },
          members: { type: ['number', 'null'] },
        },
      },
    },
    has_more: { type: 'boolean' },
  },
  effect: 'reads',
  idempotent: true,

  async run(context) {
    const limit = inputCount(context, 'limit', { fallback: 200, max: 1000 });
    const { items, isCut } = await collectPages<JsonObject, string>({
      vendor: 'Slack',
      first: '',
      maxItems: limit,
      fetch: async (cursor) => {
        const query = {
          types: 'public_channel,private_channel',
          exclude_archived: true,
          limit: Math.min(limit, PAGE_SIZE),
          cursor: cursor === '' ? undefined : cursor,
        };
        const { data } = await callSlack(context, { method: 'conversations.list', query });
        const next = textAt(data, 'response_metadata', 'next_cursor');
        return { items: objectsOf(data.channels), next: next === null || next === '' ? undefined : next };
      },
    });
    return { channels: items.map(shortChannel), has_more: isCut };
  },
});

export const createChannel = slackAction({
  verb: 'create_channel',
  friendly_name: 'Create channel',
  description: 'Creates a channel, for example for one incident.',
  input: {
    name: { type: 'string', title: 'Name', description: 'Lower case, without spaces.', minLength: 1, maxLength: 80 },
    is_private: { type: 'boolean', title: 'Private', default: false },
  },
  required: ['name'],
  output: { channel_id: { type: ['string', 'null'] }, name: { type: ['string', 'null'] } },
  effect: 'changes',
  // A repetition finds the name taken and says so.
  idempotent: false,

  async run(context) {
    const name = inputText(context, 'name', { max: 80, pattern: /^[\p{Ll}\p{Lo}\p{N}_-]+$/u, like: 'such as case-77' });
    const body = { name, is_private: context.input.is_private === true };
    const { data } = await callSlack(context, { method: 'conversations.create', body });
    return { channel_id: textAt(data, 'channel', 'id'), name: textAt(data, 'channel', 'name') };
  },
});

export const openConversation = slackAction({
  verb: 'open_conversation',
  friendly_name: 'Open conversation',
  description: 'Opens a direct conversation with one member or several, to post into.',
  input: { users: { ...usersSchema, maxItems: 8 } },
  required: ['users'],
  output: { channel_id: { type: ['string', 'null'] } },
  effect: 'changes',
  idempotent: true,

  async run(context) {
    const users = inputUsers(context, 8).join(',');
    const { data } = await callSlack(context, { method: 'conversations.open', body: { users }, idempotent: true });
    return { channel_id: textAt(data, 'channel', 'id') };
  },
});

export const inviteToChannel = slackAction({
  verb: 'invite_to_channel',
  friendly_name: 'Invite to channel',
  description: 'Brings members into a channel the app is in.',
  input: { channel: { ...channelSchema, description: 'The id of the channel.' }, users: usersSchema },
  required: ['channel', 'users'],
  output: {
    invited: { type: 'array', items: { type: 'string' } },
    already_there: { type: 'array', items: { type: 'string' } },
  },
  effect: 'changes',
  idempotent: true,
  timeout_s: 60,

  // One by one: for a list Slack refuses everybody when one of them is there already.
  async run(context) {
    const channel = inputText(context, 'channel', channelRule);
    const invited: string[] = [];
    const alreadyThere: string[] = [];
    for (const users of inputUsers(context, MAX_USERS)) {
      const { error } = await callSlack(context, {
        method: 'conversations.invite',
        body: { channel, users },
        idempotent: true,
        tolerate: ['already_in_channel'],
      });
      (error === null ? invited : alreadyThere).push(users);
    }
    return { invited, already_there: alreadyThere };
  },
});

function inputUsers({ input }: ActionContext, max: number): string[] {
  const users = textsOf(input.users);
  const fits = users.length > 0 && users.length <= max && users.every((user) => userRule.pattern.test(user));
  if (fits) return [...new Set(users)];
  throw new VendorError('VENDOR_REJECTED', `"users" must be 1 to ${max} ids of members, ${userRule.like}.`);
}

function shortChannel(channel: JsonObject): JsonObject {
  return {
    id: textOf(channel, 'id'),
    name: textOf(channel, 'name'),
    is_private: channel.is_private === true,
    is_member: channel.is_member === true,
    members: numberOf(channel, 'num_members'),
  };
}
