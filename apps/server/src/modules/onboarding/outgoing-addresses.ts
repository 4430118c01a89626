import type { NetworkInterfaceInfo } from 'node:os';
import { outcomeTexts } from '@airdeck/contracts/outcome-texts';

export type OutgoingAddresses = { readonly addresses: readonly string[]; readonly note: string | null };

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/**
 * The addresses a customer has to let in. Only the operator knows them for sure; without a word from them it is what the
 * machine's own interfaces have, IPv4 first, and the note says so.
 */
export function outgoingAddresses(configured: readonly string[], interfaces: () => Interfaces): OutgoingAddresses {
  if (configured.length > 0) return { addresses: configured, note: null };
  const all = Object.values(interfaces()).flatMap((entries) => entries ?? []);
  const outside = all
    .filter(({ internal, address }) => !internal && !isLinkLocal(address))
    .sort((a, b) => Number(a.family === 'IPv6') - Number(b.family === 'IPv6'))
    .map(({ address }) => address);
  if (outside.length === 0) {
    return { addresses: ['127.0.0.1'], note: outcomeTexts.ADDRESSES_LOOPBACK };
  }
  return { addresses: [...new Set(outside)], note: outcomeTexts.ADDRESSES_GUESSED };
}

/** Never leaves the wire it is on. */
function isLinkLocal(address: string): boolean {
  return address.startsWith('169.254.') || /^fe[89ab]/i.test(address);
}
