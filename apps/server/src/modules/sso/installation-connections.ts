import { GOOGLE_ISSUER, microsoftIssuer } from './issuer-address.ts';
import type { Connection } from './sso-port.ts';

type Client = { readonly clientId: string; readonly clientSecret: string | undefined };

/** Issuers the whole installation offers, as the configuration names them. */
export type InstallationSignIn = {
  readonly google: Client | undefined;
  readonly microsoft: (Client & { readonly directory: string }) | undefined;
  readonly other: (Client & { readonly issuer: string; readonly label: string }) | undefined;
};

/** Nobody becomes a member through these by signing in: they are open to everybody. */
const noJoin = { enabled: false, defaultRole: null, groupsClaim: 'groups', groupRoles: [] } as const;

export function installationConnections({ google, microsoft, other }: InstallationSignIn): Connection[] {
  const common = { tenant: null, domains: [], provedDomains: [], join: noJoin } as const;
  const found: Connection[] = [];
  if (microsoft !== undefined) {
    const { directory } = microsoft;
    const issuer = microsoftIssuer(directory);
    found.push({ ...common, ...clientOf(microsoft), id: 'microsoft', kind: 'microsoft', label: 'Microsoft', issuer });
  }
  if (google !== undefined) {
    found.push({
      ...common,
      ...clientOf(google),
      id: 'google',
      kind: 'google',
      label: 'Google',
      issuer: GOOGLE_ISSUER,
    });
  }
  if (other !== undefined) {
    const { issuer, label } = other;
    found.push({ ...common, ...clientOf(other), id: 'sso', kind: 'oidc', label, issuer });
  }
  return found;
}

function clientOf({ clientId, clientSecret }: Client): Pick<Connection, 'clientId' | 'openSecret'> {
  return { clientId, openSecret: () => Promise.resolve(clientSecret) };
}
