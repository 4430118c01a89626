/** Addresses as 128-bit numbers, IPv4 as the IPv6 addresses it maps to: the form the store compares them in. */
export type AddressRange = { readonly from: bigint; readonly to: bigint };

const MAPPED_V4 = 0xffff_0000_0000n;
const ALL_BITS = 128;

/** Undefined for anything that is not exactly one address; zones (`fe80::1%eth0`) are no part of an address here. */
export function parseAddress(text: string): bigint | undefined {
  if (text.length > 45) return undefined;
  const v4 = parseV4(text);
  if (v4 !== undefined) return MAPPED_V4 | BigInt(v4);
  return text.includes(':') ? parseV6(text) : undefined;
}

/** A network such as `10.0.0.0/8` or `2001:db8::/32`; bits behind the prefix are ignored. Undefined for anything else. */
export function parseNetwork(text: string): AddressRange | undefined {
  const [, base = '', digits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseAddress(base);
  if (address === undefined) return undefined;
  const prefix = Number(digits) + (base.includes(':') ? 0 : ALL_BITS - 32);
  if (prefix > ALL_BITS) return undefined;
  const hostBits = BigInt(ALL_BITS - prefix);
  const from = (address >> hostBits) << hostBits;
  return { from, to: from | ((1n << hostBits) - 1n) };
}

/** Canonical enough for every reader: eight groups of hexadecimal digits. */
export function formatAddress(address: bigint): string {
  const hex = address.toString(16).padStart(32, '0');
  return (hex.match(/.{4}/g) ?? []).join(':');
}

export function isV4(address: bigint): boolean {
  return address >> 32n === 0xffffn;
}

function parseV4(text: string): number | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0;
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = value * 256 + Number(part);
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
  const zeros = Array.from({ length: missing }, () => 0);
  return [...head, ...zeros, ...tail].reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

function groupsOf(text: string, mayEndInV4: boolean): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    const v4 = mayEndInV4 && index === parts.length - 1 ? parseV4(part) : undefined;
    if (v4 !== undefined) groups.push(Math.floor(v4 / 65_536), v4 % 65_536);
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}
