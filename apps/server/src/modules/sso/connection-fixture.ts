import type { Connection } from './sso-port.ts';

/** Of the installation itself, without a secret, which lets nobody new in. */
export function connectionTo(issuer: string): Connection {
  return {
    id: 'c',
    tenant: null,
    kind: 'oidc',
    label: 'Test',
    issuer,
    clientId: 'airdeck',
    openSecret: () => Promise.resolve(undefined),
    domains: [],
    provedDomains: [],
    join: { enabled: false, defaultRole: null, groupsClaim: 'groups', groupRoles: [] },
  };
}
