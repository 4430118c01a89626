export type FirewallLine = { family: 'IPv4' | 'IPv6'; line: string };

/** Lines that let our addresses in to a port, for a Linux firewall; other products take the addresses themselves. */
export function firewallLines(addresses: readonly string[], port = 443): FirewallLine[] {
  const ipv4 = addresses.filter((address) => !address.includes(':'));
  const ipv6 = addresses.filter((address) => address.includes(':'));
  return [
    ...(ipv4.length === 0 ? [] : [{ family: 'IPv4', line: nftLine('ip', ipv4, port) } as const]),
    ...(ipv6.length === 0 ? [] : [{ family: 'IPv6', line: nftLine('ip6', ipv6, port) } as const]),
  ];
}

function nftLine(family: 'ip' | 'ip6', addresses: readonly string[], port: number): string {
  const words = ['nft', 'add', 'rule', 'inet', 'filter', 'input', family];
  return [...words, 'saddr', `{ ${addresses.join(', ')} }`, 'tcp', 'dport', port, 'accept'].join(' ');
}
