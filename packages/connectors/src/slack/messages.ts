import type { ActionContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { textOf } from '../answer-fields.ts';
import { inputText, optionalText } from '../vendor-action.ts';
import { channelRule, channelSchema, slackAction, timestampRule } from './slack-action.ts';
import { callSlack } from './slack-client.ts';

/** Slack cuts longer texts off without saying so. */
const TEXT_MAX = 20_000;
/** A longer update is refused, counted in UTF-8 as it is sent. */
const UPDATE_MAX_BYTES = 4_000;

const textSchema = { type: 'string', title: 'Text', minLength: 1, maxLength: TEXT_MAX };
const formatSchema = {
  type: 'string',
  title: 'Format',
  description:
    'Plain shows the text as it is. Mrkdwn takes formatting, links and mentions: only for texts you wrote yourself.',
  enum: ['plain', 'mrkdwn'],
  default: 'plain',
};

const messageOutput = {
  channel: { type: ['string', 'null'] },
  ts: { type: ['string', 'null'], description: 'What the message is known by in its channel.' },
};

export const postMessage = slackAction({
  verb: 'post_message',
  friendly_name: 'Post message',
  description: 'Posts a message to a channel, or as a reply in a thread.',
  input: {
    channel: channelSchema,
    text: textSchema,
    format: formatSchema,
    thread_ts: {
      type: 'string',
      title: 'Reply to',
      description: 'The "ts" of the message to reply to.',
      maxLength: 30,
    },
  },
  required: ['channel', 'text'],
  output: messageOutput,
  effect: 'changes',
  // Slack takes no key that would make a repeated message one.
  idempotent: false,

  async run(context) {
    const { data } = await callSlack(context, {
      method: 'chat.postMessage',
      body: {
        channel: inputText(context, 'channel', channelRule),
        thread_ts: optionalText(context, 'thread_ts', timestampRule),
        text: messageText(context, TEXT_MAX),
        mrkdwn: context.input.format === 'mrkdwn',
        // Links in findings are often hostile: Slack's servers should not visit them.
        unfurl_links: false,
        unfurl_media: false,
      },
    });
    return messageOf(data);
  },
});

export const updateMessage = slackAction({
  verb: 'update_message',
  friendly_name: 'Update message',
  description:
    'Replaces the text of a message this app posted. Slack applies formatting marks, such as asterisks for bold, in both formats here.',
  input: {
    channel: { ...channelSchema, description: 'The id of the channel, as "Post message" returned it.' },
    ts: { type: 'string', title: 'Message', description: 'The "ts" of the message.', maxLength: 30 },
    text: {
      ...textSchema,
      description:
        'At most 4,000 bytes: letters with accents take two or more, and &, < and > in plain text four or five.',
      maxLength: UPDATE_MAX_BYTES,
    },
    format: {
      ...formatSchema,
      description: 'Plain takes no links and mentions. Mrkdwn takes them: only for texts you wrote yourself.',
    },
  },
  required: ['channel', 'ts', 'text'],
  output: messageOutput,
  effect: 'changes',
  idempotent: true,

  async run(context) {
    const text = messageText(context, UPDATE_MAX_BYTES);
    if (Buffer.byteLength(text) > UPDATE_MAX_BYTES) {
      throw new VendorError('VENDOR_REJECTED', '"text" is too long: Slack takes at most 4,000 bytes for an update.');
    }
    const { data } = await callSlack(context, {
      method: 'chat.update',
      idempotent: true,
      body: {
        channel: inputText(context, 'channel', channelRule),
        ts: inputText(context, 'ts', timestampRule),
        text,
      },
    });
    return messageOf(data);
  },
});

/** As plain text nothing in it can mention a channel or hide where a link leads. */
function messageText(context: ActionContext, max: number): string {
  const text = inputText(context, 'text', { max });
  if (context.input.format === 'mrkdwn') return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function messageOf(data: JsonObject): JsonObject {
  return { channel: textOf(data, 'channel'), ts: textOf(data, 'ts') };
}
