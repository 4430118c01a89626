import type { ActionContext } from '@airdeck/connector-kit/definition';
import { clipped } from '@airdeck/connector-kit/vendor-answer';
import type { JsonObject } from '@airdeck/contracts/fields';
import { actionFactory } from '../vendor-action.ts';
import { domainOf, inputMessage, MAX_RECIPIENTS, type MailMessage, SUBJECT_MAX, TEXT_MAX } from './mail-message.ts';
import { onMailServer } from './mail-server.ts';

export const smtpMailOwner = { definition_id: 'smtp_mail', vendor: 'SMTP', product: 'Mail' } as const;

const addressList = (title: string) => ({
  type: 'array',
  title,
  items: { type: 'string', maxLength: 254 },
  maxItems: MAX_RECIPIENTS,
});

export const sendMail = actionFactory(smtpMailOwner)({
  verb: 'send_mail',
  friendly_name: 'Send mail',
  description: "Sends one mail through the tenant's own mail server.",
  input: {
    to: { ...addressList('To'), minItems: 1 },
    cc: addressList('Copy'),
    bcc: addressList('Blind copy'),
    reply_to: { type: 'string', title: 'Replies to', maxLength: 254 },
    subject: { type: 'string', title: 'Subject', minLength: 1, maxLength: SUBJECT_MAX },
    text: { type: 'string', title: 'Text', minLength: 1, maxLength: TEXT_MAX },
    html: {
      type: 'string',
      title: 'Text as HTML',
      description: 'Shown in place of the text where it can be.',
      maxLength: TEXT_MAX,
    },
  },
  required: ['to', 'subject', 'text'],
  output: {
    message_id: { type: 'string' },
    accepted: { type: 'array', items: { type: 'string' } },
    rejected: {
      type: 'array',
      description: 'Recipients the server did not take, while it took others.',
      items: {
        type: 'object',
        properties: { address: { type: 'string' }, reason: { type: 'string' }, is_temporary: { type: 'boolean' } },
      },
    },
    response: { type: ['string', 'null'], description: 'What the server said when it took the mail.' },
  },
  effect: 'changes',
  // A mail that was taken cannot be taken back, and servers do not drop the same one twice.
  idempotent: false,
  timeout_s: 60,

  async run(context: ActionContext) {
    const message = inputMessage(context);
    const sent = await onMailServer(context, domainOf(message.from.address), (transport) =>
      transport.sendMail(mailOf(message)),
    );
    return {
      message_id: message.messageId,
      accepted: sent.accepted,
      rejected: (sent.rejectedErrors ?? []).map(rejectionOf),
      response: typeof sent.response === 'string' ? clipped(sent.response) : null,
    };
  },
});

/** Addresses as objects and the envelope spelled out: nothing is parsed as a list of addresses again. */
function mailOf(message: MailMessage) {
  const recipients = [...message.to, ...message.cc, ...message.bcc];
  return {
    envelope: { from: message.from.address, to: [...new Set(recipients)] },
    from: message.from,
    to: message.to.map(asMailbox),
    ...(message.cc.length === 0 ? {} : { cc: message.cc.map(asMailbox) }),
    ...(message.replyTo === undefined ? {} : { replyTo: asMailbox(message.replyTo) }),
    subject: message.subject,
    text: message.text,
    ...(message.html === undefined ? {} : { html: message.html }),
    messageId: message.messageId,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

function asMailbox(address: string): { name: string; address: string } {
  return { name: '', address };
}

function rejectionOf(error: unknown): JsonObject {
  const { recipient, response, responseCode } = error as Record<string, unknown>;
  return {
    address: typeof recipient === 'string' ? recipient : '',
    reason: typeof response === 'string' ? clipped(response) : 'no reason given',
    is_temporary: typeof responseCode === 'number' && responseCode < 500,
  };
}
