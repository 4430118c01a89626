/**
 * One connection to the tenant's mail server, opened by the guarded egress and ended with the work it was opened for.
 * Encryption is not negotiable by the other side: where it is due, a server without it is refused before anything is said.
 */
import type { Socket } from 'node:net';
import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { asEgressError } from '@airdeck/connector-kit/egress-failure';
import { clipped } from '@airdeck/connector-kit/vendor-answer';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { createTransport } from 'nodemailer';
import { configText, configTextOr } from '../config-values.ts';

const SETUP_WITHIN_MS = 10_000;
const SILENT_AT_MOST_MS = 30_000;
const SESSION_AT_MOST_MS = 50_000;
const MAX_RESPONSE_BYTES = 65_536;

export type MailServer = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS. */
  readonly isTlsFromStart: boolean;
  /** Only then a session may go on without encryption, and never with a password. */
  readonly mayBePlain: boolean;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
  readonly ca: string | undefined;
};

/** The server of a configuration. Throws `CONNECTOR_CONFIG_INVALID`. */
export function mailServerOf(config: JsonObject): MailServer {
  const address = /^(smtps?):\/\/(\[[0-9a-f:.]+\]|[^\s/?#@\\:[\]]+)(?::(\d{1,5}))?\/?$/i.exec(
    configText(config, 'server'),
  );
  const [, scheme = '', host = '', port] = address ?? [];
  if (host === '') {
    throw new VendorError('CONNECTOR_CONFIG_INVALID', 'The mail server must be like smtps://mail.example.net:465.');
  }
  const isTlsFromStart = scheme.toLowerCase() === 'smtps';
  const user = configTextOr(config, 'username', '');
  const mayBePlain = config.allow_plaintext === true && !isTlsFromStart;
  if (mayBePlain && user !== '') {
    throw new VendorError('CONNECTOR_CONFIG_INVALID', refusal('MAIL_PASSWORD_PLAIN'));
  }
  const ca = configTextOr(config, 'ca_certificate', '');
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: port === undefined ? (isTlsFromStart ? 465 : 587) : Number(port),
    isTlsFromStart,
    mayBePlain,
    login: user === '' ? undefined : { user, pass: configText(config, 'password') },
    ca: ca === '' ? undefined : ca,
  };
}

export type MailTransport = ReturnType<typeof transportOn>;

/** Runs `work` on one connection, which is gone afterwards. Throws `VendorError` or `EgressError`. */
export async function onMailServer<T>(
  context: ConnectorContext,
  clientName: string,
  work: (transport: MailTransport) => Promise<T>,
): Promise<T> {
  const server = mailServerOf(context.config);
  const { host, port } = server;
  const late = AbortSignal.timeout(SESSION_AT_MOST_MS);
  if (context.egress.openSocket === undefined) {
    throw new EgressError('EGRESS_DENIED', refusal('EGRESS_MAIL_NOT_HERE'));
  }
  const socket = await context.egress.openSocket({ tenant: context.tenant, host, port, signal: context.signal });
  const ended = AbortSignal.any([context.signal, late]);
  const end = () => socket.destroy();
  ended.addEventListener('abort', end, { once: true });
  // Whoever uses the socket gets the error; between its users nobody would.
  socket.on('error', () => undefined);
  try {
    if (ended.aborted) end();
    return await work(transportOn(server, socket, clientName));
  } catch (error) {
    if (context.signal.aborted)
      throw new EgressError('ABORTED', refusal('EGRESS_CANCELLED', { host }), { cause: error });
    if (late.aborted)
      throw new EgressError(
        'TIMEOUT',
        refusal('EGRESS_NOT_FINISHED_IN', { host, seconds: SESSION_AT_MOST_MS / 1000 }),
        {
          cause: error,
        },
      );
    throw mailError(error, host);
  } finally {
    ended.removeEventListener('abort', end);
    socket.destroy();
  }
}

function transportOn(server: MailServer, connection: Socket, clientName: string) {
  return createTransport({
    connection,
    name: clientName,
    host: server.host,
    port: server.port,
    secure: server.isTlsFromStart,
    requireTLS: !server.isTlsFromStart && !server.mayBePlain,
    tls: { minVersion: 'TLSv1.2', ...(server.ca === undefined ? {} : { ca: server.ca }) },
    ...(server.login === undefined ? {} : { auth: server.login }),
    connectionTimeout: SETUP_WITHIN_MS,
    greetingTimeout: SETUP_WITHIN_MS,
    socketTimeout: SILENT_AT_MOST_MS,
    socketCloseTimeout: 1000,
    maxResponseSize: MAX_RESPONSE_BYTES,
    logger: false,
    // Nothing of a message is read from this machine or fetched from elsewhere.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** A failure of the session, by the code of the mail client and the reply of the server. */
function mailError(error: unknown, host: string): Error {
  if (error instanceof EgressError || error instanceof VendorError) return error;
  const { code, responseCode, response } = error as { code?: unknown; responseCode?: unknown; response?: unknown };
  const options = { cause: error };
  if (code === 'ETLS') return new EgressError('TLS_FAILED', refusal('EGRESS_NO_ENCRYPTION', { host }), options);
  if (typeof responseCode === 'number' && responseCode >= 400) {
    const words = typeof response === 'string' ? clipped(response) : String(responseCode);
    // A reply is the server's last word about the mail, a 4xx one as well: it did not take it.
    const refused = { ...options, outcomeUnknown: false };
    return new VendorError(replyCode(code, responseCode), refusal('MAIL_REFUSED', { host, words }), refused);
  }
  if (code === 'EAUTH' || code === 'ENOAUTH') {
    return new VendorError('VENDOR_CREDENTIALS_REFUSED', refusal('MAIL_LOGIN_KIND', { host }), options);
  }
  if (code === 'ETIMEDOUT') return new EgressError('TIMEOUT', refusal('EGRESS_NO_ANSWER_IN_TIME', { host }), options);
  if (code === 'EPROTOCOL') {
    return new VendorError('VENDOR_ANSWER_UNREADABLE', refusal('MAIL_NOT_A_SERVER', { host }), options);
  }
  return connectionError(error, host);
}

/** What the socket said, which the mail client keeps beside its own code: an untrusted certificate, a reset. */
function connectionError(error: unknown, host: string): EgressError {
  const { originalCode } = error as { originalCode?: unknown };
  const original = Object.assign(new Error('The connection ended.', { cause: error }), { code: originalCode });
  return asEgressError(original, { host, timeoutMs: SILENT_AT_MOST_MS, timedOut: false, aborted: false });
}

/** 4xx passes, 5xx stays; what a login is refused with is about the credentials. */
function replyCode(code: unknown, reply: number) {
  if (reply < 500) return 'VENDOR_UNAVAILABLE';
  return code === 'EAUTH' || reply === 530 || reply === 535 ? 'VENDOR_CREDENTIALS_REFUSED' : 'VENDOR_REJECTED';
}
