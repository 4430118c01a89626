/** A real OpenID Connect issuer on this machine, with pages of its own on which people sign in. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const HOST = '127.0.0.1';
const CLIENT = { id: 'airdeck', secret: 'a client secret of the journeys, long enough' } as const;

export type LocalIssuer = {
  /** What the product is started with to know it. */
  environment: Record<string, string>;
  /** Where the product takes answers; known once it has started. */
  allow(redirectUri: string): void;
  close(): Promise<void>;
};

/** Whoever types an address there is that person, with the address verified. */
export async function startLocalIssuer(label: string): Promise<LocalIssuer> {
  let provider: Provider | undefined;
  const server = createServer((request, response) => void provider?.callback()(request, response));
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const issuer = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  return {
    environment: {
      SSO_ISSUER: issuer,
      SSO_CLIENT_ID: CLIENT.id,
      SSO_CLIENT_SECRET: CLIENT.secret,
      SSO_LABEL: label,
    },
    allow(redirectUri) {
      provider = new Provider(issuer, {
        clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        conformIdTokenClaims: false,
        cookies: { keys: ['a key for the cookies of the journeys'] },
        features: { devInteractions: { enabled: true } },
        ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 300, IdToken: 300, Interaction: 300, Session: 300 },
        findAccount: (_ctx, subject) => ({
          accountId: subject,
          claims: () => ({ sub: subject, email: subject, email_verified: true, name: 'Somebody Elsewhere' }),
        }),
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
