import { parseInstant } from './instant.ts';
import { parseAddress, parseNetwork } from './ip-address.ts';

const RUN = /[0-9A-Fa-f:][0-9A-Za-z:.+/%_-]{1,63}(?=[\s()"]|&&|\|\||$)/y;
const HARDWARE_ADDRESS = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i;
/** What names the interface of `fe80::1%eth0`. */
const ZONE = /%[\w.-]{1,32}$/;

/**
 * Where a value with colons ends that begins here: an IPv6 address or network, a hardware address, a time. Undefined for all
 * else. `2001:db8::7` would silently be a field called `2001`.
 */
export function colonValueEnd(text: string, at: number): number | undefined {
  RUN.lastIndex = at;
  const run = RUN.exec(text)?.[0] ?? '';
  if (!run.includes(':') || !/[0-9a-f]/i.test(run)) return undefined;
  const isValue =
    parseAddress(run.replace(ZONE, '')) !== undefined ||
    parseNetwork(run) !== undefined ||
    HARDWARE_ADDRESS.test(run) ||
    parseInstant(run, 0) !== undefined;
  return isValue ? at + run.length : undefined;
}
