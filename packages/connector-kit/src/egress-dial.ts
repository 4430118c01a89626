import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { buildConnector as buildConnectorTypes } from 'undici';
import { buildConnector } from 'undici';
import type { AddressException, Destination, Resolve } from './egress-destination.ts';
import { resolveAllowed } from './egress-destination.ts';
import { EgressError } from './egress-error.ts';

export type DialDeps = {
  resolve: Resolve;
  isExcepted: AddressException;
  connectTimeoutMs: number;
};

/**
 * The connector of one tenant's agent. Every new connection resolves, classifies and dials exactly what was classified:
 * the lookup handed to the socket only knows those addresses, so a second answer of the resolver is never asked for. Host
 * header and TLS server name stay the name of the URL.
 */
export function createDialer(tenant: string, ca: string | undefined, deps: DialDeps): buildConnectorTypes.connector {
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
        });
        dial(options, (error, socket) => {
          if (error === null) refuseStranger(addresses, socket, callback);
          else callback(error, null);
        });
      },
      (error: Error) => callback(error, null),
    );
  };
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
  callback(new EgressError('EGRESS_DENIED', 'The connection went to another address than the one checked.'), null);
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
      () => reject(new EgressError('TIMEOUT', `Resolving ${host} took longer than ${timeoutMs / 1000} s.`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
