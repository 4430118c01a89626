import type { Egress } from '@airdeck/connector-kit/egress';
import type { SubscriptionState } from '@airdeck/contracts/tenants/schema';
import type { MarketplaceConfig } from '../../config/config.ts';
import { AppError } from '../../http/app-error.ts';
import { browserLocale } from '../../http/browser-locale.ts';
import type { Caller, Handlers, IdentityContext } from '../../http/handlers.ts';
import type { RefusalLog } from '../../http/refusal-log.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { LocalProfile } from '../identity/local-users.ts';
import type { TenantsService } from '../tenants/tenants-port.ts';
import { createActivation, type RefusedCode } from './activation.ts';
import { compareSubscriptions } from './comparison.ts';
import { createIdentityRate } from './identity-rate.ts';
import { createMarketplaceClient } from './marketplace-client.ts';
import { findStateOf, findSubscription } from './marketplace-repository.ts';
import { createNotices } from './notices.ts';
import { type Buyer, createPurchases, type Purchases } from './purchases.ts';
import type { TermsDependencies } from './tenant-terms.ts';
import { createNoticeVerifier } from './webhook-token.ts';

const CALLS_PER_MINUTE = 20;

type Dependencies = TermsDependencies & {
  /** Undefined where nothing is sold: then every call says so. */
  config: MarketplaceConfig | undefined;
  db: Pick<Database, 'system'>;
  egress: Egress;
  tenants: TenantsService;
  audit: AuditLog;
  onSignIn: (tx: Tx, userId: string) => Promise<void>;
  refusals: RefusalLog;
  /** What the provider of the identity behind a token knows of it. */
  findProfile: (identity: { issuer: string; subject: string }) => Promise<LocalProfile | undefined>;
  ids: () => string;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
};

type RouteIds = 'marketplace.details' | 'marketplace.activate' | 'marketplace.webhook';

export type MarketplaceModule = {
  handlers: Handlers<RouteIds>;
  /** For sign-up by e-mail, which is for buyers only. Throws MARKETPLACE_UNAVAILABLE. */
  isGenuine: Purchases['isGenuine'];
  /** Throws CONFLICT while the subscription that opened the tenant is suspended or has ended. Needs a system transaction. */
  requirePaid(tx: Tx, tenant: string): Promise<void>;
  /** Of the subscription that opened the tenant, undefined where none did. Needs a system transaction. */
  stateOf(tx: Tx, tenant: string): Promise<SubscriptionState | undefined>;
  /** The work of `COMPARISON_JOB`; nothing where nothing is sold. */
  compare(context: { signal: AbortSignal }): Promise<void>;
};

export function createMarketplaceModule(deps: Dependencies): MarketplaceModule {
  const { config } = deps;
  return config === undefined ? nothingSold() : createSelling({ ...deps, config });
}

function createSelling(deps: Dependencies & { config: MarketplaceConfig }): MarketplaceModule {
  const { plans } = deps.config;
  const client = createMarketplaceClient(deps);
  const purchases = createPurchases({ ...deps, client });
  const activation = createActivation({
    ...deps,
    ...{ client, purchases, plans },
    onRefused: ({ subscription, code, wanted: { caller, requestId } }) =>
      noteRefusal(deps, { subscription, code, caller, requestId }),
  });
  const verifyNotice = createNoticeVerifier(deps);
  const handleNotice = createNotices({ ...deps, client, plans });
  const rate = () => createIdentityRate({ max: CALLS_PER_MINUTE, now: deps.now });
  const [detailsRate, activateRate] = [rate(), rate()];

  return {
    isGenuine: purchases.isGenuine,
    ...{ requirePaid, stateOf: findStateOf },
    compare: ({ signal }) => compareSubscriptions({ ...deps, client, plans, activation }, signal),
    handlers: {
      'marketplace.details': async ({ query: { token } }, { identity, caller, requestId }) => {
        detailsRate(identity);
        return await purchases.details(token, { buyer: await buyerOf(deps, identity), caller, requestId });
      },
      'marketplace.activate': async ({ query: { token }, body }, { identity, caller, requestId, raw }) => {
        activateRate(identity);
        const buyer = await buyerOf(deps, identity);
        const { tenant_name: tenantName, fullname } = body;
        const locale = browserLocale(raw.request.headers['accept-language']);
        const opened = await activation.activate({ token, tenantName, fullname, buyer, caller, locale, requestId });
        return { tenant: opened.tenant, tenant_name: opened.tenantName };
      },
      'marketplace.webhook': async ({ body }, { raw, requestId }) => {
        await verifyNotice(raw.request.headers.authorization);
        await handleNotice({ subscription: body.subscriptionId, operation: body.id, requestId });
        return undefined;
      },
    },
  };
}

function nothingSold(): MarketplaceModule {
  const refuse = async (): Promise<never> => {
    throw new AppError('MARKETPLACE_UNAVAILABLE', {
      message: 'This installation is not connected to the Azure Marketplace.',
    });
  };
  const handlers = { 'marketplace.details': refuse, 'marketplace.activate': refuse, 'marketplace.webhook': refuse };
  return { isGenuine: refuse, requirePaid, stateOf: findStateOf, compare: () => Promise.resolve(), handlers };
}

/** Also where nothing is sold any more: what was suspended stays so. */
async function requirePaid(tx: Tx, tenant: string): Promise<void> {
  const state = await findStateOf(tx, tenant);
  if (state === undefined || state === 'opened' || state === 'active') return;
  const ended = {
    message: 'Automation stays off: the Azure subscription of this tenant has ended. See to it in the Azure portal.',
  };
  const suspended = {
    message: 'Automation stays off: the Azure subscription of this tenant is suspended. See to it in the Azure portal.',
  };
  throw new AppError('CONFLICT', state === 'suspended' ? suspended : ended);
}

async function buyerOf(
  deps: Pick<Dependencies, 'findProfile'>,
  { issuer, subject, externalId }: IdentityContext['identity'],
): Promise<Buyer> {
  const profile = await deps.findProfile({ issuer, subject });
  return {
    issuer,
    subject,
    externalId,
    verifiedEmail: profile?.emailVerified === true ? profile.email.toLowerCase() : null,
    fullname: profile?.fullname ?? '',
    directories: profile?.directories ?? [],
  };
}

type Refusal = { subscription: string; code: RefusedCode; caller: Caller | undefined; requestId: string };

/** In the chain of the tenant the purchase opened, whoever tried; otherwise in the caller's own. */
async function noteRefusal(deps: Dependencies, { subscription, code, caller, requestId }: Refusal): Promise<void> {
  const row = await deps.db.system((tx) => findSubscription(tx, subscription));
  const tenant = row?.tenant_id ?? caller?.homeTenant;
  if (tenant === undefined) {
    deps.log.warn({ subscription, code, request_id: requestId }, 'a purchase was tried by a stranger');
    return;
  }
  const who: Caller = caller ?? {
    userId: '',
    username: 'Holder of a purchase link',
    fullname: '',
    homeTenant: tenant,
    via: 'session',
  };
  await deps.refusals.note({ tenant, caller: who, routeId: 'marketplace.activate', code, requestId });
}
