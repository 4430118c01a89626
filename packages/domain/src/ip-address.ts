/**
 * Addresses as people type them (spec §5): IPv4 with an optional port, IPv6 with an optional bracketed port. For each
 * family one expression says whether a text can still become an address, for masks while somebody types, and another
 * whether it is one.
 */
export const ipFamilies = ['ipv4', 'ipv6'] as const;
export type IpFamily = (typeof ipFamilies)[number];

// Without leading zeros, so that every beginning of a number is a number itself, and nobody reads 010 as octal.
const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]\d|\d)`;
const port = String.raw`(?:6553[0-5]|655[0-2]\d|65[0-4]\d\d|6[0-4]\d{3}|[1-5]\d{4}|[1-9]\d{0,3})`;
const group = '[0-9A-Fa-f]{1,4}';
const GROUPS = 8;

/** Group and colon by turns, ending anywhere, at most so many groups. */
function groupsBegun(most: number): string {
  if (most === 0) return '';
  return most === 1 ? `(?:${group})?` : `(?:${group}(?::${groupsBegun(most - 1)})?)?`;
}

function groups(count: number): string {
  return count === 0 ? '' : `${group}(?::${group}){${count - 1}}`;
}

function groupsUpTo(most: number): string {
  return most === 0 ? '' : `(?:${group}(?::${group}){0,${most - 1}})?`;
}

// `::` stands for at least one group of zeros, so seven more fit around it; each number before it leaves fewer after.
const beforeGap = Array.from({ length: GROUPS }, (_, count) => count);
const ipv6Begun = `(?:${groupsBegun(GROUPS)}|:|${beforeGap
  .map((count) => `${groups(count)}::${groupsBegun(GROUPS - 1 - count)}`)
  .join('|')})`;
const ipv6Whole = `(?:${groups(GROUPS)}|${beforeGap
  .map((count) => `${groups(count)}::${groupsUpTo(GROUPS - 1 - count)}`)
  .join('|')})`;

const dotted = (rest: string) => String.raw`(?:${octet}(?:\.${rest})?)?`;

/** Matches every beginning of an address of the family, the empty text and the whole address included. */
export const ipTyping: Readonly<Record<IpFamily, RegExp>> = {
  ipv4: new RegExp(`^${dotted(dotted(dotted(`(?:${octet}(?::(?:${port})?)?)?`)))}$`),
  ipv6: new RegExp(String.raw`^(?:${ipv6Begun}|\[${ipv6Begun}|\[${ipv6Whole}\](?::(?:${port})?)?)$`),
};

const ipWhole: Readonly<Record<IpFamily, RegExp>> = {
  ipv4: new RegExp(String.raw`^${octet}(?:\.${octet}){3}(?::${port})?$`),
  ipv6: new RegExp(String.raw`^(?:${ipv6Whole}|\[${ipv6Whole}\](?::${port})?)$`),
};

const wanted: Readonly<Record<IpFamily, string>> = {
  ipv4: 'Enter a whole IPv4 address, such as 192.0.2.10 or 192.0.2.10:514.',
  ipv6: 'Enter a whole IPv6 address, such as 2001:db8::10 or [2001:db8::10]:514.',
};

/** Undefined for a whole address of the family, with or without port; otherwise what to say beside the field. */
export function ipProblem(text: string, family: IpFamily): string | undefined {
  return ipWhole[family].test(text) ? undefined : wanted[family];
}
