/**
 * The composed app on test stores, with one signed-in actor per role. Tokens come from real sessions of the built-in
 * provider and pass the real verifier; only typing the password is left out.
 */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Resolve } from '@airdeck/connector-kit/egress-destination';
import type { KeyProvider } from '@airdeck/connector-kit/secrets';
import type { Role } from '@airdeck/contracts/access/roles';
import type { SkuInfo } from '@airdeck/contracts/me/schema';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { v7 } from 'uuid';
import { type Composition, compose } from '../compose.ts';
import { eventWorkHere } from '../compose-event-work.ts';
import { readConfig } from '../config/config.ts';
import { syslogAddressOf } from '../entry/listeners.ts';
import type { PasswordCost } from '../modules/identity/password-hash.ts';
import { LOCAL_ISSUER } from '../modules/identity/sign-in-provider.ts';
import { newTotpSecret } from '../modules/identity/totp.ts';
import type { ResolveTxt } from '../modules/sso/domain-records.ts';
import type { DemoSignIn } from '../modules/system/system-module.ts';
import { createTestDatabase, type TestDatabase } from '../storage/test-database.ts';
import { noTracing, type Tracing } from '../tracing/tracing.ts';
import type { CallLimits } from './call-limits.ts';
import { wideCallLimits } from './wide-call-limits-fixture.ts';

export type Actor = {
  id: string;
  email: string;
  password: string;
  totpSecret: string | undefined;
  recoveryCodes: readonly string[];
  token: string;
  sessionId: string;
  /** Ready to hand to `inject`. */
  headers: { authorization: string };
};

export type TestServer = {
  stores: TestDatabase;
  composition: Composition;
  inject: FastifyInstance['inject'];
  createTenant(options?: { name?: string; skuInfo?: Partial<SkuInfo> }): Promise<string>;
  /** A user with these roles by tenant, signed in. */
  createActor(options: { home: string; roles?: Readonly<Record<string, Role>>; mfa?: boolean }): Promise<Actor>;
  createApiKey(owner: Actor, key: { tenant: string; role: Role; expiresAt?: Date }): Promise<string>;
  close(): Promise<void>;
};

export const fullPlan: SkuInfo = {
  sku_name: 'Enterprise',
  is_mdr_enabled: true,
  is_search_enabled: true,
  retention_length_days: 90,
  search_length_days: 30,
};

const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;

export async function createTestServer(
  options: {
    env?: Record<string, string>;
    demoAccounts?: () => Promise<readonly DemoSignIn[]>;
    now?: () => Date;
    sandbox?: { host: string; port: number };
    /** Name servers for the proof of domains; those of this machine when left out. */
    resolveTxt?: ResolveTxt;
    /** Addresses of names that connectors, webhooks and checks call. */
    resolveHost?: Resolve;
    log?: Logger;
    /** Little when left out. */
    passwordCost?: PasswordCost;
    /** Ended by whoever opened it. */
    tracing?: Tracing;
    /** A second process on the stores of another server, with the same secret; `stores` are closed by their owner. */
    besides?: { stores: TestDatabase; identitySecret: string };
    identitySecret?: string;
    /** Those of the product; wide ones when left out, because a test asks as much in a second as a person in an hour. */
    callLimits?: CallLimits;
    /** Far from anything a test reaches, when left out. */
    authLimits?: { callsPerMinute: number; refreshesPerMinute: number };
    /** Keys of connectors' secrets; new ones when left out. */
    keys?: KeyProvider;
  } = {},
): Promise<TestServer> {
  const stores = options.besides?.stores ?? (await createTestDatabase());
  const identitySecret =
    options.besides?.identitySecret ?? options.identitySecret ?? randomBytes(48).toString('base64url');
  // Made only when something is stored in it.
  const dataDir = join(tmpdir(), `airdeck-test-files-${v7()}`);
  const now = options.now ?? (() => new Date());
  const openEventWork = eventWorkHere({ store: stores.events, now });
  const config = readConfig({ LOG_LEVEL: 'silent', AIRDECK_DATA_DIR: dataDir, ...options.env }, '0.0.0');
  const composition = await compose(
    config,
    { db: stores.database, databaseUrl: stores.url, events: stores.events, openEventWork },
    {
      log: options.log ?? pino({ level: 'silent' }),
      tracing: options.tracing ?? noTracing,
      ids: v7,
      now,
      randomBytes,
      dashboardFolder: '/nonexistent',
      identitySecret,
      // Hundreds of sign-ins a run: what a hash costs is tested where hashes are.
      passwordCost: options.passwordCost ?? { n: 2 ** 10, r: 8, p: 1 },
      authLimits: options.authLimits ?? { callsPerMinute: 10_000, refreshesPerMinute: 10_000 },
      callLimits: options.callLimits ?? wideCallLimits,
      demoAccounts: options.demoAccounts ?? (async () => []),
      demoConnections: [],
      keys: options.keys ?? testKeys(),
      sandbox: options.sandbox,
      exclusiveWorker: undefined,
      syslogAddress: () => syslogAddressOf(config, undefined),
      resolveTxt: options.resolveTxt,
      resolveHost: options.resolveHost,
    },
  );
  await composition.start();
  const { tenants, identity, apiKeys } = composition;
  const { database } = stores;
  let created = 0;

  return {
    stores,
    composition,
    inject: composition.app.server.inject.bind(composition.app.server) as FastifyInstance['inject'],
    createTenant: ({ name = `Tenant ${++created}`, skuInfo = {} } = {}) =>
      database.system((tx) =>
        tenants.createTenant(tx, { name, managedBy: null, skuInfo: { ...fullPlan, ...skuInfo } }, by),
      ),
    async createActor({ home, roles = {}, mfa = true }) {
      const id = v7();
      const email = `user${++created}@example.com`;
      const totpSecret = mfa ? newTotpSecret(randomBytes) : undefined;
      const password = randomBytes(12).toString('base64url');
      const fullname = `User ${created}`;
      const { subject, recoveryCodes } = await identity.users.create({
        externalId: id,
        email,
        password,
        fullname,
        ...(totpSecret === undefined ? {} : { totpSecret }),
      });
      await database.system(async (tx) => {
        const user = {
          id,
          uname: email,
          fullname,
          email,
          homeTenant: home,
          identity: { issuer: LOCAL_ISSUER, subject },
        };
        await tenants.createUser(tx, user, by);
        for (const [tenant, role] of Object.entries(roles))
          await tenants.addMembership(tx, { tenant, user: id, role }, by);
      });
      const { token, sessionId } = await identity.users.openSession(id);
      const headers = { authorization: `Bearer ${token}` };
      return { id, email, password, totpSecret, recoveryCodes, token, sessionId, headers };
    },
    async createApiKey(owner, { tenant, role, expiresAt = new Date(Date.now() + 3_600_000) }) {
      const caller = {
        userId: owner.id,
        username: owner.email,
        fullname: owner.email,
        homeTenant: tenant,
        via: 'session',
      } as const;
      const key = { name: 'Test key', tenant, role, expires_at: expiresAt.toISOString() };
      return (await database.system((tx) => apiKeys.create(tx, caller, key, null))).key;
    },
    async close() {
      await composition.stop();
      await rm(dataDir, { recursive: true, force: true });
      if (options.besides === undefined) await stores.close();
    },
  };
}

function testKeys(): KeyProvider {
  const key = { id: 'test', key: new Uint8Array(randomBytes(32)) };
  return { current: async () => key, get: async (id) => (id === key.id ? key : undefined) };
}
