import type { Reachability } from '@airdeck/contracts/onboarding/schema';

/** What to do about an answer, in the order to try it. */
export function adviceFor(answer: Reachability, addresses: readonly string[]): string[] {
  if (answer.tls !== null && !answer.tls.valid) {
    return [
      'Something answers, so the way is open. Install a certificate of an authority that is publicly trusted, for the very name you entered.',
      'Behind a proxy that inspects TLS, exempt our addresses from it.',
    ];
  }
  if (!answer.reachable) {
    return [
      addresses.length === 0
        ? 'Let the addresses of the step before in at your firewall.'
        : `Let ${addresses.join(', ')} in at your firewall, for this port.`,
      'Check name, port and that the system runs. From inside your network it may answer although the way from outside is closed.',
      'Private addresses, such as 10.0.0.5 or 192.168.1.5, are refused unless the operator of this installation allows them.',
    ];
  }
  if (answer.status === 401 || answer.status === 403)
    return ['It asks who calls, as it should. Credentials follow with the integration.'];
  if (answer.status !== null && answer.status >= 500)
    return ['The way is open, but the system itself reports a failure. Look at its own log.'];
  return [];
}

/** How a certificate stands. */
export function certificateText(tls: NonNullable<Reachability['tls']>, expires: string | undefined): string {
  const until = expires === undefined ? '' : `, expires ${expires}`;
  return `${tls.valid ? 'Trusted' : 'Not trusted'}${until}`;
}
