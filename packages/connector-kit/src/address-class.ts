import ipaddr from 'ipaddr.js';

/**
 * Where an address leads. Only `public` may be dialled. Everything that is not plain global unicast is named, so that a
 * refusal can say why; an address we do not understand is `unknown`, which is refused too.
 */
export type AddressClass =
  | 'public'
  | 'private'
  | 'loopback'
  | 'link_local'
  | 'carrier_nat'
  | 'multicast'
  | 'broadcast'
  | 'unspecified'
  | 'documentation'
  | 'embeds_ipv4'
  | 'reserved'
  | 'unknown';

/** Ranges of the IANA special-purpose registries; checked before anything else. First match wins. */
const ipv4Ranges: readonly [string, AddressClass][] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier_nat'],
  // Alibaba's metadata service lives in carrier NAT space (100.100.100.200); Oracle's in 192.0.0.0/24.
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link_local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'reserved'],
  ['192.52.193.0/24', 'reserved'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'reserved'],
  // Azure's platform address: reachable from every virtual machine, outside every special range.
  ['168.63.129.16/32', 'link_local'],
  ['198.18.0.0/15', 'reserved'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],
];

const ipv6Ranges: readonly [string, AddressClass][] = [
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0/96', 'embeds_ipv4'],
  ['::ffff:0:0:0/96', 'embeds_ipv4'],
  ['::/96', 'embeds_ipv4'],
  ['64:ff9b::/96', 'embeds_ipv4'],
  ['64:ff9b:1::/48', 'embeds_ipv4'],
  ['2002::/16', 'embeds_ipv4'],
  ['2001::/32', 'embeds_ipv4'],
  ['2001:db8::/32', 'documentation'],
  ['3fff::/20', 'documentation'],
  ['2001::/23', 'reserved'],
  ['5f00::/16', 'reserved'],
  ['100::/64', 'reserved'],
  ['2620:4f:8000::/48', 'reserved'],
  // Metadata services that live in private space: Amazon's, Google's and Oracle's.
  ['fd00:ec2::/32', 'link_local'],
  ['fd20:ce::/32', 'link_local'],
  ['fd00:c1::/32', 'link_local'],
  ['fc00::/7', 'private'],
  ['fec0::/10', 'reserved'],
  ['fe80::/10', 'link_local'],
  ['ff00::/8', 'multicast'],
];

const parsedIpv4 = ipv4Ranges.map(([range, is]) => [ipaddr.IPv4.parseCIDR(range), is] as const);
const parsedIpv6 = ipv6Ranges.map(([range, is]) => [ipaddr.IPv6.parseCIDR(range), is] as const);
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Classifies one address in the form a resolver or URL parser gives it. Zones (`%eth0`) make it link-local by nature. */
export function classifyAddress(address: string): AddressClass {
  if (address.includes('%')) return 'link_local';
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    const parsed = ipaddr.IPv4.parse(address);
    return parsedIpv4.find(([range]) => parsed.match(range))?.[1] ?? 'public';
  }
  if (!ipaddr.IPv6.isValid(address)) return 'unknown';
  const parsed = ipaddr.IPv6.parse(address);
  const special = parsedIpv6.find(([range]) => parsed.match(range));
  if (special) return special[1];
  // Outside 2000::/3 nothing is allocated as global unicast; what the table does not name stays refused.
  return parsed.match(globalUnicast) ? 'public' : 'reserved';
}

/** 4 or 6 for the plain written form of one address, 0 for anything else: names, ranges, zones, octal spellings. */
export function addressFamily(text: string): 0 | 4 | 6 {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return 4;
  return !text.includes('%') && text.includes(':') && ipaddr.IPv6.isValid(text) ? 6 : 0;
}
