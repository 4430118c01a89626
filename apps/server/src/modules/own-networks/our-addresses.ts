import type { NetworkInterfaceInfo } from 'node:os';
import type { EgressOptions } from '@airdeck/connector-kit/egress';
import type { Config } from '../../config/config.ts';

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Interfaces come and go with containers and tunnels, but not by the second. */
const KEPT_FOR_MS = 60_000;

/**
 * Which destinations are this installation itself: the names of its own address, stores, malware scanner and collector of traces, the
 * addresses of this machine, and those its calls leave from. Its API, stores and metrics are not to be called through it, by
 * whatever name.
 */
export function ourAddresses(
  config: Pick<Config, 'http' | 'stores' | 'egressAddresses' | 'filesBucket' | 'malwareScanner' | 'tracing'>,
  deps: { interfaces: () => Interfaces; now: () => Date },
): NonNullable<EgressOptions['isOurs']> {
  const { databaseUrl, eventsUrl } = config.stores;
  const { http, filesBucket, malwareScanner, tracing } = config;
  const addresses = [http.publicUrl, databaseUrl, eventsUrl, filesBucket?.origin, tracing?.url];
  const scanner = malwareScanner !== undefined && 'host' in malwareScanner ? [malwareScanner.host.toLowerCase()] : [];
  const names = new Set([...addresses.flatMap(hostsOf), ...scanner]);
  const configured = new Set(config.egressAddresses);
  let machine: { addresses: ReadonlySet<string>; at: number } | undefined;

  function ofMachine(): ReadonlySet<string> {
    const at = deps.now().getTime();
    if (machine === undefined || Math.abs(at - machine.at) > KEPT_FOR_MS) {
      // Those inside the machine are refused by their class, which says so more plainly.
      const outside = Object.values(deps.interfaces())
        .flatMap((entries) => entries ?? [])
        .filter(({ internal }) => !internal);
      machine = { addresses: new Set(outside.map(({ address }) => address)), at };
    }
    return machine.addresses;
  }

  return ({ host }, address) =>
    names.has(host.toLowerCase()) || configured.has(address) || names.has(address) || ofMachine().has(address);
}

function hostsOf(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const host = new URL(url).hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  return host === '' ? [] : [host];
}
