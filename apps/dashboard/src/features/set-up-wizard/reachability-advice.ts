import type { Reachability } from '@airdeck/contracts/onboarding/schema';
import { t } from '../../language/translate.ts';

/** What to do about an answer, in the order to try it. */
export function adviceFor(answer: Reachability, addresses: readonly string[]): string[] {
  if (answer.tls !== null && !answer.tls.valid) {
    return [
      t(
        'Something answers, so the way is open. Install a certificate of an authority that is publicly trusted, for the very name you entered.',
      ),
      t('Behind a proxy that inspects TLS, exempt our addresses from it.'),
    ];
  }
  if (!answer.reachable) {
    return [
      addresses.length === 0
        ? t('Let the addresses of the step before in at your firewall.')
        : t('Let {addresses} in at your firewall, for this port.', { addresses: addresses.join(', ') }),
      t(
        'Check name, port and that the system runs. From inside your network it may answer although the way from outside is closed.',
      ),
      t(
        'Private addresses, such as 10.0.0.5 or 192.168.1.5, are refused unless the operator of this installation allows them.',
      ),
    ];
  }
  if (answer.status === 401 || answer.status === 403)
    return [t('It asks who calls, as it should. Credentials follow with the integration.')];
  if (answer.status !== null && answer.status >= 500)
    return [t('The way is open, but the system itself reports a failure. Look at its own log.')];
  return [];
}

/** How a certificate stands. */
export function certificateText(tls: NonNullable<Reachability['tls']>, expires: string | undefined): string {
  if (expires === undefined) return tls.valid ? t('Trusted') : t('Not trusted');
  return tls.valid
    ? t('Trusted, expires {date}', { date: expires })
    : t('Not trusted, expires {date}', { date: expires });
}
