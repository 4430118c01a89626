/**
 * Plain connections for the one protocol beside HTTP that connectors speak: SMTP. Resolved, classified and dialled exactly
 * like every request (see egress-dial.ts), and on the ports of mail servers only, so that nothing else inside or outside
 * can be talked to in lines of text. TLS, from the start or by STARTTLS, is the mail client's work on this socket.
 */

import type { Socket } from 'node:net';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { hostOf } from './egress-destination.ts';
import { createDialer, type DialDeps } from './egress-dial.ts';
import { EgressError } from './egress-error.ts';
import { asEgressError } from './egress-failure.ts';

/** Relay, submission with TLS, submission, and the port providers offer where 25 is blocked. */
export const mailPorts: ReadonlySet<number> = new Set([25, 465, 587, 2525]);

export type SocketRequest = {
  readonly tenant: string;
  /** A name or address, IPv6 with or without brackets; never with a port. */
  readonly host: string;
  readonly port: number;
  readonly signal?: AbortSignal;
};

export type SocketDeps = DialDeps & {
  /** The local sandbox: may be reached on a port that is not a mail server's. */
  readonly isSandbox: (host: string, port: number) => boolean;
};

/** A connected socket without TLS; the caller ends it. Throws `EgressError`. */
export async function openSocket(request: SocketRequest, deps: SocketDeps): Promise<Socket> {
  const { port, signal } = request;
  const host = plainHost(request.host);
  if (!mailPorts.has(port) && !deps.isSandbox(host, port)) {
    throw new EgressError(
      'EGRESS_DENIED',
      refusal('EGRESS_PORT_OF_MAIL', { port: String(port), ports: [...mailPorts].join(', ') }),
    );
  }
  try {
    signal?.throwIfAborted();
    return await dialled({ tenant: request.tenant, host, port }, signal, deps);
  } catch (error) {
    const aborted = signal?.aborted === true;
    throw asEgressError(error, { host, timeoutMs: deps.connectTimeoutMs, timedOut: false, aborted });
  }
}

/** As a URL parser writes it: decimal, octal and full-width spellings of an address become the address they mean. */
function plainHost(text: string): string {
  const host = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text;
  const isHost = /^(?:\[[0-9a-fA-F:.]+\]|[^\s/?#@\\:[\]]+)$/u.test(host);
  if (!isHost || !URL.canParse(`http://${host}/`)) {
    throw new EgressError('EGRESS_DENIED', refusal('EGRESS_NAME_INVALID'));
  }
  return hostOf(new URL(`http://${host}/`));
}

function dialled(
  { tenant, host, port }: { tenant: string; host: string; port: number },
  signal: AbortSignal | undefined,
  deps: DialDeps,
): Promise<Socket> {
  const dial = createDialer(tenant, undefined, deps);
  return new Promise((resolve, reject) => {
    const stop = () => reject(new EgressError('ABORTED', refusal('EGRESS_CANCELLED', { host })));
    signal?.addEventListener('abort', stop, { once: true });
    dial({ hostname: host, host, protocol: 'http:', port: String(port) }, (error, socket) => {
      signal?.removeEventListener('abort', stop);
      if (error !== null) reject(error);
      else if (signal?.aborted === true) socket.destroy();
      else resolve(socket);
    });
  });
}
