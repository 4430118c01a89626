import { createTransport } from 'nodemailer';

const CONNECT_WITHIN_MS = 10_000;
const SILENT_AT_MOST_MS = 30_000;

export type MailAddress = { readonly name: string; readonly address: string };

export type MailServer = {
  /** `smtp://` or `smtps://` with host, port, and user and password where the server wants them. */
  readonly url: string;
  readonly from: MailAddress;
};

export type OutgoingMail = {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
};

/** `permanent`: the server knows that this recipient will never work. The reason names neither people nor secrets. */
export type SendOutcome = { sent: true } | { sent: false; permanent: boolean; reason: string };

export interface MailTransport {
  /** Never throws. */
  send(mail: OutgoingMail): Promise<SendOutcome>;
}

/** Hands mails to one mail server, a connection each: few are sent, and none is kept waiting by a stale connection. */
export function createMailTransport({ url, from }: MailServer): MailTransport {
  const { hostname, port, username, password, protocol } = new URL(url);
  const secure = protocol === 'smtps:';
  const hasLogin = username !== '';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // A password never crosses a network in the clear.
    requireTLS: !secure && hasLogin && !isLoopback(hostname),
    ...(hasLogin ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    dnsTimeout: CONNECT_WITHIN_MS,
    socketTimeout: SILENT_AT_MOST_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);

  return {
    async send({ id, to, subject, text }) {
      try {
        await transport.sendMail({
          // As objects and with the envelope spelled out, addresses are never parsed as lists.
          envelope: { from: from.address, to: [to] },
          from,
          to: { name: '', address: to },
          subject,
          text,
          // The same at every try, so that a mail that arrives twice can be recognised.
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return { sent: true };
      } catch (error) {
        return failure(error);
      }
    },
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/** Of mails nobody can receive: 5.7.x is what a server may not do for us, such as passing mails on. */
const FORBIDDEN = /^55[0-3][ -]5\.7\./;

function failure(error: unknown): SendOutcome {
  const { code, command, response, responseCode } = error as Record<
    'code' | 'command' | 'response' | 'responseCode',
    unknown
  >;
  const kind = typeof code === 'string' ? code : 'unknown';
  const status = typeof responseCode === 'number' ? responseCode : undefined;
  // A refused login or sender is repaired by the operator; only a refused recipient is for good.
  const isRecipient = command === 'RCPT TO' && !(typeof response === 'string' && FORBIDDEN.test(response));
  const permanent = isRecipient && status !== undefined && status >= 550 && status <= 553;
  return { sent: false, permanent, reason: status === undefined ? kind : `${kind} ${status}` };
}
