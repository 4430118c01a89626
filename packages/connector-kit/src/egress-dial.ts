import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { buildConnector as buildConnectorTypes } from 'undici';
import { buildConnector } from 'undici';
import type { AddressRules, Destination, Resolve } from './egress-destination.ts';
import { resolveAllowed } from './egress-destination.ts';
import { EgressError } from './egress-error.ts';

export type CertificateFacts = {
  readonly expiresAt: Date | null;
  /** Why it is not trusted, as OpenSSL's or Node's code; null when it is. */
  readonly problem: string | null;
};

export type DialDeps = AddressRules & {
  resolve: Resolve;
  connectTimeoutMs: number;
};

/**
 * The connector of one tenant's agent. Every new connection resolves, classifies and dials exactly what was classified:
 * the lookup handed to the socket only knows those addresses, so a second answer of the resolver is never asked for. Host
 * header and TLS server name stay the name of the URL.
 */
export function createDialer(
  tenant: string,
  ca: string | undefined,
  deps: DialDeps,
  /** Told what the certificate is like, also when the connection is then refused because of it. */
  look?: (facts: CertificateFacts) => void,
): buildConnectorTypes.connector {
  return (options, callback) => {
    const host = options.hostname.replace(/\.$/, '');
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const destination: Destination = { tenant, host, port };
    const startedAt = performance.now();
    withinConnectTime(resolveAllowed(destination, deps), host, deps.connectTimeoutMs).then(
      (addresses) => {
        const dial = buildConnector({
          timeout: Math.max(1, deps.connectTimeoutMs - (performance.now() - startedAt)),
          lookup: pinnedLookup(addresses),
          autoSelectFamily: true,
          ...(ca === undefined ? {} : { ca }),
          // Judged by `lookAt` instead, before anything is sent: a handshake that fails would not show the certificate.
          ...(look === undefined ? {} : { rejectUnauthorized: false }),
        });
        dial(options, (error, socket) => {
          if (error !== null) callback(error, null);
          else if (look === undefined) refuseStranger(addresses, socket, callback);
          else refuseStranger(addresses, socket, lookAt(host, look, callback));
        });
      },
      (error: Error) => callback(error, null),
    );
  };
}

/** Goes on only with a connection whose certificate is trusted, or that has none. */
function lookAt(
  host: string,
  look: (facts: CertificateFacts) => void,
  callback: buildConnectorTypes.Callback,
): buildConnectorTypes.Callback {
  return (...[error, socket]) => {
    if (error !== null || !(socket instanceof TLSSocket)) {
      callback(...([error, socket] as Parameters<buildConnectorTypes.Callback>));
      return;
    }
    const facts = certificateFacts(socket);
    look(facts);
    if (facts.problem === null) {
      callback(null, socket);
      return;
    }
    socket.destroy();
    callback(new EgressError('TLS_FAILED', refusal('EGRESS_CERTIFICATE', { host, problem: facts.problem })), null);
  };
}

function certificateFacts(socket: TLSSocket): CertificateFacts {
  const until = new Date(socket.getPeerCertificate().valid_to ?? '');
  const expiresAt = Number.isNaN(until.getTime()) ? null : until;
  if (socket.authorized) return { expiresAt, problem: null };
  // Documented as a code, typed as an error.
  const problem: unknown = socket.authorizationError;
  return { expiresAt, problem: typeof problem === 'string' ? problem : 'unknown reason' };
}

function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const first = found[0];
    if (first === undefined) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0);
    else if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}

/** Belt and braces: whatever the socket layer did, a connection to another address than the classified ones is dropped. */
function refuseStranger(
  addresses: readonly string[],
  socket: Parameters<buildConnectorTypes.Callback>[1],
  callback: buildConnectorTypes.Callback,
): void {
  const remote = socket?.remoteAddress;
  if (socket === null || (remote !== undefined && addresses.some((address) => sameAddress(address, remote)))) {
    callback(null, socket as NonNullable<typeof socket>);
    return;
  }
  socket.destroy();
  callback(new EgressError('EGRESS_DENIED', refusal('EGRESS_ADDRESS_SWAPPED')), null);
}

function sameAddress(checked: string, remote: string): boolean {
  if (checked === remote) return true;
  return isIP(checked) === 6 && isIP(remote) === 6 && canonical(checked) === canonical(remote);
}

function canonical(ipv6: string): string {
  return new URL(`http://[${ipv6}]`).hostname;
}

async function withinConnectTime<T>(work: Promise<T>, host: string, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new EgressError('TIMEOUT', refusal('EGRESS_NAME_SLOW', { host, seconds: timeoutMs / 1000 }), {
            outcomeUnknown: false,
          }),
        ),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
