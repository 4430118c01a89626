import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Tx } from '../../storage/schema.ts';
import type { SecurityEvent } from '../identity/auth-call.ts';
import { noteDevice } from './delivery-repository.ts';
import { type NoticeIn, securityNotice } from './notice-texts.ts';
import type { AccountNotices } from './notifications-port.ts';

type Dependencies = { now: () => Date; queue: (tx: Tx, noticeIn: NoticeIn) => Promise<void> };

/**
 * A device is the browser's own description of itself together with the network it comes from: cheap, and known to be
 * rough. A browser update or another café is a new device, a copied user agent on the same network is not.
 */
export function createAccountNotices({ now, queue }: Dependencies): AccountNotices {
  return {
    async tellUser(tx, user, event) {
      const isSignIn = event.action === 'session.sign_in' && event.outcome === 'ok';
      const isNewDevice = isSignIn && (await isUnknownDevice(tx, user.id, event, now()));
      await queue(tx, (words) => securityNotice(user, { event, isNewDevice }, words));
    },
    async noteDevice(tx, userId, event) {
      await isUnknownDevice(tx, userId, event, now());
    },
  };
}

/** Known from then on. */
async function isUnknownDevice(
  tx: Tx,
  userId: string,
  { from }: Pick<SecurityEvent, 'from'>,
  at: Date,
): Promise<boolean> {
  if (from === undefined) return false;
  const { clientAddress, userAgent = '' } = from;
  const fingerprint = createHash('sha256')
    .update(`${networkOf(clientAddress)}\n${userAgent}`)
    .digest('hex');
  return (await noteDevice(tx, { userId, fingerprint, at })).isNew;
}

/** What one household or office shares: 24 bits of IPv4, 48 of IPv6. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIP(plain) === 4) return plain.split('.').slice(0, 3).join('.');
  if (isIP(plain) !== 6) return plain;
  const [head = '', tail] = (plain.split('%')[0] ?? '').split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - behind.length;
  const all = [...groups, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...behind];
  return all
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
