import { type IpFamily, ipProblem } from '@airdeck/domain/ip-address';
import { t } from '../../language/translate.ts';

export const addressKinds = ['url', 'ipv4', 'ipv6'] as const;
export type AddressKind = 'url' | IpFamily;

export const addressWords: Readonly<Record<AddressKind, string>> = { url: 'URL', ipv4: 'IPv4', ipv6: 'IPv6' };

export type ReadAddress = { url: string; problem?: never } | { url?: never; problem: string };

/** What was typed as the address to call: a bare address becomes one over https. */
export function readAddress(kind: AddressKind, typed: string): ReadAddress {
  const text = typed.trim();
  if (kind === 'url') return isWebAddress(text) ? { url: text } : { problem: wantedUrl };
  const problem = ipProblem(text, kind);
  if (problem !== undefined) return { problem };
  return { url: `https://${kind === 'ipv6' && !text.startsWith('[') ? `[${text}]` : text}` };
}

const wantedUrl = t('Enter a whole address, such as https://fortigate.example.com:8443.');

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Host and port of the address; what else it may carry is not kept. */
export function hostOf(url: string): string {
  return new URL(url).host;
}
