import { isIP } from 'node:net';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { type AddressClass, classifyAddress } from './address-class.ts';
import { EgressError } from './egress-error.ts';

export type Destination = {
  readonly tenant: string;
  /** Host as written in the URL after normalisation, without brackets. */
  readonly host: string;
  readonly port: number;
};

/**
 * Rules beside the class of an address: `isRefused` is asked about every one, `isExcepted` about those that are not public.
 */
export type AddressRules = {
  /** Never dialled although it is public: our own. */
  readonly isRefused: (destination: Destination, address: string) => boolean;
  /** May be dialled although it is not public. */
  readonly isExcepted: (destination: Destination, address: string) => boolean | Promise<boolean>;
};

const kindTexts = {
  private: 'EGRESS_KIND_PRIVATE',
  loopback: 'EGRESS_KIND_LOOPBACK',
  link_local: 'EGRESS_KIND_LINK_LOCAL',
  carrier_nat: 'EGRESS_KIND_CARRIER_NAT',
  multicast: 'EGRESS_KIND_MULTICAST',
  broadcast: 'EGRESS_KIND_BROADCAST',
  unspecified: 'EGRESS_KIND_UNSPECIFIED',
  documentation: 'EGRESS_KIND_DOCUMENTATION',
  embeds_ipv4: 'EGRESS_KIND_EMBEDS_IPV4',
  reserved: 'EGRESS_KIND_RESERVED',
  unknown: 'EGRESS_KIND_UNKNOWN',
} as const satisfies Readonly<Record<Exclude<AddressClass, 'public'>, string>>;

/** Turns a name into every address it has. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * Ports that speak something a forged HTTP request could misuse: the "bad ports" of the fetch standard, and stores that
 * answer to plain text.
 */
const deniedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526, 530,
  531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380,
  3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5900, 5985, 5986, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10080, 10250, 11211, 27017,
]);

/** Checks everything about a URL that needs no resolver. Throws `EGRESS_DENIED`. */
export function checkUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new EgressError('EGRESS_DENIED', refusal('EGRESS_ADDRESS_INVALID'));
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new EgressError('EGRESS_DENIED', refusal('EGRESS_PROTOCOL', { protocol: url.protocol.replace(/:$/, '') }));
  }
  if (url.username !== '' || url.password !== '') {
    throw new EgressError('EGRESS_DENIED', refusal('EGRESS_ADDRESS_USER'));
  }
  const port = portOf(url);
  if (deniedPorts.has(port)) throw new EgressError('EGRESS_DENIED', refusal('EGRESS_PORT', { port: String(port) }));
  return url;
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** The host of a URL without the brackets of an IPv6 literal and without the dot that ends an absolute name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/**
 * Resolves the host and classifies every address it has. One forbidden address refuses the whole name: a name that mixes
 * public and private answers is how rebinding starts. Throws `EGRESS_DENIED` or `DNS_FAILED`, and `CONNECT_FAILED` where it could
 * not be found out.
 */
export async function resolveAllowed(
  destination: Destination,
  deps: AddressRules & { resolve: Resolve },
): Promise<readonly string[]> {
  try {
    return await judged(destination, deps);
  } catch (cause) {
    throw undecided(destination.host, cause);
  }
}

/** Nothing was sent yet, whatever kept us from knowing: a step that must not be repeated may be tried again. */
export function undecided(host: string, cause: unknown): EgressError {
  if (cause instanceof EgressError) return cause;
  return new EgressError('CONNECT_FAILED', refusal('EGRESS_UNDECIDED', { host }), { cause, outcomeUnknown: false });
}

async function judged(destination: Destination, deps: AddressRules & { resolve: Resolve }): Promise<readonly string[]> {
  const addresses = isIP(destination.host) > 0 ? [destination.host] : await resolveName(destination.host, deps.resolve);
  for (const address of addresses) {
    if (deps.isRefused(destination, address)) {
      throw new EgressError('EGRESS_DENIED', refusal('EGRESS_ADDRESS_OURS', { host: destination.host }));
    }
    const found = classifyAddress(address);
    if (found === 'public' || (await deps.isExcepted(destination, address))) continue;
    throw new EgressError(
      'EGRESS_DENIED',
      refusal('EGRESS_ADDRESS_KIND', { host: destination.host, kind: [refusal(kindTexts[found])] }),
    );
  }
  return addresses;
}

async function resolveName(host: string, resolve: Resolve): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await resolve(host);
  } catch (cause) {
    if (cause instanceof EgressError) throw cause;
    throw new EgressError('DNS_FAILED', refusal('EGRESS_NAME_UNKNOWN', { host }), { cause });
  }
  if (addresses.length === 0) throw new EgressError('DNS_FAILED', refusal('EGRESS_NAME_WITHOUT_ADDRESS', { host }));
  return addresses;
}
