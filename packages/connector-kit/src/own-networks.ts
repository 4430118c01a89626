import ipaddr from 'ipaddr.js';
import { addressFamily, classifyAddress } from './address-class.ts';

/**
 * A network of a tenant's own, as `10.1.2.0/24`: its appliances have addresses that are not public. Only plain private
 * space can be one (RFC 1918, unique local IPv6); loopback, link-local, metadata services and carrier NAT never can,
 * whatever anybody writes down.
 */
export type OwnNetwork = string;

type Parsed = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

const privateSpace: readonly Parsed[] = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'].map((range) =>
  ipaddr.parseCIDR(range),
);

/** One written form for one network: bits beyond the prefix cleared. Undefined for what is not wholly private space. */
export function ownNetworkOf(text: string): OwnNetwork | undefined {
  const network = parsed(text);
  if (network === undefined || !privateSpace.some((space) => covers(space, network))) return undefined;
  const [address, prefix] = network;
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${address.toString()}/${prefix}`).toString()}/${prefix}`;
}

/** Whether every address of `network` lies in one of `others`. */
export function isWithin(network: OwnNetwork, others: readonly OwnNetwork[]): boolean {
  const inner = parsed(network);
  if (inner === undefined) return false;
  return others.some((other) => {
    const outer = parsed(other);
    return outer !== undefined && covers(outer, inner);
  });
}

/** Whether a resolved address is private and in one of these networks. */
export function isOwnAddress(address: string, networks: readonly OwnNetwork[]): boolean {
  if (networks.length === 0 || classifyAddress(address) !== 'private') return false;
  return isWithin(
    address,
    networks.filter((network) => ownNetworkOf(network) !== undefined),
  );
}

function covers([outer, outerPrefix]: Parsed, [inner, innerPrefix]: Parsed): boolean {
  return outer.kind() === inner.kind() && innerPrefix >= outerPrefix && inner.match(outer, outerPrefix);
}

/** A network, or one address as the network of its own. Octal and other odd spellings are no addresses here. */
function parsed(text: string): Parsed | undefined {
  const [, address = '', prefix] = /^([0-9a-fA-F.:]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  if (addressFamily(address) === 0) return undefined;
  const one = ipaddr.parse(address);
  const bits = one.kind() === 'ipv4' ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix);
  return length <= bits ? [one, length] : undefined;
}
