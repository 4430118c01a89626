import type { ConfirmBody } from '@airdeck/contracts/error-codes';
import type { Told } from '@airdeck/contracts/filled-text';
import type { Caller } from './handlers.ts';

/** What a person is asked before a call of this weight goes through. */
export type Question = {
  /** What exactly is confirmed, besides route, tenant and caller: another object or value is another question. */
  readonly object: string;
  readonly title: Told;
  /** One sentence after the other. */
  readonly text: readonly Told[];
  readonly action_label: Told;
  /** What has to be typed, and how the person is told so. */
  readonly passphrase?: { readonly expected: string; readonly hint: Told };
};

/**
 * Throws CONFIRMATION_REQUIRED with the question, or CONFIRMATION_WRONG for another passphrase. Resolves once for each
 * time the question was asked, when the call is repeated with the header within five minutes.
 */
export type Confirm = (question: Question) => Promise<void>;

export type ConfirmationHeaders = { readonly confirmed: boolean; readonly passphrase: string | undefined };

export type Asked = {
  readonly caller: Caller;
  /** Where it was asked, and whose audit a wrong answer belongs to: the tenant of the path, otherwise the caller's own. */
  readonly tenant: string;
  readonly routeId: string;
  readonly requestId: string;
  readonly headers: ConfirmationHeaders;
  readonly question: Question;
};

/** Remembers who was asked what, for all processes. */
export interface Confirmations {
  confirm(asked: Asked): Promise<void>;
}

export function confirmBody({ title, text, action_label, passphrase }: Question): ConfirmBody {
  const hint = passphrase?.hint;
  return {
    title: title.message,
    text: text.map(({ message }) => message).join(' '),
    action_label: action_label.message,
    ...(hint === undefined ? {} : { passphrase_hint: hint.message }),
    told: { title, text, action_label, ...(hint === undefined ? {} : { passphrase_hint: hint }) },
  };
}

export function confirmationHeaders(headers: Readonly<Record<string, unknown>>): ConfirmationHeaders {
  const passphrase = headers['x-air-confirm-passphrase'];
  return {
    confirmed: headers['x-air-confirm'] === 'true',
    passphrase: typeof passphrase === 'string' ? passphrase.slice(0, 300) : undefined,
  };
}
