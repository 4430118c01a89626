import { createHash } from 'node:crypto';
import type { ActionContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { configText, configTextOr } from '../config-values.ts';
import { inputText, optionalText } from '../vendor-action.ts';

/** Of all fields together: this is no way to send to lists. */
export const MAX_RECIPIENTS = 50;
export const SUBJECT_MAX = 300;
export const TEXT_MAX = 200_000;

/** One plain address. No quoted names, comments, routes or address literals, and nothing that could end a line. */
export const ADDRESS =
  /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;
const ADDRESS_MAX = 254;

const addressRule = { max: ADDRESS_MAX, pattern: ADDRESS, like: 'such as ana@example.com' };

export type MailMessage = {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string | undefined;
  /** The same on every try of one step, so that a mail that arrives twice can be recognised. */
  readonly messageId: string;
};

/** The message of an action's input. Throws `VENDOR_REJECTED` for anything that would not be exactly this one message. */
export function inputMessage(context: ActionContext): MailMessage {
  const [to, cc, bcc] = [inputAddresses(context, 'to'), inputAddresses(context, 'cc'), inputAddresses(context, 'bcc')];
  const count = to.length + cc.length + bcc.length;
  if (to.length === 0 || count > MAX_RECIPIENTS) {
    throw new VendorError('VENDOR_REJECTED', `A mail needs a recipient in "to", and at most ${MAX_RECIPIENTS} in all.`);
  }
  const from = senderOf(context.config);
  const key = createHash('sha256').update(context.idempotencyKey).digest('hex').slice(0, 32);
  return {
    from,
    to,
    cc,
    bcc,
    replyTo: optionalText(context, 'reply_to', addressRule),
    subject: inputText(context, 'subject', {
      max: SUBJECT_MAX,
      pattern: /^[^\p{Cc}\u2028\u2029]+$/u,
      like: 'one line',
    }),
    text: inputText(context, 'text', { max: TEXT_MAX }),
    html: optionalText(context, 'html', { max: TEXT_MAX }),
    messageId: `<${key}@${domainOf(from.address)}>`,
  };
}

export function senderOf(config: JsonObject): MailMessage['from'] {
  const address = configText(config, 'from_address');
  const name = configTextOr(config, 'from_name', '');
  if (!ADDRESS.test(address) || address.length > ADDRESS_MAX || /\p{Cc}/u.test(name)) {
    throw new VendorError('CONNECTOR_CONFIG_INVALID', 'The sender in the settings of the connector is not usable.');
  }
  return { name, address };
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function inputAddresses({ input }: ActionContext, field: string): string[] {
  const value = input[field];
  if (value === undefined || value === null) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (!list.every(isAddress)) {
    throw new VendorError('VENDOR_REJECTED', `"${field}" must be plain addresses, such as ana@example.com.`);
  }
  return [...new Set(list)];
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length <= ADDRESS_MAX && ADDRESS.test(value);
}
