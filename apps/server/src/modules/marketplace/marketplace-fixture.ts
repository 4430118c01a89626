/** A server that sells through the stand-in of the marketplace, and what people and the marketplace do with it. */
import { randomBytes } from 'node:crypto';
import type { SkuInfo } from '@airdeck/contracts/me/schema';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { newTotpSecret } from '../identity/totp.ts';
import { createMarketplaceStandIn, publisher, type StandIn } from './marketplace-stand-in.ts';

const standard: SkuInfo = {
  sku_name: 'Standard',
  is_mdr_enabled: false,
  is_search_enabled: true,
  retention_length_days: 30,
  search_length_days: 30,
};
export const plans = {
  standard,
  premium: { ...standard, sku_name: 'Premium', is_mdr_enabled: true, retention_length_days: 365 },
} as const;

export type Visitor = { email: string; externalId: string; subject: string; headers: { authorization: string } };
export type Fixture = Awaited<ReturnType<typeof createMarketplaceFixture>>;

export function marketplaceEnv(standIn: StandIn): Record<string, string> {
  return {
    AZURE_MARKETPLACE_TENANT_ID: publisher.directory,
    AZURE_MARKETPLACE_CLIENT_ID: publisher.clientId,
    AZURE_MARKETPLACE_CLIENT_SECRET: publisher.clientSecret,
    AZURE_MARKETPLACE_PLANS: JSON.stringify(plans),
    AZURE_MARKETPLACE_API_URL: standIn.apiUrl,
    AZURE_MARKETPLACE_LOGIN_URL: standIn.loginUrl,
  };
}

export async function createMarketplaceFixture(options: { now?: () => Date; log?: Logger } = {}) {
  const standIn = await createMarketplaceStandIn();
  const { host, port } = standIn;
  const server = await createTestServer({ ...options, env: marketplaceEnv(standIn), sandbox: { host, port } });
  let visitors = 0;

  return {
    standIn,
    server,
    /** Somebody with a sign-in of a verified address and no account yet. */
    async visitor(email = `visitor${++visitors}@contoso.example`): Promise<Visitor> {
      const { users } = server.composition.identity;
      const externalId = v7();
      const password = 'a harbour full of ships';
      const totpSecret = newTotpSecret(randomBytes);
      const { subject } = await users.create({ externalId, email, password, totpSecret, fullname: 'Ana Souza' });
      const { token } = await users.openSession(externalId);
      return { email, externalId, subject, headers: { authorization: `Bearer ${token}` } };
    },
    ...callsOf(server, standIn),
    async close() {
      await server.close();
      await standIn.close();
    },
  };
}

type Headers = { headers: Record<string, string> };

export function callsOf(server: TestServer, standIn: StandIn) {
  const path = '/external_providers/azure_marketplace';
  const query = (token: string) => `token=${encodeURIComponent(token)}`;
  return {
    details: ({ headers }: Headers, token: string) =>
      server.inject({ url: `${path}/signup_details?${query(token)}`, headers }),
    activate: ({ headers }: Headers, token: string, payload: object = {}) =>
      server.inject({ method: 'POST', url: `${path}/activate?${query(token)}`, headers, payload }),
    async notify(notice: object, authorization?: string) {
      const headers = { authorization: authorization ?? `Bearer ${await standIn.noticeToken()}` };
      return await server.inject({ method: 'POST', url: `${path}/webhook`, headers, payload: notice });
    },
    subscriptionRow: (id: string) =>
      server.stores.database.system((tx) =>
        tx.selectFrom('marketplace_subscription').selectAll().where('id', '=', id).executeTakeFirst(),
      ),
    tenantsNamed: (name: string) =>
      server.stores.database.system((tx) => tx.selectFrom('tenant').selectAll().where('name', '=', name).execute()),
    planOf: (tenant: string) =>
      server.stores.database.system(
        async (tx) =>
          (await tx.selectFrom('tenant').select('sku_info').where('id', '=', tenant).executeTakeFirstOrThrow())
            .sku_info,
      ),
  };
}
