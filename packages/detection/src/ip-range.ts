/** A parsed address. IPv4 inside IPv6 (`::ffff:192.0.2.1`) is the IPv4 address it stands for. */
export type IpAddress = { readonly family: 4; readonly value: number } | { readonly family: 6; readonly value: bigint };

/** Membership test of one range. */
export type IpRange = (address: IpAddress) => boolean;

const MAPPED_V4_PREFIX = 0xffffn;

/** Undefined for anything that is not exactly one address; a zone (`fe80::1%eth0`) is ignored. */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > 64) return undefined;
  const v4 = parseV4(text);
  if (v4 !== undefined) return { family: 4, value: v4 };
  if (!text.includes(':')) return undefined;
  const zone = text.indexOf('%');
  const v6 = parseV6(zone === -1 ? text : text.slice(0, zone));
  if (v6 === undefined) return undefined;
  return v6 >> 32n === MAPPED_V4_PREFIX ? { family: 4, value: Number(v6 & 0xffffffffn) } : { family: 6, value: v6 };
}

/**
 * A range in CIDR notation, or a bare address for exactly that one. Host bits below the prefix are ignored
 * (`192.0.2.7/24` is `192.0.2.0/24`). Undefined for anything else.
 */
export function parseIpRange(text: string): IpRange | undefined {
  const slash = text.indexOf('/');
  const address = parseIpAddress(slash === -1 ? text : text.slice(0, slash));
  if (address === undefined) return undefined;
  if (slash === -1) return (other) => other.family === address.family && other.value === address.value;
  const digits = text.slice(slash + 1);
  if (!/^\d{1,3}$/.test(digits)) return undefined;
  // A mapped address keeps its IPv6 prefix length: `::ffff:10.0.0.0/104` is `10.0.0.0/8`.
  const mapped = address.family === 4 && text.includes(':');
  const prefix = Number(digits) - (mapped ? 96 : 0);
  return address.family === 4 ? v4Range(address.value, prefix) : v6Range(address.value, prefix);
}

function v4Range(base: number, prefix: number): IpRange | undefined {
  if (prefix < 0 || prefix > 32) return undefined;
  const size = 2 ** (32 - prefix);
  const wanted = Math.floor(base / size);
  return (address) => address.family === 4 && Math.floor(address.value / size) === wanted;
}

function v6Range(base: bigint, prefix: number): IpRange | undefined {
  if (prefix > 128) return undefined;
  const shift = BigInt(128 - prefix);
  const wanted = base >> shift;
  return (address) => address.family === 6 && address.value >> shift === wanted;
}

function parseV4(text: string): number | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0;
  for (const part of parts) {
    // No leading zeros: some readers take them for octal, so `010.0.0.1` has no agreed meaning.
    if (!/^(0|[1-9]\d{0,2})$/.test(part)) return undefined;
    const octet = Number(part);
    if (octet > 255) return undefined;
    value = value * 256 + octet;
  }
  return value;
}

function parseV6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = groupsOf(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? groupsOf(halves[1] ?? '', true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => 0), ...tail];
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

function groupsOf(text: string, mayEndInV4: boolean): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const v4 = mayEndInV4 && index === parts.length - 1 ? parseV4(part) : undefined;
    if (v4 === undefined) return undefined;
    groups.push(Math.floor(v4 / 65_536), v4 % 65_536);
  }
  return groups;
}
